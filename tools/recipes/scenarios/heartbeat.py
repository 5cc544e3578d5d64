"""WebSocket clients with a heartbeat, and servers that answer, are late, fall silent or go away.

The keepalive of `websockets` sends its next ping one interval after the previous one (it subtracts the
latency from its sleep), and fails the connection with a Close 1011 when a pong is late: cadence `fixed`.
aiohttp starts anew with whatever it receives, here pongs alone: cadence `afterPong`, and its timeout is
half the interval; it ends by closing the socket without a Close frame.
"""

import asyncio
import json
import logging

import aiohttp
from gql.transport.websockets import WebsocketsTransport
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from library.catalogue import scenario
from library.server import HOST, Server
from library.wspeer import PING, PONG, TEXT, WebSocketPeer

for name in ("websockets", "gql"):
    logging.getLogger(name).setLevel(logging.CRITICAL)

WEBSOCKETS = "websockets 17.4"
AIOHTTP = "aiohttp 3.14.5"
FIXED = ["heartbeat.interval=300ms", "heartbeat.timeout=200ms", "heartbeat.cadence=fixed"]
AFTER_PONG = ["heartbeat.interval=400ms", "heartbeat.timeout=200ms", "heartbeat.cadence=afterPong"]
SECRETS = {"Authorization": "Bearer FAKE-handshake-token", "Cookie": "sid=FAKE-cookie-value"}


def keepalive(port, host=HOST, path="/chat", **options):
    """A client that beats as FIXED says."""
    settings = dict(ping_interval=0.3, ping_timeout=0.2, close_timeout=0.3, proxy=None, compression=None,
                    additional_headers=SECRETS)
    settings.update(options)
    return connect("ws://%s:%d%s?key=FAKE-query-key" % (host, port, path), **settings)


async def read_on(client):
    """Receives until the connection is over, and swallows how it ended."""
    try:
        async for _ in client:
            pass
    except ConnectionClosed:
        pass


@scenario("ws-keepalive-answered", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="A client with a keepalive whose server answers every ping at once; the client then closes.",
          shows="Ping, Pong with the same payload and a clean closing handshake: RFC 6455 5.5.2, 5.5.3, 7.1.2.")
async def answered(port):
    async def serve(peer):
        await peer.accept()
        await peer.send(TEXT, b'{"type":"welcome","token":"FAKE-message-token"}')
        await peer.answer_pings(3)
        await peer.send(TEXT, b"enough")
        await peer.finish()

    async with Server(port, serve, wrap=WebSocketPeer):
        async with keepalive(port) as client:
            while await client.recv() != "enough":
                await client.send("FAKE-text-from-the-client")


@scenario("ws-keepalive-late-pong", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="The server answers its second ping 150 ms after the client's deadline.",
          shows="A late pong saves nothing: Close 1011 once, at the deadline, and the pong after it is ignored.")
async def late_pong(port):
    async def serve(peer):
        await peer.accept()
        await peer.answer_pings(1)
        ping = await peer.expect(PING)
        await asyncio.sleep(0.35)
        await peer.send(PONG, ping.payload)
        await peer.finish()

    async with Server(port, serve, wrap=WebSocketPeer):
        async with keepalive(port, close_timeout=1) as client:
            await read_on(client)


@scenario("ws-keepalive-silent", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="The server answers one ping, then falls silent, while its kernel still acknowledges.",
          shows="Silence is found by the heartbeat alone; the closing handshake cannot finish (RFC 6455 7.1.1).")
async def silent(port):
    async def serve(peer):
        await peer.accept()
        await peer.answer_pings(1)
        await peer.stay_silent()

    async with Server(port, serve, wrap=WebSocketPeer):
        async with keepalive(port) as client:
            await read_on(client)


@scenario("ws-server-going-away", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="The server closes with 1001 after two answered pings.",
          shows="A Close from the peer ends the generation as peerClosed with its code: RFC 6455 7.4.1.")
async def going_away(port):
    async def serve(peer):
        await peer.accept()
        await peer.answer_pings(2)
        await peer.finish(1001)

    async with Server(port, serve, wrap=WebSocketPeer):
        async with keepalive(port) as client:
            await read_on(client)


@scenario("ws-server-reset", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="The server resets the connection (linger 0) on the second ping, without a Close frame.",
          shows="A RST ends the generation as reset, not as a pong timeout (RFC 9293 3.10.7.4).")
async def reset(port):
    async def serve(peer):
        await peer.accept()
        await peer.answer_pings(1)
        await peer.expect(PING)
        peer.reset()

    async with Server(port, serve, wrap=WebSocketPeer):
        async with keepalive(port) as client:
            await read_on(client)


@scenario("ws-aiohttp-heartbeat", client=AIOHTTP, machines=["heartbeat"], in_force=AFTER_PONG,
          purpose="An aiohttp client with heartbeat=0.4 whose pings are answered 50 ms late, three times.",
          shows="Pings with an empty payload, each an interval after the last pong; the server then closes.")
async def aiohttp_heartbeat(port):
    async def serve(peer):
        await peer.accept()
        for _ in range(3):
            ping = await peer.expect(PING)
            await asyncio.sleep(0.05)
            await peer.send(PONG, ping.payload)
        await peer.expect(PING)
        await peer.finish(1000)

    async with Server(port, serve, wrap=WebSocketPeer):
        await beat_with_aiohttp(port)


@scenario("ws-aiohttp-silent", client=AIOHTTP, machines=["heartbeat"], in_force=AFTER_PONG,
          purpose="An aiohttp client whose server falls silent after one pong.",
          shows="The client's own close is a FIN without a Close frame, at half the interval after the ping.")
async def aiohttp_silent(port):
    async def serve(peer):
        await peer.accept()
        await peer.answer_pings(1)
        await peer.stay_silent()

    async with Server(port, serve, wrap=WebSocketPeer):
        await beat_with_aiohttp(port)


async def beat_with_aiohttp(port):
    url = "http://%s:%d/live?token=FAKE-query-token" % (HOST, port)
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(url, heartbeat=0.4, headers=SECRETS) as client:
            async for _ in client:
                pass


@scenario("ws-graphql-ping", client="gql 4.4.0", machines=["heartbeat"], options=["--beats", "graphql-ws"],
          in_force=["heartbeat.interval=400ms", "heartbeat.timeout=200ms", "heartbeat.cadence=afterPong"],
          purpose="A GraphQL client whose pings are messages; the server answers two, asks once itself, falls silent.",
          shows="Application-level heartbeats, marked by their preset: graphql-transport-ws, Ping and Pong.")
async def graphql_ping(port):
    async def beat(peer):
        while True:
            frame = await peer.expect(TEXT)
            if json.loads(frame.payload)["type"] == "ping":
                return

    async def serve(peer):
        await peer.accept("Sec-WebSocket-Protocol: graphql-transport-ws")
        await peer.expect(TEXT)
        await peer.send(TEXT, b'{"type":"connection_ack","payload":{"token":"FAKE-message-token"}}')
        await beat(peer)
        await peer.send(TEXT, b'{"type":"pong"}')
        await peer.send(TEXT, b'{"type":"ping"}')
        await beat(peer)
        await asyncio.sleep(0.05)
        await peer.send(TEXT, b'{"type":"pong","payload":{"note":"FAKE-payload"}}')
        await peer.stay_silent()

    async with Server(port, serve, wrap=WebSocketPeer):
        transport = WebsocketsTransport(
            "ws://%s:%d/graphql" % (HOST, port), headers=SECRETS, ping_interval=0.4, pong_timeout=0.2,
            close_timeout=0.3, init_payload={"Authorization": "Bearer FAKE-init-token"},
            connect_args={"ping_interval": None, "proxy": None, "compression": None, "close_timeout": 0.3})
        await transport.connect()
        await transport.wait_closed()


@scenario("ws-late-close-of-old", client=WEBSOCKETS, machines=["heartbeat"],
          in_force=["heartbeat.interval=300ms", "heartbeat.timeout=200ms", "heartbeat.cadence=afterPong"],
          purpose="The old socket's last message, Close and FIN arrive after its successor is open and beats.",
          shows="News of a retired generation never changes the new one; one close for each failure.")
async def late_close_of_old(port):
    replaced = asyncio.Event()

    async def old(peer):
        await peer.accept()
        await peer.answer_pings(1)
        await peer.expect(PING)
        await replaced.wait()
        await peer.send(TEXT, b"still here, FAKE-late-text")
        await peer.finish()

    async def new(peer):
        await peer.accept()
        await peer.answer_pings(1)
        replaced.set()
        await peer.answer_pings(1)
        await peer.finish(1000)

    async with Server(port, old, new, wrap=WebSocketPeer):
        first = await keepalive(port, ping_interval=None, close_timeout=3)
        await beat_until_late(first)
        parting = asyncio.ensure_future(first.close(1001, "no pong"))
        while first.state is State.OPEN:
            await asyncio.sleep(0)
        second = await keepalive(port, ping_interval=None)
        beating = asyncio.ensure_future(beat_until_late(second))
        await read_on(second)
        beating.cancel()
        await parting


async def beat_until_late(client):
    """The heartbeat of an application: an interval after the open and after each pong, until one is late."""
    try:
        while True:
            await asyncio.sleep(0.3)
            await asyncio.wait_for(await client.ping(), 0.2)
    except (asyncio.TimeoutError, ConnectionClosed):
        pass
