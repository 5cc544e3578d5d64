"""Makes traces of heartbeats as field clients record them: quiet ones and busy ones, with a slow reply or an outage now and then."""

import json
import os
import random

SECOND = 1_000_000


def header():
    return {
        "goldwire": 1, "tool": "goldwire 0.1.0", "source": "tap", "unit": "us", "clock": "continuous", "wall": 0,
        "at": "client", "inForce": {"heartbeat": {"interval": "30s", "timeout": "10s"}}, "inForceBy": "driver",
    }


class Session:
    """One trace, written an event at a time."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = [json.dumps(header(), separators=(",", ":"))]
        self.generation = self.ping = 0

    def add(self, at, words):
        self.lines.append(f'{{"t":{at},"ch":"ws1","gen":{self.generation},{words}}}')

    def connect(self, at):
        self.generation, self.ping = self.generation + 1, 0
        self.add(at, '"ev":"ws.connect"')
        opened = at + 2 * self.trip()
        self.add(opened, '"ev":"ws.open","status":101')
        return opened

    def trip(self):
        return 30_000 + self.random.randrange(20_000)

    def messages(self, start, end, gap):
        """Messages either way between two instants, so many seconds apart in the middle; none where there is no gap."""
        at = start
        while gap:
            at += 1 + int(self.random.expovariate(1 / gap) * SECOND)
            if at >= end:
                return
            way = self.random.choice(("in", "out"))
            self.add(at, f'"ev":"ws.message","dir":"{way}","kind":"text","bytes":40')

    def beat(self, now, gap, late=0):
        """An interval and its ping; `late` is what its answer takes beyond a round trip, nothing for one that never comes."""
        due = now + 30 * SECOND + self.random.randrange(2_000)
        self.messages(now, due, gap)
        self.ping += 1
        self.add(due, f'"ev":"ws.ping","dir":"out","id":{self.ping}')
        if late is None:
            self.add(due + 10 * SECOND, '"ev":"ws.close","dir":"out","code":1001,"by":"machine"')
            return self.connect(due + 12 * SECOND)
        answered = due + self.trip() + late
        self.add(answered, f'"ev":"ws.pong","dir":"in","id":{self.ping}')
        return answered

    def text(self, beats, gap):
        now = self.connect(1_000)
        for number in range(beats):
            luck = self.random.random()
            now = self.beat(now, gap, None if luck < 0.01 else 3 * SECOND if luck < 0.03 else 0)
        return "\n".join([*self.lines, f'{{"t":{now + 1},"ev":"rec.end","why":"stopped"}}', ""])


def write(path, seed, beats, gap):
    with open(path, "w", encoding="utf-8") as file:
        file.write(Session(seed).text(beats, gap))
    return path


def tree(folder, count, beats=40):
    """So many traces, every second one without messages."""
    os.makedirs(folder)
    for number in range(count):
        write(os.path.join(folder, f"{number:05}.jsonl"), number, beats, 0 if number % 2 else 3)
    return folder
