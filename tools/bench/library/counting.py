"""Holds a recording and the plain reader against the truth before anything is timed: a fast wrong answer is none."""

import collections
import json
import os
import subprocess

from . import making

WORDS = ("dir", "kind", "method", "code")


def kind(event):
    """The kind of an event as the truth names it, or nothing."""
    name = event.get("ev")
    if not name or name in ("rec.life", "rec.end", "rec.note"):
        return None
    words = [name, *(str(event[key]) for key in WORDS if key in event)]
    if "status" in event:
        words = [name, str(event["status"])]
    if name in ("sse.cut", "ws.end"):
        words = [name, event.get("dir", "?"), event["cause"]]
    if name == "http.error":
        words = [name, event["cause"]]
    if event.get("done") is False:
        words.append("cut")
    return " ".join(words)


def tally(path):
    counts = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = kind(json.loads(line))
            if found:
                counts[found] += 1
    return counts


def check(tools, capture, folder):
    """Ends with a message if a count is wrong."""
    wanted = making.truth(capture)["counts"]
    path = os.path.join(folder, "counted.jsonl")
    making.run([tools.goldwire, "record", "-r", capture, "-w", path])
    counts = tally(path)
    os.remove(path)
    # The truth also counts what some events have besides their kind; those are no lines.
    for name in sorted(set(counts) | {name for name in wanted if not mark(name)}):
        if counts[name] != wanted.get(name, 0):
            making.fail(f"record: {counts[name]} of '{name}', not {wanted.get(name, 0)}")
    with subprocess.Popen([tools.floor, capture], stdout=subprocess.PIPE) as program:
        plain = collections.Counter(line.split(b"\t")[2].decode() for line in program.stdout)
    for name in plain:
        if plain[name] != wanted.get(name, 0):
            making.fail(f"floor: {plain[name]} of '{name}', not {wanted.get(name, 0)}")


def mark(name):
    return name.split()[-1] in ("again", "cursor", "id", "retryAfter", "retryAt", "since", "deflate", "known")
