"""flat.py BOUT DATA GAMES SECONDS: mixed load on one service for so long; its
processes must end as small as they were after the first quarter (TAP).

Resident memory and open descriptors of the server, each worker and each zygote
are read every two seconds. Compared are the lowest values of the second quarter
and of the last: what is freed now and then does not count as growth, what is
never freed does.
"""
import collections
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import load
from tap import done, said

MAY_GROW_BYTES = 8 << 20
MAY_GROW_SHARE = 0.10
MAY_GROW_FDS = 4
PAGE = os.sysconf("SC_PAGE_SIZE")


def size_of(pid):
    """(resident bytes, open descriptors); without the pages of shared memory,
    which are the boxes'."""
    with open("/proc/%d/statm" % pid) as statm:
        pages = statm.read().split()
    return ((int(pages[1]) - int(pages[2])) * PAGE,
            len(os.listdir("/proc/%d/fd" % pid)))


def names(service):
    """{pid: name} of the processes that live as long as the service."""
    server = service.process.pid
    found = {server: "server"}
    tree = load.process_tree(server)
    for pid, parent in sorted(tree.items()):
        if parent == server:
            found[pid] = "worker %d" % (len(found) // 2)
            for child in (p for p, above in tree.items() if above == pid):
                try:
                    with open("/proc/%d/cmdline" % child) as line:
                        if line.read().startswith("bout\0worker\0"):
                            found[child] = found[pid] + "'s zygote"
                except OSError:
                    pass
    return found


def watch(service, seconds):
    """{name: [(resident, descriptors)]}, and the names that ended."""
    kept, samples, gone = names(service), collections.defaultdict(list), set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for pid, name in kept.items():
            try:
                samples[name].append(size_of(pid))
            except OSError:
                gone.add(name)
        time.sleep(2)
    return samples, gone


def compare(name, rows):
    quarter = len(rows) // 4
    for column, unit, may in (
            (0, "bytes of memory", None), (1, "descriptors", MAY_GROW_FDS)):
        early = min(row[column] for row in rows[quarter:2 * quarter])
        late = min(row[column] for row in rows[3 * quarter:])
        most = max(row[column] for row in rows)
        room = may if may is not None else max(MAY_GROW_BYTES,
                                               MAY_GROW_SHARE * early)
        said(late - early <= room, "the %s's %s: %d, later %d, at most %d" % (
            name, unit, early, late, most),
            " ".join(str(row[column]) for row in rows[::max(1, quarter // 8)]))


def main():
    bout, data, games, seconds = sys.argv[1:5]
    service = load.Service(bout, data, [
        "--ladder-rate", "600", "--rate", "0", "--post-rate", "0",
        "--webhook-private"])
    service.start()
    work = load.Load(service, games, think=20000)
    work.enter()
    work.run(work.order_matches, work.order_batches, work.send_uploads,
             work.listen, work.read_pages, work.order_profiles)
    samples, gone = watch(service, float(seconds))
    work.stop()
    played = service.document("/v1/leaderboard?game=tron&limit=200")["items"]
    print("# %d s: %d matches asked for, %d ladder games of %d bots, %d profiles, "
          "%d events, %d webhooks" % (
              float(seconds), len(work.acknowledged["match"]),
              sum(row["games"] for row in played), len(played), work.profiles,
              len(work.events), len(work.hook.heard)))
    took = sorted(work.upload_seconds)
    if took:
        print("# upload to ready while the ladder plays: median %.1f s, 95th "
              "percentile %.1f s of %d" % (
                  took[len(took) // 2], took[int(len(took) * 0.95)], len(took)))
    said(not gone, "no process ended", sorted(gone))
    said(not work.faults, "clients met no fault", "\n".join(work.faults))
    said(work.acknowledged["match"] and played, "there was load")
    for name in sorted(samples):
        compare(name, samples[name])
    said(service.stop() == 0, "the service ends well")
    done()


if __name__ == "__main__":
    main()
