"""What is measured: recording, reading, replaying, testing."""

import json
import os
import shlex
import shutil
import subprocess

from . import counting, making, measuring, sessions


def record(tools, options, folder, results):
    """From a capture to a trace, beside other readers of captures."""
    capture = making.capture(tools, options.size, options.seed)
    counting.check(tools, capture, folder)
    programs = {
        "loop": [tools.loop, capture],
        "floor": [tools.floor, capture],
        "record": [tools.goldwire, "record", "-r", capture, "-w", "-"],
    }
    if options.reference:
        words = shlex.split(options.reference)
        programs["reference"] = (
            [word.replace("{}", capture) for word in words] if "{}" in options.reference else [*words, capture])
    costs = measuring.rounds(tools, programs, options.rounds)
    results["costs"].update(measuring.summary(costs))
    for base in programs:
        if base != "record":
            results["ratios"][f"record : {base}"] = measuring.ratio(costs, "record", base)
    results["ratios"]["floor : loop"] = measuring.ratio(costs, "floor", "loop")
    results["facts"]["capture MB"] = round(os.path.getsize(capture) / 1e6, 1)
    results["facts"]["record peak MB"] = results["costs"]["record"]["peakMB"]
    slow(tools, options, folder, results, capture)


def slow(tools, options, folder, results, capture):
    """The tools that people use today; they take so long that fewer rounds do."""
    flows = os.path.join(folder, "flows")
    fields = ["frame.time_relative", "tcp.stream", "http.request.method", "http.response.code",
              "websocket.opcode", "websocket.payload_length"]
    others = {
        "tcpflow": ["tcpflow", "-q", "-o", flows, "-r", capture],
        "tshark": ["tshark", "-o", "tcp.reassemble_out_of_order:TRUE", "-r", capture, "-T", "fields"]
        + [word for name in fields for word in ("-e", name)],
    }
    here = {name: words for name, words in others.items() if shutil.which(name)}
    for name in sorted(set(others) - set(here)):
        making.say(f"{name} is not installed, and left out")
        results["missing"].append(name)
    if not here or options.size > 20 and not options.slow:
        return
    programs = {"record": [tools.goldwire, "record", "-r", capture, "-w", "-"], **here}
    costs = measuring.rounds(
        tools, programs, min(options.rounds, 3), before=lambda name: shutil.rmtree(flows, ignore_errors=True))
    for name in here:
        results["costs"][name] = measuring.summary(costs)[name]
        results["ratios"][f"{name} : record"] = measuring.ratio(costs, name, "record")


def trace(tools, options, folder):
    """A trace with many lines: of a capture with small messages."""
    capture = making.capture(tools, max(60, min(options.size, 120)), options.seed, payload=12)
    path = os.path.join(folder, "trace.jsonl")
    making.run([tools.goldwire, "record", "-r", capture, "-w", path, "--in-force",
                "heartbeat.interval=30s,heartbeat.timeout=5s"])
    return path


def read(tools, options, folder, results):
    """Reading a trace and checking all of it, against counting its lines.

    No verb only reads: `trace-reader` is the library's reader in a program of its own.
    """
    path = trace(tools, options, folder)
    costs = measuring.rounds(tools, {
        "wc -l": ["wc", "-l", path],
        "read": [tools.reader, path],
        "audit": [tools.goldwire, "audit", path],
    }, options.rounds)
    results["costs"].update(measuring.summary(costs))
    results["ratios"]["read : wc -l"] = measuring.ratio(costs, "read", "wc -l")
    results["ratios"]["audit : read"] = measuring.ratio(costs, "audit", "read")
    results["facts"]["trace MB"] = round(os.path.getsize(path) / 1e6, 1)
    with open(path, "rb") as file:
        results["facts"]["trace lines"] = sum(1 for _ in file)


def replay(tools, options, folder, results):
    """Replaying a trace into each machine that it drives, against reading it."""
    path = trace(tools, options, folder)
    asked = {
        "heartbeat": [], "retry": ["--set", "retry.count=3"], "stream": ["--set", "stream.delay=3s"],
    }
    programs = {"read": [tools.reader, path]}
    for machine, words in asked.items():
        # Written as a golden, to a file: the words for people would be measured too.
        programs[f"replay {machine}"] = [
            tools.goldwire, "replay", path, "--machine", machine, *words, "-w",
            os.path.join(folder, f"{machine}.jsonl")]
    costs = {name: [] for name in programs}
    for _ in range(options.rounds):
        for name, words in programs.items():
            costs[name].append(measuring.once(tools, words, status=(0, 3)))
    found = measuring.summary(costs)
    for machine in asked:
        name = f"replay {machine}"
        results["costs"][name] = found[name]
        results["ratios"][f"{name} : read"] = measuring.ratio(costs, name, "read")


def test(tools, options, folder, results):
    """`goldwire test` on many small traces with their goldens."""
    tree = os.path.join(folder, "many")
    sources = os.path.join(making.ROOT, "traces")
    names = sorted(
        name for name in os.listdir(sources)
        if os.path.exists(os.path.join(sources, name, "trace.jsonl"))
        and not os.path.exists(os.path.join(sources, name, "goldwire.json")))
    settings = os.path.join(sources, "goldwire.json")
    os.makedirs(tree)
    if os.path.exists(settings):
        shutil.copy(settings, tree)
    for number in range(options.traces):
        name = names[number % len(names)]
        shutil.copytree(
            os.path.join(sources, name), os.path.join(tree, f"{number:05}-{name}"),
            ignore=lambda _, found: [f for f in found if not f.endswith(".jsonl")])
    words = [tools.goldwire, "test", tree]
    costs = measuring.rounds(tools, {
        "test": words, "read files": ["sh", "-c", f"find {shlex.quote(tree)} -type f -exec cat {{}} +"],
    }, options.rounds)
    found = measuring.summary(costs)
    results["costs"]["test"] = found["test"]
    results["ratios"]["test : read files"] = measuring.ratio(costs, "test", "read files")
    results["facts"]["traces a second"] = round(options.traces / found["test"]["wall"])
    results["facts"]["traces"] = options.traces


def tap(tools, options, folder, results):
    """Recording an event in an app, against the clock call that it contains: one thread, and two at once.

    `tap-cost` takes its turns itself, with the CPU time of its threads: what it measures is nanoseconds.
    """
    found = json.loads(making.run([tools.tap, str(2 * options.rounds + 1)]))
    for name, words in (("one", "tap"), ("two", "tap, two threads"), ("shared", "tap, two threads on one channel")):
        results["ratios"][f"{words} : clock"] = found[f"{name} : clock"]
        results["facts"][f"{words} ns"] = found[f"{name} ns"]
    results["facts"]["clock ns"] = found["clock ns"]
    results["facts"]["tap writes a line ns"] = found["writing ns"]
    if tools.allocations:
        done = subprocess.run(
            [tools.tap, "1"], env={**os.environ, "LD_PRELOAD": tools.allocations}, capture_output=True, text=True,
            check=True)
        results["facts"]["tap allocations"] = json.loads(done.stdout)["allocations"]


def causal(tools, options, folder, results):
    """A causal prediction against a replay of the same trace in memory, and a sweep's further points against its first.

    `causal-cost` takes its turns itself. A grid of 100 points over many traces is asked on one core and on two: the same
    bytes must come out, and the time must nearly halve.
    """
    for name, beats, gap in (("quiet hour", 120, 0), ("busy hour", 120, 3)):
        path = sessions.write(os.path.join(folder, "hour.jsonl"), options.seed, beats, gap)
        found = json.loads(making.run([tools.causal, path, str(2 * options.rounds + 1)]))
        results["ratios"][f"predict {name} : replay"] = found["prediction : replay"]
        results["facts"][f"predict {name} us"] = found["prediction us"]
    tree = sessions.tree(os.path.join(folder, "sessions"), options.traces)
    few = sessions.tree(os.path.join(folder, "few"), max(10, options.traces // 10))
    one = [tools.goldwire, "sweep", few, "--jobs", "1", "--grid", "heartbeat.timeout=8s", "--grid"]
    points = ",".join(f"{number}s" for number in range(20, 31))
    costs = measuring.rounds(
        tools, {"sweep, 1 point": [*one, "heartbeat.interval=20s"], "sweep, 11 points": [*one, f"heartbeat.interval={points}"]},
        options.rounds)
    results["costs"].update(measuring.summary(costs))
    more = measuring.ratio(costs, "sweep, 11 points", "sweep, 1 point")
    results["ratios"]["sweep, a further point : the first"] = round((more - 1) / 10, 3)
    grid = [tools.goldwire, "sweep", tree, "--json", "--grid", "heartbeat.timeout=3s,4s,5s,6s,7s,8s,9s,10s,12s,15s",
            "--grid", "heartbeat.interval=10s,12s,15s,18s,20s,22s,25s,28s,30s,45s", "--jobs"]
    said = {jobs: making.run([*grid, jobs]) for jobs in ("1", "2")}
    if said["1"] != said["2"]:
        making.fail("sweep: two cores say something else than one")
    rounds = max(1, options.rounds // 3)
    costs = measuring.rounds(tools, {"sweep, one core": [*grid, "1"], "sweep, two cores": [*grid, "2"]}, rounds)
    found = measuring.summary(costs)
    results["costs"].update(found)
    results["ratios"]["sweep, two cores : one, wall"] = round(
        found["sweep, two cores"]["wall"] / found["sweep, one core"]["wall"], 3)
    results["facts"]["predictions a second"] = round(options.traces * 100 / found["sweep, two cores"]["wall"])


GROUPS = {"record": record, "read": read, "replay": replay, "test": test, "tap": tap, "causal": causal}
