"""Nim, as an example of a referee in any language: see docs/organiser.md.

It talks in lines of JSON over standard input and output, is told the seed in
the first one, and must do the same for the same lines: no clock, no other
chance, no order of a set.
"""
import json
import random
import sys


def say(message):
    print(json.dumps(message), flush=True)


class Nim:
    def __init__(self, start):
        chance = random.Random(int(start["seed"]))
        self.piles = [chance.randint(3, 9) for _ in range(chance.randint(3, 5))]
        self.turns = start["turns"]
        self.step = 0
        self.next = 0  # the slot that moves
        self.out = set(start["out"])
        self.winner = None

    def parse(self, reply):
        """(pile, count), or a sentence that says why not."""
        words = reply.split()
        if len(words) != 2 or not all(word.isdigit() for word in words):
            return "a move is PILE COUNT"
        pile, count = int(words[0]), int(words[1])
        if pile >= len(self.piles) or not 1 <= count <= self.piles[pile]:
            return "that pile has not so many"
        return pile, count

    def take(self, pile, count):
        self.piles[pile] -= count
        if not any(self.piles):
            self.winner = self.next
        self.next = 1 - self.next

    def play(self, move):
        """One move of the step; what is said about it."""
        judgement = {"legal": True}
        taken = None
        last = move["act"] == "last_reply"
        if "reply" in move:
            taken = self.parse(move["reply"])
        elif "reply_base64" in move:  # no text at all
            taken = "a move is PILE COUNT"
        if isinstance(taken, str):
            judgement = {"legal": False, "reason": taken}
        if move["act"] == "out" or not judgement["legal"]:
            self.out.add(move["slot"])  # gone before its move is made
        else:
            # The pass move: one from the first pile that has any.
            first = next(i for i, pile in enumerate(self.piles) if pile)
            self.take(*(taken or (first, 1)))
        self.step += 1
        self.over = "ended" if self.is_over() else "no"
        if last and self.over == "no":
            self.out.add(move["slot"])  # gone after it
            self.over = "left"
        return judgement

    def is_over(self):
        return self.winner is not None or self.out or self.step >= self.turns

    def score(self, slot):
        if self.winner is not None:
            return int(self.winner == slot)
        return int(slot not in self.out)

    def report(self, judgements):
        over = self.over if judgements else "ended" if self.is_over() else "no"
        asks = []
        if over == "no":
            view = f"{len(self.piles)} {' '.join(map(str, self.piles))}\n"
            asks = [{"slot": self.next, "view": view}]
        say({
            "kind": "report",
            "moves": judgements,
            "over": over,
            "scores": [self.score(0), self.score(1)],
            "state": {"grid": ["|" * n + "." * (9 - n) for n in self.piles]},
            "asks": asks,
        })


def main():
    say({"kind": "hello", "name": "nim", "label": "Nim", "min_slots": 2,
         "max_slots": 2, "turns": 45, "view_bytes": 64})
    game = Nim(json.loads(sys.stdin.readline()))
    game.report([])
    for line in sys.stdin:
        game.report([game.play(m) for m in json.loads(line)["moves"]])


main()
