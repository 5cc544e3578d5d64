"""Other clients against our server."""

import asyncio
import time

import aiohttp
import httpx
import httpx_sse
import urllib3
import websockets
import websockets.asyncio.client

from .checks import SECRET, check, expect, same, serving

SECRETS = {"Authorization": "Bearer " + SECRET, "Cookie": "session=" + SECRET}


def connect(served, path="/chat", **words):
    return websockets.asyncio.client.connect(
        served.url(path + "?token=" + SECRET, "ws"), additional_headers=SECRETS, proxy=None, ping_interval=None,
        **words)


@check
async def websockets_client_talks():
    """A ping gets its own payload back, messages are echoed, and a closing handshake ends it."""
    script = {"rules": [{"path": "*", "websocket": {"messages": "echo"}}]}
    async with serving(script) as served:
        async with connect(served) as socket:
            expect(await (await socket.ping(SECRET.encode())) >= 0, "no round trip")
            await socket.send("text " + SECRET)
            same(await socket.recv(), "text " + SECRET)
            await socket.send(bytes(70_000))
            same(await socket.recv(), bytes(70_000))
        same(socket.close_code, 1000)
    same(len(served.events("ws.open")), 1)
    same([line["dir"] for line in served.events("ws.close")], ["out", "in"])


@check
async def websockets_client_is_closed():
    """A close by the server reaches the client with its code."""
    script = {"rules": [{"path": "*", "websocket": {"steps": [{"at": "10ms", "close": 1001}]}}]}
    async with serving(script) as served:
        async with connect(served) as socket:
            try:
                await socket.recv()
                raise AssertionError("a message came")
            except websockets.ConnectionClosed as closed:
                same(closed.rcvd.code, 1001)


@check
async def websockets_client_is_refused():
    """A handshake that is refused shows its status."""
    script = {"rules": [{"path": "*", "websocket": {"open": {"status": 403}}}]}
    async with serving(script) as served:
        try:
            await connect(served)
            raise AssertionError("it was accepted")
        except websockets.InvalidStatus as refused:
            same(refused.response.status_code, 403)
    same([line["status"] for line in served.events("ws.refused")], [403])


@check
async def websockets_client_misses_a_pong():
    """A client that pings by itself gives up when its pong is dropped."""
    script = {"rules": [{"path": "*", "websocket": {"pongs": [{}, {"do": "drop"}]}}]}
    async with serving(script) as served:
        try:
            async with websockets.asyncio.client.connect(
                    served.url("/chat", "ws"), proxy=None, ping_interval=0.1, ping_timeout=0.2) as socket:
                await socket.recv()
            raise AssertionError("it did not give up")
        except websockets.ConnectionClosed as closed:
            same(closed.sent.code, 1011)
    expect(len(served.events("ws.ping")) >= 2, "too few pings")


@check
async def aiohttp_client_talks():
    """Heartbeats of another client are answered, and messages go both ways."""
    script = {"rules": [{"path": "*", "websocket": {"messages": "echo", "steps": [{"at": "5ms", "ping": 4}]}}]}
    async with serving(script) as served:
        async with aiohttp.ClientSession(headers=SECRETS) as session:
            async with session.ws_connect(served.url("/chat", "ws"), heartbeat=0.2) as socket:
                for number in range(5):
                    await socket.send_str(f"{number} {SECRET}")
                    same(await socket.receive_str(timeout=5), f"{number} {SECRET}")
                # It pings where nothing came for a while.
                while_quiet = asyncio.create_task(socket.receive())
                await asyncio.sleep(0.5)
                while_quiet.cancel()
    expect(any(line["dir"] == "out" for line in served.events("ws.ping")), "no ping of the client")
    expect(any(line["dir"] == "out" for line in served.events("ws.pong")), "no pong of the client")


@check
async def urllib3_client_waits():
    """A client that honours Retry-After sends again after it, in either form of it."""
    answers = [{"status": 503, "retryAfter": 1}, {"status": 429, "retryAfter": {"in": "2s"}}, {"body": 5}]
    async with serving({"rules": [{"path": "*", "http": answers}]}) as served:
        def ask():
            retries = urllib3.Retry(total=3, status_forcelist=[429, 503], respect_retry_after_header=True)
            with urllib3.PoolManager(headers=SECRETS) as pool:
                return pool.request("GET", served.url("/jobs?token=" + SECRET), retries=retries).status

        start = time.monotonic()
        same(await asyncio.to_thread(ask), 200)
        expect(time.monotonic() - start > 1.9, "it did not wait")
    same([line["try"] for line in served.events("http.send")], [1, 2, 3])


@check
async def httpx_sse_client_resumes():
    """A client that asks again with the last id gets the events after it."""
    async with serving("events") as served:
        async with httpx.AsyncClient(trust_env=False, headers=SECRETS) as client:
            ids = []
            async with httpx_sse.aconnect_sse(client, "GET", served.url("/events?cut=1")) as source:
                ids += [event.id async for event in source.aiter_sse()]
            same(ids, ["1"])
            headers = {"Last-Event-ID": "1"}
            async with httpx_sse.aconnect_sse(client, "GET", served.url("/events"), headers=headers) as source:
                found = [(event.id, event.data) async for event in source.aiter_sse()]
            same(found, [("2", "building"), ("3", "finished")])
    same(len(served.events("sse.connect")), 2)


@check
async def curl_sees_the_events():
    """The events that are built in come as they always did."""
    async def curl(*words):
        process = await asyncio.create_subprocess_exec("curl", "-Ns", *words, stdout=asyncio.subprocess.PIPE)
        out, _ = await process.communicate()
        return out.decode()

    async with serving("events") as served:
        same(await curl(served.url("/events?cut=1")), "id: 1\ndata: queued\n\n")
        same(await curl("-H", "Last-Event-ID: 1", served.url("/events")),
             "id: 2\ndata: building\n\nid: 3\ndata: finished\n\n")
        status = ["-o", "/dev/null", "-w", "%{http_code} %{content_type}"]
        same(await curl("-H", "Last-Event-ID: 3", *status, served.url("/events")),
             "200 text/event-stream; charset=utf-8")
        expect((await curl("-H", "Last-Event-ID: x", *status, served.url("/events"))).startswith("400"), "no 400")
        expect((await curl(*status, served.url("/other"))).startswith("404"), "no 404")
