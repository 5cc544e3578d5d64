"""The limits that are kept in thresholds.json, and reviewed as goldens are."""

import json
import os

from . import making

PATH = os.path.join(making.HERE, "thresholds.json")
# How much a ratio may differ from what was measured when its limit was written.
ROOM = 1.25
# Other tools write files and spread their work over threads, so that their own times wander more.
FOREIGN_ROOM = 2


def load():
    if not os.path.exists(PATH):
        return {}
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


def measures(results):
    """What has a limit: name, value, and whether less is better."""
    for name, value in results["ratios"].items():
        # Of the other tools only the room to them counts.
        if name.endswith(": record"):
            yield name, value, False
        elif name not in ("floor : loop", "record : reference"):
            yield name, value, True
    facts = results["facts"]
    if "record peak MB" in facts:
        yield "record peak MB", facts["record peak MB"], True
    if "tap allocations" in facts:
        yield "tap allocations", facts["tap allocations"], True


def check(results):
    """Says each limit that is crossed; the exit status."""
    size = str(results["size"])
    limits = load().get(size, {})
    if not limits:
        making.say(f"thresholds.json has none for {size} MB")
        return 2
    crossed = compared = 0
    for name, value, isLessBetter in measures(results):
        limit = limits.get(name)
        if not limit:
            making.say(f"{name} has no threshold for {size} MB")
            continue
        compared += 1
        if isLessBetter and value > limit["limit"] or not isLessBetter and value < limit["limit"]:
            word = "above" if isLessBetter else "below"
            print(f"CROSSED {name}: {value} is {word} {limit['limit']} (was {limit['measured']}: {limit['note']})")
            crossed += 1
    print(f"bench: {crossed} of {compared} thresholds crossed")
    return 1 if crossed else 0


def update(results, note):
    """Writes the limits of this size anew; what was not measured stays."""
    all = load()
    limits = all.setdefault(str(results["size"]), {})
    for name, value, isLessBetter in measures(results):
        limit = value * ROOM if isLessBetter else value / FOREIGN_ROOM
        limits[name] = {"limit": round(limit, 2), "measured": value, "note": note}
    with open(PATH, "w", encoding="utf-8") as file:
        json.dump(all, file, indent=1, sort_keys=True)
        file.write("\n")
    print(f"bench: {PATH}")
