"""Event streams: Chromium's EventSource, httpx-sse and curl, cut and resumed with Last-Event-ID.

Chromium connects again after 3 s, or after what `retry:` said; a 204 makes it stop for good.
"""

import asyncio
import os
import shutil
import signal
import tempfile
import zlib

import httpx
from httpx_sse import aconnect_sse

from library.capture import CaptureError
from library.catalogue import scenario
from library.httppeer import HTTPPeer
from library.server import HOST, Server

PAGE = b"""<!doctype html><title>recipe</title><link rel="icon" href="data:,"><script>
const source = new EventSource("/events?token=FAKE-query-token");
source.onmessage = event => { document.title = event.lastEventId; };
source.onerror = () => { if (source.readyState === EventSource.CLOSED) fetch("/over", {method: "POST"}); };
</script>"""
EVENTS = {1: b"queued FAKE-event-token", 2: b"building", 3: b"finished"}
CHROMIUM = "Chromium, EventSource"
BROWSER = ["retry.count=0", "stream.delay=3s"]


def block(number):
    return b"id: %d\ndata: %s\n\n" % (number, EVENTS[number])


class Browser:
    """A headless Chromium with an empty profile, shown the page at that port, and no other network."""

    def __init__(self, port):
        self.port = port

    async def __aenter__(self):
        names = ["chromium", "chromium-browser", "google-chrome",
                 "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
        binary = next(filter(None, map(shutil.which, names)), None)
        if binary is None:
            raise CaptureError("Chromium is not installed; install it and run again")
        self.profile = tempfile.mkdtemp()
        self.process = await asyncio.create_subprocess_exec(
            binary, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
            "--disable-component-update", "--no-first-run", "--user-data-dir=" + self.profile,
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE " + HOST, "--remote-debugging-port=0",
            "http://%s:%d/" % (HOST, self.port), stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL, start_new_session=True)
        return self

    async def __aexit__(self, kind, value, trace):
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            await asyncio.wait_for(self.process.wait(), 10)
        finally:
            shutil.rmtree(self.profile, ignore_errors=True)


async def watch(port, streams):
    """Serves the page, then `streams` in order to its event source, then 204; ends when the page has stopped."""
    over = asyncio.Event()
    left = list(streams)

    async def serve(peer):
        while True:
            request = await peer.request()
            if request is None:
                peer.close()
            elif request.target == "/":
                await peer.respond("200 OK", "Content-Type: text/html", body=PAGE)
                continue
            elif request.target == "/over":
                await peer.respond("200 OK")
                over.set()
                continue
            elif left:
                if await left.pop(0)(peer, request.headers.get("last-event-id")):
                    continue
            else:
                await peer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
                continue
            return

    async with Server(port, serve, wrap=HTTPPeer):
        async with Browser(port):
            await over.wait()


@scenario("sse-chromium-cut-between", client=CHROMIUM, machines=["retry", "stream"], in_force=BROWSER,
          purpose="A stream ends after its first event; Chromium resumes it with Last-Event-ID, then gets 204.",
          shows="End of stream, retry: 400, resumption at the cursor, 204 stops for good: WHATWG HTML 9.2.3.")
async def chromium_cut_between(port):
    async def first(peer, cursor):
        assert cursor is None
        await peer.open_stream()
        await peer.write(b"retry: 400\n" + block(1))
        peer.close()

    async def second(peer, cursor):
        assert cursor == "1"
        await peer.open_stream(chunked=True)
        await peer.chunk(block(2) + b": comment with FAKE-comment-token\n\n")
        await peer.chunk(block(3))
        await peer.write(b"0\r\n\r\n")
        return True

    await watch(port, [first, second])


@scenario("sse-chromium-cut-inside", client=CHROMIUM, machines=["retry", "stream"], in_force=BROWSER,
          purpose="A chunked stream breaks off after the id line of its second event; Chromium resumes.",
          shows="An event without its blank line is dropped and does not move the cursor: WHATWG HTML 9.2.6.")
async def chromium_cut_inside(port):
    async def first(peer, cursor):
        assert cursor is None
        await peer.open_stream(chunked=True)
        await peer.chunk(b"retry: 300\n\n" + block(1))
        await peer.chunk(b"id: 2\ndata: buil")
        peer.close()

    async def second(peer, cursor):
        assert cursor == "1"
        await peer.open_stream(chunked=True)
        await peer.chunk(block(2) + block(3))
        await peer.write(b"0\r\n\r\n")
        return True

    await watch(port, [first, second])


@scenario("sse-chromium-default-delay", client=CHROMIUM, machines=["retry", "stream"], in_force=BROWSER,
          purpose="A stream without a retry field is reset in mid-event; Chromium waits its own three seconds.",
          shows="The default reconnection time, and a RST as the cause of a cut: WHATWG HTML 9.2.2.")
async def chromium_default_delay(port):
    async def first(peer, cursor):
        await peer.open_stream()
        await peer.write(block(1) + b"id: 2\nda")
        await asyncio.sleep(0.3)  # a RST may take bytes with it that the browser has not read yet
        peer.reset()

    async def second(peer, cursor):
        assert cursor == "1"
        await peer.open_stream(chunked=True)
        await peer.chunk(block(2))
        await peer.write(b"0\r\n\r\n")
        return True

    await watch(port, [first, second])


@scenario("sse-chromium-503", client=CHROMIUM, machines=["retry", "stream"], in_force=BROWSER,
          purpose="A compressed stream ends, and the reconnection is answered by 503 with Retry-After: 5.",
          shows="An event stream in gzip, flushed at each event; another status stops for good: WHATWG HTML 9.2.3.")
async def chromium_503(port):
    async def first(peer, cursor):
        packer = zlib.compressobj(wbits=31)
        await peer.open_stream("Content-Encoding: gzip", chunked=True)
        for text in [b"retry: 300\n" + block(1), block(2)]:
            await peer.chunk(packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH))
        await peer.chunk(packer.flush())
        await peer.write(b"0\r\n\r\n")
        return True

    async def second(peer, cursor):
        assert cursor == "2"
        await peer.respond("503 Service Unavailable", "Retry-After: 5", body=b"busy")
        return True

    await watch(port, [first, second])


@scenario("sse-curl-fixture", client="curl", machines=["retry", "stream"],
          in_force=["retry.count=0", "stream.delay=500ms"],
          purpose="curl reads a stream that is cut after one event, then another with Last-Event-ID: 1.",
          shows="Exactly event 1, then exactly 2 and 3; the first request is known as a stream by its response only.")
async def curl_fixture(port):
    async def serve(peer):
        request = await peer.request()
        last = int(request.headers.get("last-event-id", "0"))
        await peer.open_stream()
        for number in EVENTS:
            if number > last:
                await peer.write(block(number))
                if request.target.endswith("cut=1"):
                    break
        peer.close()

    async def curl(*arguments):
        process = await asyncio.create_subprocess_exec(
            "curl", "--no-buffer", "--silent", "--noproxy", "*", *arguments, stdout=asyncio.subprocess.PIPE)
        return (await process.communicate())[0]

    url = "http://%s:%d/events" % (HOST, port)
    async with Server(port, serve, wrap=HTTPPeer):
        assert await curl(url + "?cut=1") == block(1)
        await asyncio.sleep(0.5)
        assert await curl("-H", "Last-Event-ID: 1", url) == block(2) + block(3)


@scenario("sse-httpx-id-lines", client="httpx-sse 0.4.3", machines=["stream"],
          in_force=["stream.delay=500ms"],
          purpose="An httpx-sse client that connects again half a second after each end, with the last id it saw.",
          shows="CRLF, comments, multi-line data, an event without an id, a repeated id, a cut after an id line.")
async def httpx_id_lines(port):
    streams = [
        b": hello\r\n\r\nid: 1\r\nevent: state\r\ndata: queued\r\ndata: FAKE-second-line\r\n\r\n"
        b"data: carries the id over\r\n\r\nid: 2\r\n",
        b"id: 1\r\nevent: state\r\ndata: queued\r\ndata: FAKE-second-line\r\n\r\nid: 2\r\ndata: building\r\n\r\n",
        b"id: 3\r\ndata: finished\r\n\r\n",
    ]
    cursors = []

    async def serve(peer):
        request = await peer.request()
        cursors.append(request.headers.get("last-event-id"))
        await peer.open_stream()
        await peer.write(streams[len(cursors) - 1])
        peer.close()

    headers, last = {"Authorization": "Bearer FAKE-header-token"}, None
    async with Server(port, serve, wrap=HTTPPeer):
        async with httpx.AsyncClient(trust_env=False) as client:
            for attempt in range(len(streams)):
                if attempt:
                    await asyncio.sleep(0.5)
                if last:
                    headers["Last-Event-ID"] = last
                async with aconnect_sse(client, "GET", "http://%s:%d/events" % (HOST, port),
                                        headers=headers) as source:
                    async for event in source.aiter_sse():
                        last = event.id or last
    assert cursors == [None, "1", "2"], cursors


@scenario("sse-httpx-idle", client="httpx-sse 0.4.3", machines=["stream"],
          in_force=["stream.delay=500ms", "stream.idle=400ms"],
          purpose="A stream falls silent after an event and a comment; the client gives it up after 400 ms.",
          shows="Comments are life, and silence longer than the idle timeout reconnects: WHATWG HTML 9.2.7.")
async def httpx_idle(port):
    async def silent(peer):
        await peer.request()
        await peer.open_stream()
        await peer.write(block(1))
        await asyncio.sleep(0.3)
        await peer.write(b": keep-alive\n\n")
        await peer.until_closed()

    async def second(peer):
        assert (await peer.request()).headers.get("last-event-id") == "1"
        await peer.open_stream()
        await peer.write(block(2))
        peer.close()

    headers, last, timeout = {}, None, httpx.Timeout(5, read=0.4)
    async with httpx.AsyncClient(trust_env=False, timeout=timeout) as client:
        async with Server(port, silent, second, wrap=HTTPPeer):
            for attempt in range(2):
                if attempt:
                    await asyncio.sleep(0.5)
                    headers["Last-Event-ID"] = last
                try:
                    async with aconnect_sse(client, "GET", "http://%s:%d/events" % (HOST, port),
                                            headers=headers) as source:
                        async for event in source.aiter_sse():
                            last = event.id
                except httpx.ReadTimeout:
                    pass
    assert last == "2"
