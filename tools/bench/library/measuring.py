"""Runs programs in turn, and compares what they cost within each round."""

import json
import os
import statistics
import subprocess

from . import making


def once(tools, words, status=(0,)):
    """Runs a program once, its output thrown away; what it cost."""
    path = os.path.join(making.folder(), f"cost-{os.getpid()}.json")
    with open(os.devnull, "r+b") as nothing:
        subprocess.run(
            [tools.measure, path, *words], stdin=nothing, stdout=nothing, stderr=nothing, check=True)
    with open(path, encoding="utf-8") as file:
        cost = json.load(file)
    os.remove(path)
    if cost["status"] not in status:
        making.fail(f"status {cost['status']} from {' '.join(words)}")
    cost["cpu"] = cost["user"] + cost["system"]
    return cost


def rounds(tools, programs, count, before=None):
    """Runs all programs in turn, so many rounds; the costs of each by name."""
    costs = {name: [] for name in programs}
    for number in range(count):
        names = list(programs)
        # Every second round goes backwards, so that none profits from its place.
        for name in names if number % 2 == 0 else reversed(names):
            if before:
                before(name)
            costs[name].append(once(tools, programs[name]))
    return costs


def ratio(costs, name, base):
    """The median of the per-round ratios of CPU time."""
    pairs = zip(costs[name], costs[base])
    return round(statistics.median(a["cpu"] / max(b["cpu"], 1e-4) for a, b in pairs), 3)


def summary(costs):
    """The median and the least CPU time of each program, and its highest peak of memory."""
    return {
        name: {
            "cpu": round(statistics.median(c["cpu"] for c in all), 4),
            "least": round(min(c["cpu"] for c in all), 4),
            "wall": round(statistics.median(c["wall"] for c in all), 4),
            "peakMB": round(max(c["peak"] for c in all) / 1e6, 1),
        }
        for name, all in costs.items()
    }
