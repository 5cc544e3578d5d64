"""Chromium against our server: its WebSocket and its EventSource, asked through its debugging protocol."""

import asyncio
import contextlib
import json
import shutil
import tempfile

import websockets.asyncio.client

from .checks import SECRET, check, expect, same, serving


def installed():
    return shutil.which("chromium") is not None


class Page:
    """An empty page in which expressions are evaluated."""

    def __init__(self, socket):
        self.socket, self.count = socket, 0

    async def call(self, method, session=None, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        await self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(await self.socket.recv())
            if answer.get("id") == self.count:
                expect("error" not in answer, f"{method}: {answer.get('error')}")
                return answer["result"]

    async def evaluate(self, expression):
        """The value of a promise."""
        target = (await self.call("Target.createTarget", url="about:blank"))["targetId"]
        session = (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        result = await self.call("Runtime.evaluate", session=session, expression=expression, awaitPromise=True,
                                 returnByValue=True)
        expect("exceptionDetails" not in result, f"the page failed: {result.get('exceptionDetails')}")
        return result["result"]["value"]


@contextlib.asynccontextmanager
async def page():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-web-security", "--no-first-run",
            "--no-proxy-server", "--disable-background-networking", f"--user-data-dir={profile}",
            "--remote-debugging-port=0", "about:blank",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE)
        try:
            address = None
            while address is None:
                line = (await process.stderr.readline()).decode()
                expect(line, "Chromium ended before it listened")
                if line.startswith("DevTools listening on "):
                    address = line.split()[-1]
            drain = asyncio.create_task(process.stderr.read())
            async with websockets.asyncio.client.connect(address, proxy=None, max_size=None) as socket:
                yield Page(socket)
            drain.cancel()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


SOCKET = """new Promise((done) => {
  const seen = [];
  const socket = new WebSocket(ADDRESS);
  socket.onopen = () => { seen.push("open"); socket.send("SECRET"); };
  socket.onmessage = (message) => { seen.push(message.data === "SECRET" ? "echo" : "other"); };
  socket.onclose = (close) => { seen.push(close.code); done(seen); };
})"""

SOURCE = """new Promise((done) => {
  const seen = [];
  const source = new EventSource(ADDRESS);
  source.onmessage = (event) => {
    seen.push([event.lastEventId, event.data]);
    if (seen.length === COUNT) { source.close(); done(seen); }
  };
})"""


def script(text, address, count=0):
    return text.replace("ADDRESS", json.dumps(address)).replace("SECRET", SECRET).replace("COUNT", str(count))


@check(needs_browser=True)
async def chromium_web_socket():
    """A browser opens, gets its message back, and hears the close's code."""
    rules = [{"path": "*", "websocket": {"messages": "echo", "steps": [{"message": 1, "after": "30ms", "close": 4001}]}}]
    async with serving({"rules": rules}) as served, page() as browser:
        same(await browser.evaluate(script(SOCKET, served.url("/chat", "ws"))), ["open", "echo", 4001])
    same(len(served.events("ws.open")), 1)


@check(needs_browser=True)
async def chromium_event_source():
    """A browser that was cut resumes after the last id: each event comes once, in order."""
    events = [{"id": str(number), "data": f"event {number}"} for number in range(1, 7)]
    streams = [{"events": [{"retry": 20}, *events], "cut": 2}, {"events": events, "cut": 2, "inside": 9},
               {"events": events}]
    async with serving({"rules": [{"path": "*", "events": streams}]}) as served, page() as browser:
        seen = await browser.evaluate(script(SOURCE, served.url("/events"), 6))
        same(seen, [[str(number), f"event {number}"] for number in range(1, 7)])
    cursors = [line.get("cursor") for line in served.events("sse.connect")]
    same(len(cursors), 3)
    expect(cursors[0] is None and cursors[1] and cursors[2], f"the cursors were {cursors}")


@check(needs_browser=True)
async def chromium_event_source_splits():
    """Characters and line ends that are cut between segments arrive whole."""
    blocks = [{"id": "1", "data": "naïve", "split": "character"}, {"id": "2", "data": "日本語", "split": "bytes"},
              {"id": "3", "data": "end", "lineEnd": "crlf", "split": "lineEnd"}]
    async with serving({"rules": [{"path": "*", "events": {"events": blocks, "end": "open"}}]}) as served:
        async with page() as browser:
            seen = await browser.evaluate(script(SOURCE, served.url("/events"), 3))
            same(seen, [["1", "naïve"], ["2", "日本語"], ["3", "end"]])
