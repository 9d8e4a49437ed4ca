"""Glicko-2 as its paper has it (M. E. Glickman, "Example of the Glicko-2
system", 2013), written apart from api/ladder/glicko2.c: ratings of a service's
database, computed again from its stored results."""
import math
import sqlite3

SCALE = 173.7178
TAU = 0.5
START = (1500.0, 350.0, 0.06)


def bounded(deviation):
    return min(max(deviation, 30.0), 350.0)


def update(player, games):
    """player and opponents are (rating, deviation, volatility); games is
    [(opponent, score)], not empty."""
    mu, phi = (player[0] - 1500) / SCALE, player[1] / SCALE
    sigma = player[2]
    precision = gain = 0.0
    for opponent, score in games:
        g = 1 / math.sqrt(1 + 3 * (opponent[1] / SCALE / math.pi) ** 2)
        e = 1 / (1 + math.exp(-g * (mu - (opponent[0] - 1500) / SCALE)))
        precision += g * g * e * (1 - e)
        gain += g * (score - e)
    if precision < 1e-12:
        return (player[0], bounded(SCALE * math.hypot(phi, sigma)), sigma)
    v = 1 / precision
    delta = v * gain
    a = math.log(sigma ** 2)

    def f(x):
        total = phi ** 2 + v + math.exp(x)
        return (math.exp(x) * (delta ** 2 - total) / (2 * total ** 2) -
                (x - a) / TAU ** 2)

    # f falls; bisection, where the service has the paper's regula falsi.
    low, high = a - TAU, a + TAU
    while f(low) < 0:
        low -= TAU
    while f(high) > 0:
        high += TAU
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = math.exp((low + high) / 4)
    phi = 1 / math.sqrt(1 / (phi ** 2 + sigma ** 2) + precision)
    return (1500 + SCALE * (mu + phi ** 2 * gain), bounded(SCALE * phi), sigma)


def entered(before):
    """A new version: its forerunner's rating, less sure."""
    if before is None:
        return START
    return (before[0], bounded(max(before[1] * 1.75, 120.0)), 0.06)


def happened(base):
    """What changed ratings, in order: ("bot", id, forerunner) and
    ("match", id, [(bot, rank, rating, deviation)])."""
    found = [(when, "bot", bot, before) for bot, when, before in base.execute(
        "SELECT b.id, b.decided_ns, (SELECT p.id FROM bots p JOIN ratings r "
        "ON r.bot_id = p.id WHERE p.name_id = b.name_id AND p.version < "
        "b.version ORDER BY p.version DESC LIMIT 1) FROM bots b JOIN ratings q "
        "ON q.bot_id = b.id")]
    for match, when in base.execute(
            "SELECT id, finished_ns FROM matches WHERE rated = 1 AND "
            "status = 'finished'").fetchall():
        found.append((when, "match", match, base.execute(
            "SELECT bot_id, rank, rating, deviation FROM results WHERE "
            "match_id = ? ORDER BY slot", (match,)).fetchall()))
    return [entry[1:] for entry in sorted(found, key=lambda e: e[0])]


def near(one, other):
    return other is not None and abs(one - other) < 1e-6 * max(1, abs(one))


def differences(path):
    """What the database says otherwise than its results, as sentences; and how
    many rated matches there are."""
    base = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    wrong, ratings, games, matches = [], {}, {}, 0
    for kind, which, more in happened(base):
        if kind == "bot":
            ratings[which] = entered(ratings.get(more))
            continue
        matches += 1
        before = [ratings[row[0]] for row in more]
        for at, (bot, rank, rating, deviation) in enumerate(more):
            ratings[bot] = update(before[at], [
                (before[i], (rank < row[1]) + (rank == row[1]) / 2)
                for i, row in enumerate(more) if i != at])
            best = sum(row[1] == 1 for row in more)
            count = games.setdefault(bot, [0, 0, 0])
            count[1 if rank != 1 else 2 if best > 1 else 0] += 1
            if not (near(ratings[bot][0], rating) and
                    near(ratings[bot][1], deviation)):
                wrong.append("match %d, bot %d: stored %s %s, is %s" % (
                    which, bot, rating, deviation, ratings[bot]))
    for bot, *stored in base.execute(
            "SELECT bot_id, rating, deviation, volatility, wins, losses, ties, "
            "games FROM ratings"):
        count = games.get(bot, [0, 0, 0])
        if not all(map(near, ratings[bot], stored[:3])):
            wrong.append("bot %d: stored %s, is %s" % (
                bot, stored[:3], ratings[bot]))
        if stored[3:] != [*count, sum(count)]:
            wrong.append("bot %d: stored games %s, are %s" % (
                bot, stored[3:], count))
    return wrong, matches
