"""Builds the programs that are measured, and makes the captures."""

import json
import os
import platform
import shutil
import subprocess
import sys
from types import SimpleNamespace

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(HERE))
KEPT = os.path.join(ROOT, ".build", "bench")


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def fail(text):
    say(text)
    sys.exit(2)


def folder(name=""):
    """A folder of the benchmark's own, below the build folder."""
    path = os.path.join(KEPT, name)
    os.makedirs(path, exist_ok=True)
    return path


def run(words):
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        fail(f"failed: {' '.join(words)}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout.strip()


def compiler(names, variable):
    for name in [os.environ.get(variable), *names]:
        if name and shutil.which(name):
            return name
    return fail(f"no compiler: {' or '.join(names)} is needed")


def build(goldwire=None):
    """Builds everything; the paths of what came out."""
    where = os.path.join(HERE, "floor")
    out = folder("bin")
    c, plus = compiler(["cc", "clang", "gcc"], "CC"), compiler(["c++", "clang++", "g++"], "CXX")
    tools = SimpleNamespace(
        measure=os.path.join(out, "measure"), loop=os.path.join(out, "loop"), floor=os.path.join(out, "floor"))
    run([c, "-O2", "-o", tools.measure, os.path.join(where, "measure.c")])
    run([c, "-O2", "-o", tools.loop, os.path.join(where, "loop.c"), "-lpcap"])
    run([plus, "-std=c++20", "-O2", "-o", tools.floor]
        + [os.path.join(where, name) for name in ("floor.cpp", "streams.cpp")] + ["-lpcap"])
    tools.allocations = counter(c, where, out)
    say("tools/release")
    products = ["capture-generator", "trace-reader", "tap-cost", "causal-cost"] + ([] if goldwire else ["goldwire"])
    built = run([os.path.join(ROOT, "tools", "release")] + products).splitlines()[-1]
    tools.generator = os.path.join(built, "capture-generator")
    tools.reader = os.path.join(built, "trace-reader")
    tools.tap = os.path.join(built, "tap-cost")
    tools.causal = os.path.join(built, "causal-cost")
    tools.goldwire = os.path.abspath(goldwire) if goldwire else os.path.join(built, "goldwire")
    tools.version = run([tools.goldwire, "--version"])
    return tools


def counter(c, where, out):
    """A library that counts a program's calls of the allocator; nothing where the system's own cannot be replaced so."""
    if platform.system() != "Linux":
        return None
    path = os.path.join(out, "allocations.so")
    run([c, "-O2", "-shared", "-fPIC", "-o", path, os.path.join(where, "allocations.c")])
    return path


def capture(tools, size, seed, payload=180):
    """A capture of about so many MB, made once and kept; the path of it, its truth beside it."""
    name = f"{size}-{seed}-{payload}"
    path = os.path.join(folder("captures"), f"{name}.pcap")
    # Another generator makes another capture of the same name.
    stamp = str(os.path.getmtime(tools.generator))
    mark = path + ".stamp"
    if os.path.exists(mark) and open(mark, encoding="utf-8").read() == stamp:
        return path
    say(f"a capture of {size} MB")
    run([tools.generator, "-o", path, "--target-mb", str(size), "--seed", str(seed), "--payload", str(payload),
         "--connections", str(max(50, size * 8))])
    with open(mark, "w", encoding="utf-8") as file:
        file.write(stamp)
    return path


def truth(path):
    with open(path + ".truth.json", encoding="utf-8") as file:
        return json.load(file)


def machine():
    """The system and the kind of processor, and nothing that tells whose it is."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
