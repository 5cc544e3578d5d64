"""The checks by name, and what all of them share: our server and our client as processes."""

import asyncio
import contextlib
import json
import os
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
GOLDWIRE = os.environ.get("GOLDWIRE", os.path.join(ROOT, ".build", "debug", "goldwire"))
LIVE = os.path.join(os.path.dirname(GOLDWIRE), "live-check")
SECRET = "hush-4711-0815"
ALL = {}


class Check:
    """One check: an async function that raises what is wrong."""

    def __init__(self, function, needs_browser):
        self.function, self.needs_browser = function, needs_browser


def check(function=None, *, needs_browser=False):
    """Adds a check under its function's name."""
    if function is None:
        return lambda function: check(function, needs_browser=needs_browser)
    ALL[function.__name__.replace("_", "-")] = Check(function, needs_browser)
    return function


def expect(truth, words):
    if not truth:
        raise AssertionError(words)


def same(got, want):
    expect(got == want, f"expected {want!r}, got {got!r}")


class Served:
    """Our server, while it runs, and what its trace says afterwards."""

    def __init__(self, process, port, path):
        self.process, self.port, self.path, self.trace = process, port, path, None

    def url(self, path="/", scheme="http"):
        return f"{scheme}://127.0.0.1:{self.port}{path}"

    def events(self, kind):
        return [line for line in self.trace if line.get("ev") == kind]


@contextlib.asynccontextmanager
async def serving(script):
    """Runs our server with a script, a name or a document; its trace is read once the block is left."""
    with tempfile.TemporaryDirectory() as folder:
        name, trace = script, os.path.join(folder, "trace.jsonl")
        if isinstance(script, dict):
            name = os.path.join(folder, "script.json")
            with open(name, "w", encoding="utf-8") as file:
                json.dump({"script": 1, **script}, file)
        process = await asyncio.create_subprocess_exec(
            GOLDWIRE, "serve", "--script", name, "--port", "0", "-w", trace,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        line = (await process.stdout.readline()).decode()
        if "127.0.0.1:" not in line:
            raise AssertionError("the server did not start: " + (await process.stderr.read()).decode().strip())
        served = Served(process, int(line.rsplit(":", 1)[1].strip().rstrip("/")), trace)
        try:
            yield served
        finally:
            if process.returncode is None:
                process.terminate()
            _, errors = await process.communicate()
            served.trace = read(trace)
        expect(process.returncode == 0, f"the server ended with {process.returncode}: {errors.decode().strip()}")


def read(path):
    """A trace's lines; a secret in it is a failure."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    expect(SECRET not in text, "a secret is in the trace")
    return [json.loads(line) for line in text.splitlines()]


async def drive(*words):
    """Runs our drivers' client; gives what it printed, a JSON object a line, and its trace."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "tap.jsonl")
        process = await asyncio.create_subprocess_exec(
            LIVE, "client", *map(str, words), "--tap", trace,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        out, errors = await process.communicate()
        expect(process.returncode == 0, f"the client ended with {process.returncode}: {errors.decode().strip()}")
        expect(SECRET not in out.decode(), "a secret is in the log")
        return [json.loads(line) for line in out.decode().splitlines()], read(trace)


async def same_as_replayed(trace):
    """Holds a tap's trace against the machine: what was done must be what a replay says."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for line in trace:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
        file.flush()
        process = await asyncio.create_subprocess_exec(
            GOLDWIRE, "conform", file.name, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        out, _ = await process.communicate()
        # 3 is for sessions in which the client had nothing to do by itself.
        expect(process.returncode in (0, 3), "the replay differs: " + out.decode())
