"""Our drivers against other servers."""

import asyncio
import contextlib
import socket as sockets

import aiohttp.web
import websockets.asyncio.server

from .checks import SECRET, check, drive, expect, same, same_as_replayed

HEARTBEAT = ["--interval", "100ms", "--timeout", "150ms"]


def ends(log):
    return [line for line in log if line["event"] == "ended"]


def pongs(trace):
    return [line for line in trace if line.get("ev") == "ws.pong" and line["dir"] == "in"]


async def driven(url, *words):
    log, trace = await drive("heartbeat", "--url", url, *HEARTBEAT, *words)
    await same_as_replayed(trace)
    return log, trace


@contextlib.asynccontextmanager
async def proxy(port, delay):
    """Holds what the server sends back for so many seconds."""
    async def pump(reader, writer, pause):
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                await asyncio.sleep(pause)
                writer.write(data)
                await writer.drain()
            writer.write_eof()

    async def handle(reader, writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(pump(reader, far_writer, 0), pump(far_reader, writer, delay))
        far_writer.close()
        writer.close()

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


@contextlib.asynccontextmanager
async def talking(closes=None):
    """A server of `websockets` that sends a message every 50 ms, and closes after so many if asked to."""
    async def handle(connection):
        with contextlib.suppress(websockets.ConnectionClosed):
            number = 0
            while closes is None or number < closes:
                number += 1
                await connection.send(f"{number} {SECRET}")
                await asyncio.sleep(0.05)
            await connection.close(4002, SECRET)

    async with websockets.asyncio.server.serve(handle, "127.0.0.1", 0, ping_interval=None) as server:
        yield server.sockets[0].getsockname()[1]


@check
async def driver_and_websockets_answer():
    """Pings are answered, and messages go on coming after them."""
    async with talking() as port:
        log, trace = await driven(f"ws://127.0.0.1:{port}/?token={SECRET}", "--pings", 4)
    same([line["cause"] for line in ends(log)], ["userClosed"])
    expect(len(pongs(trace)) >= 3, "too few pongs")
    last = max(line["t"] for line in pongs(trace)[:3])
    expect(any(line["t"] > last for line in trace if line.get("ev") == "ws.message"), "no message after a pong")


@check
async def driver_and_websockets_answer_late():
    """An answer within the timeout keeps the connection, one beyond it closes it."""
    async with talking() as port, proxy(port, 0.06) as slow:
        log, trace = await driven(f"ws://127.0.0.1:{slow}/", "--pings", 3)
        same([line["cause"] for line in ends(log)], ["userClosed"])
        expect(len(pongs(trace)) >= 2, "too few pongs")
    async with talking() as port, proxy(port, 0.4) as slower:
        log, _ = await driven(f"ws://127.0.0.1:{slower}/", "--pings", 9)
        same([line["cause"] for line in ends(log)], ["pongTimeout"])


@check
async def driver_and_websockets_close():
    """A close by the server has its cause and its code."""
    async with talking(closes=3) as port:
        log, trace = await driven(f"ws://127.0.0.1:{port}/", "--pings", 9)
    same([line["cause"] for line in ends(log)], ["peerClosed"])
    same([line.get("code") for line in trace if line.get("ev") == "ws.close" and line["dir"] == "in"], [4002])


@check
async def driver_fails_to_connect():
    """A port at which nobody listens is a refused connection."""
    with sockets.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        log, trace = await driven(f"ws://127.0.0.1:{closed.getsockname()[1]}/", "--pings", 1)
    same([line["cause"] for line in ends(log)], ["refused"])
    same([line["cause"] for line in trace if line.get("ev") == "ws.refused"], ["refused"])


@contextlib.asynccontextmanager
async def aiohttp_server(handler):
    application = aiohttp.web.Application()
    application.router.add_get("/chat", handler)
    runner = aiohttp.web.AppRunner(application)
    await runner.setup()
    site = aiohttp.web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def answering(delay):
    """A handler that answers pings by itself after so many seconds, and sends a message after each."""
    async def handle(request):
        response = aiohttp.web.WebSocketResponse(autoping=False)
        await response.prepare(request)
        async for message in response:
            if message.type == aiohttp.WSMsgType.PING:
                await asyncio.sleep(delay)
                with contextlib.suppress(ConnectionResetError):
                    await response.pong(message.data)
                    await response.send_str(SECRET)
        return response

    return handle


@check
async def driver_and_aiohttp_answer():
    """The same against another server, whose answers come late but in time."""
    async with aiohttp_server(answering(0.05)) as port:
        log, trace = await driven(f"ws://127.0.0.1:{port}/chat", "--pings", 4)
    same([line["cause"] for line in ends(log)], ["userClosed"])
    expect(len([line for line in trace if line.get("ev") == "ws.message"]) >= 3, "too few messages")


@check
async def driver_and_aiohttp_answer_too_late():
    """An answer that comes after the timeout closes the connection, once."""
    async with aiohttp_server(answering(0.5)) as port:
        log, _ = await driven(f"ws://127.0.0.1:{port}/chat", "--pings", 4)
    same([line["cause"] for line in ends(log)], ["pongTimeout"])


@check
async def driver_and_aiohttp_close():
    """A server that leaves says why."""
    async def handle(request):
        response = aiohttp.web.WebSocketResponse()
        await response.prepare(request)
        await response.close(code=1001, message=SECRET.encode())
        return response

    async with aiohttp_server(handle) as port:
        log, _ = await driven(f"ws://127.0.0.1:{port}/chat", "--pings", 4)
    same([line["cause"] for line in ends(log)], ["peerClosed"])


@check
async def driver_and_aiohttp_refuse():
    """A handshake that gets another status is refused."""
    async with aiohttp_server(answering(0)) as port:
        log, trace = await driven(f"ws://127.0.0.1:{port}/elsewhere", "--pings", 1)
    same([line["cause"] for line in ends(log)], ["refused"])
    same([line.get("status") for line in trace if line.get("ev") == "ws.refused"], [404])
