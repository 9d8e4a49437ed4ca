"""kills.py BOUT DATA GAMES KILLS SEED: kills servers, workers, zygotes and bots
of one service at random under load, and then looks whether anything is lost,
double or left (TAP).

A match has three attempts and a build two, and then they fail, as they should:
so while any is at its last only servers are killed, whose jobs keep theirs.
"""
import collections
import hashlib
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import glicko2
import load
from tap import done, said


def is_gone(pids, seconds=20):
    """None of them is left; what is, is said."""
    end = time.monotonic() + seconds
    left = set(pids)
    while left and time.monotonic() < end:
        left = {pid for pid in left if os.path.exists("/proc/%d" % pid) and
                not is_zombie(pid)}
        time.sleep(0.02)
    return left


def is_zombie(pid):
    try:
        with open("/proc/%d/stat" % pid) as stat:
            return stat.read().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


class Killer:
    def __init__(self, service, seed):
        self.service = service
        self.rng = random.Random(seed)
        self.count = collections.Counter()
        self.amid = collections.Counter()  # work that was on
        self.struck = set()  # attempts of builds that lost a box: (job, fence)
        self.left = []

    def base(self):
        path = os.path.join(self.service.data, "bout.db")
        return sqlite3.connect("file:%s?mode=ro" % path, uri=True, timeout=30)

    def may_cost_an_attempt(self, seconds=20):
        """No job is at its last attempt, nor would be at its next lease."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            base = self.base()
            last, = base.execute(
                "SELECT count(*) FROM jobs WHERE attempt + (status = 'queued') "
                ">= CASE kind WHEN 'build' THEN 2 ELSE 3 END AND status IN "
                "('queued', 'leased')").fetchone()
            base.close()
            if not last:
                return True
            time.sleep(0.05)
        return False

    def may_strike_a_box(self):
        """A compiler that dies twice in one attempt rejects its source."""
        base = self.base()
        builds = set(base.execute("SELECT id, fence FROM jobs WHERE kind = "
                                  "'build' AND status = 'leased'"))
        base.close()
        fresh = not builds & self.struck
        if fresh:
            self.struck |= builds
        return fresh

    def kind_of(self, pid, parent):
        """A worker is the server's child, a zygote is a fork of its worker;
        what else a worker has below it are boxes."""
        if parent == self.service.process.pid:
            return "worker"
        try:
            with open("/proc/%d/cmdline" % pid) as line:
                return "zygote" if line.read().startswith("bout\0worker\0") \
                    else "box"
        except OSError:
            return None

    def find(self, kind, seconds):
        """One that is there now, or soon."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            tree = load.process_tree(self.service.process.pid)
            found = sorted(pid for pid, parent in tree.items()
                           if self.kind_of(pid, parent) == kind)
            if found:
                return self.rng.choice(found)
            time.sleep(0.002)
        return None

    def busy(self):
        """A worker has a box now: a match is played, a bot is built."""
        tree = load.process_tree(self.service.process.pid)
        return any(self.kind_of(pid, parent) == "box"
                   for pid, parent in tree.items())

    def strike(self):
        kind = self.rng.choice(["server", "worker", "zygote", "box", "box"])
        if kind != "server" and not self.may_cost_an_attempt():
            kind = "server"
        if kind == "box" and not self.may_strike_a_box():
            kind = "server"
        victim = self.service.process.pid if kind == "server" \
            else self.find(kind, 5)
        if not victim:
            return
        below = load.process_tree(victim)
        self.amid[kind] += self.busy()
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            return  # ended by itself
        self.count[kind] += 1
        if kind == "server":
            self.service.process.wait()
        left = is_gone([victim, *below])
        if left:
            self.left.append("%s %d leaves %s" % (kind, victim, left))
        if kind == "server":
            self.service.start()

    def run(self, kills):
        while sum(self.count.values()) < kills:
            time.sleep(self.rng.uniform(0.1, 1.2))
            self.strike()


def settle(service, seconds=600):
    """Everything that was queued is over; the ladder rests."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        left = sum(len(service.document("/v1/%s&limit=200" % path)["items"])
                   for path in ("matches?status=queued",
                                "matches?status=running",
                                "bots?status=queued", "bots?status=compiling",
                                "bots?status=checking"))
        if not left:
            return
        time.sleep(0.3)
    raise RuntimeError("it does not come to rest")


def look_at_matches(service, work):
    """Each acknowledged one once, whole, and equal where it has to be."""
    wrong, logs, equal = [], {}, collections.defaultdict(set)
    for match in work.acknowledged["match"]:
        document = service.document("/v1/matches/%d" % match)
        if document["status"] != "finished" or len(document["results"]) != 2:
            wrong.append("match %d: %s" % (match, json.dumps(document)))
            continue
        status, log = service.get("/v1/matches/%d/replay" % match)
        if hashlib.sha256(log).hexdigest() != document["replay_sha256"]:
            wrong.append("match %d: another log than it says (%d)" % (match, status))
        steps = [json.loads(line) for line in log.splitlines()]
        logs[match] = {(step["turn"], slot["slot"]): slot["instructions"]
                       for step in steps if "slots" in step
                       for slot in step["slots"]}
        turns = service.document("/v1/matches/%d/turns?limit=5000" % match)
        rows = {(row["turn"], row["slot"]): row["instructions"]
                for row in turns["items"]}
        if len(rows) != len(turns["items"]) or rows != logs[match] or \
                max(rows)[0] != document["turns"]:
            wrong.append("match %d: turns are not those of its log" % match)
        equal[(str(document["seed"]), tuple(
            row["bot"] for row in document["results"]))].add(
                document["replay_sha256"])
    said(not wrong, "each of %d acknowledged matches is finished, with the "
         "turns of its log, once" % len(work.acknowledged["match"]),
         "\n".join(wrong))
    said(all(len(each) == 1 for each in equal.values()),
         "of equal matches every byte is equal")


def look_at_uploads(service, work):
    wrong = []
    for bot in work.acknowledged["bot"]:
        document = service.document("/v1/bots/%d" % bot, work.token)
        if document["status"] != "ready":
            wrong.append(json.dumps(document))
    said(not wrong, "each of %d acknowledged uploads is ready" %
         len(work.acknowledged["bot"]), "\n".join(wrong))


def look_at_database(service, work):
    path = os.path.join(service.data, "bout.db")
    base = sqlite3.connect("file:%s?mode=ro" % path, uri=True)

    def one(sql):
        return base.execute(sql).fetchone()[0]

    said(one("SELECT count(*) FROM matches WHERE rated = 0") ==
         len(set(work.acknowledged["match"])) == len(work.acknowledged["match"]),
         "no match is there that nobody asked for")
    said(one("SELECT count(*) FROM bots") == len(set(work.acknowledged["bot"])),
         "no bot is there twice")
    said(one("SELECT count(*) FROM batches") ==
         len(set(work.acknowledged["batch"])), "no batch is there twice")
    said(one("SELECT count(*) FROM matches WHERE status != 'finished'") == 0,
         "the ladder's matches are finished, too")
    said(one("SELECT count(*) FROM matches") ==
         one("SELECT max(finish_number) FROM matches") ==
         one("SELECT count(DISTINCT match_id) FROM match_logs"),
         "each finished once and has its log")
    said(one("SELECT count(*) FROM jobs WHERE status NOT IN ('done')") == 0,
         "every job is done", base.execute(
             "SELECT * FROM jobs WHERE status != 'done'").fetchall())
    wrong, rated = glicko2.differences(path)
    said(not wrong and rated > 0,
         "ratings after %d rated matches are those of their results" % rated,
         "\n".join(wrong))
    return {row[0] for row in base.execute("SELECT id FROM matches "
                                           "WHERE rated = 0")}


def look_at_told(service, work, matches):
    """Webhooks at least once, and twice only as one delivery; streams once."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        told = {document["match"] for _, document in work.hook.heard}
        if matches <= told:
            break
        time.sleep(0.2)
    said(matches <= told, "the webhook hears of every match",
         sorted(matches - told))
    deliveries = collections.defaultdict(set)
    for number, document in work.hook.heard:
        deliveries[document["match"]].add(number)
    said(all(len(each) == 1 for each in deliveries.values()),
         "and what it hears again is marked as the same delivery")
    ids = [number for number, _ in work.events]
    said(ids and len(ids) == len(set(ids)), "streams tell no event twice",
         [each for each, count in collections.Counter(ids).items()
          if count > 1][:20])


def main():
    bout, data, games, kills, seed = sys.argv[1:6]
    service = load.Service(bout, data, [
        "--ladder-rate", "120", "--rate", "0", "--post-rate", "0",
        "--webhook-private"])
    service.start()
    work = load.Load(service, games)
    work.enter()
    work.run(work.order_matches, work.order_batches, work.send_uploads,
             work.listen, work.read_pages, work.order_profiles)
    killer = Killer(service, int(seed))
    started = time.monotonic()
    killer.run(int(kills))
    work.stop()
    print("# seed %s: %s in %d s, while work was on: %s" % (
        seed, dict(killer.count), time.monotonic() - started,
        dict(killer.amid)))
    said(sum(killer.count.values()) == int(kills),
         "%s processes were killed" % kills)
    said(not killer.left, "nothing is left of what stood below them",
         "\n".join(killer.left))
    said(not work.faults, "clients met nothing that a kill does not explain",
         "\n".join(work.faults))
    service.stop()
    service.start("--ladder-rate", "0")
    settle(service)
    look_at_matches(service, work)
    look_at_uploads(service, work)
    matches = look_at_database(service, work)
    look_at_told(service, work, matches)
    below = load.process_tree(service.process.pid)
    said(service.stop() == 0, "the service ends well")
    said(not is_gone(below), "and leaves no process")
    checked = subprocess.run([bout, "db", "check", "--data", data],
                             capture_output=True, text=True)
    said(checked.returncode == 0, "its database is whole", checked.stderr)
    done()


if __name__ == "__main__":
    main()
