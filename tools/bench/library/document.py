"""Shows results, and writes those that are kept into docs/performance.md."""

import json
import os

from . import making

PAGE = os.path.join(making.ROOT, "docs", "performance.md")
KEPT = os.path.join(making.ROOT, "docs", "performance.json")
BEGIN, END = "<!-- measured: tools/bench/run --document -->", "<!-- measured ends -->"

# The rows of the page: the ratio's name, and what it is in words.
ROWS = [
    ("record : loop", "`goldwire record` : bare libpcap loop"),
    ("record : floor", "`goldwire record` : plain C++ reader"),
    ("floor : loop", "plain C++ reader : bare libpcap loop"),
    ("tcpflow : record", "`tcpflow` : `goldwire record`"),
    ("tshark : record", "`tshark -T fields` : `goldwire record`"),
    ("read : wc -l", "reading and checking a trace : `wc -l`"),
    ("audit : read", "`goldwire audit` : reading"),
    ("replay heartbeat : read", "`replay --machine heartbeat` : reading"),
    ("replay retry : read", "`replay --machine retry` : reading"),
    ("replay stream : read", "`replay --machine stream` : reading"),
    ("test : read files", "`goldwire test`, many small traces : reading the files with `cat`"),
    ("predict quiet hour : replay", "a prediction of a quiet hour : replaying it, in memory"),
    ("predict busy hour : replay", "the same of a busy hour"),
    ("sweep, a further point : the first", "a further point of `goldwire sweep` : its first"),
    ("sweep, two cores : one, wall", "100 points over many traces on two cores : on one, time on the clock"),
    ("tap : clock", "recording an event in an app : the clock call in it"),
    ("tap, two threads : clock", "the same from two threads at once"),
    ("tap, two threads on one channel : clock", "the same on one channel"),
]
FACTS = [
    ("record peak MB", "peak memory of `goldwire record`, MB"),
    ("tap ns", "recording an event in an app, ns"),
    ("tap allocations", "allocations of 380,000 recorded events"),
    ("predictions a second", "predictions that `goldwire sweep` makes a second, on two cores"),
    ("traces a second", "small traces that `goldwire test` holds a second"),
]


def show(results):
    print(f"{'':28} {'CPU s':>8} {'least':>8} {'peak MB':>8}")
    for name, cost in results["costs"].items():
        print(f"{name:28} {cost['cpu']:8.3f} {cost['least']:8.3f} {cost['peakMB']:8.1f}")
    print("\nmedian of the rounds' ratios of CPU time")
    for name, value in results["ratios"].items():
        print(f"{name:28} {value:8.2f}")
    print()
    for name, value in results["facts"].items():
        print(f"{name:28} {value:>8}")


def table(kept):
    """The page's table: a column for each size."""
    sizes = sorted(kept, key=int)
    rows = ["| CPU time | " + " | ".join(f"{size} MB" for size in sizes) + " |",
            "| --- |" + " ---: |" * len(sizes)]
    for group, names in (("ratios", ROWS), ("facts", FACTS)):
        for name, words in names:
            values = [kept[size][group].get(name) for size in sizes]
            if any(value is not None for value in values):
                cells = ["" if value is None else shorten(value) for value in values]
                rows.append(f"| {words} | " + " | ".join(cells) + " |")
    first = kept[sizes[0]]
    rows.append("")
    rows.append(f"{first['goldwire']}, {first['machine']}; rounds: "
                + ", ".join(f"{kept[size]['rounds']} at {size} MB" for size in sizes) + ".")
    return "\n".join(rows)


def shorten(value):
    return f"{value:,.0f}" if value >= 100 or value == 0 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def keep(results):
    """Puts results into docs/performance.json, beside those of other sizes, and of what was not measured now."""
    kept = {}
    if os.path.exists(KEPT):
        with open(KEPT, encoding="utf-8") as file:
            kept = json.load(file)
    old = kept.get(str(results["size"]), {})
    merged = {part: {**old.get(part, {}), **results[part]} for part in ("costs", "ratios", "facts")}
    kept[str(results["size"])] = {**results, **merged}
    with open(KEPT, "w", encoding="utf-8") as file:
        json.dump(kept, file, indent=1, sort_keys=True)
        file.write("\n")


def write():
    """Writes the table of the kept results into the page."""
    with open(KEPT, encoding="utf-8") as file:
        kept = json.load(file)
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(f"{before}{BEGIN}\n{table(kept)}\n{END}{after}")
    print(f"bench: {PAGE}")
