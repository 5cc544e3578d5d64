"""Clients whose settings are to be told from what they do, by peers that let nothing explain it otherwise.

Pongs come after delays of many lengths, so that it shows from what a client counts; in the end no pong comes,
so that its timeout shows. Two of the clients do what no parameter of a machine says.
"""

import asyncio

import urllib3

from library.catalogue import scenario
from library.httppeer import HTTPPeer
from library.server import HOST, Server
from library.wspeer import PING, PONG, TEXT, WebSocketPeer
from scenarios.heartbeat import AIOHTTP, SECRETS, WEBSOCKETS, keepalive, read_on
from scenarios.retry import URLLIB3, call

import aiohttp

DELAYS = [0.02, 0.2, 0.06, 0.15, 0.0, 0.24, 0.1]


async def answer_slowly(peer):
    for delay in DELAYS:
        ping = await peer.expect(PING)
        if ping is None:
            return
        await asyncio.sleep(delay)
        await peer.send(PONG, ping.payload)
    await peer.stay_silent()


@scenario("ws-keepalive-slow-pongs", client=WEBSOCKETS, machines=["heartbeat"],
          in_force=["heartbeat.interval=400ms", "heartbeat.timeout=300ms", "heartbeat.cadence=fixed"],
          purpose="Pongs come after delays of many lengths, then none: websockets beats from ping to ping.",
          shows="A fixed cadence is told from one that counts from pongs by the delays alone: RFC 6455 5.5.2.")
async def keepalive_slow_pongs(port):
    async def serve(peer):
        await peer.accept()
        await answer_slowly(peer)

    async with Server(port, serve, wrap=WebSocketPeer):
        async with keepalive(port, ping_interval=0.4, ping_timeout=0.3) as client:
            await read_on(client)


async def beat_with_aiohttp(port):
    url = "http://%s:%d/live?token=FAKE-query-token" % (HOST, port)
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(url, heartbeat=0.6, headers=SECRETS) as client:
            async for _ in client:
                pass


@scenario("ws-aiohttp-slow-pongs", client=AIOHTTP, machines=["heartbeat"],
          in_force=["heartbeat.interval=600ms", "heartbeat.timeout=300ms", "heartbeat.cadence=afterPong"],
          purpose="Pongs come after delays of many lengths, then none: aiohttp beats from pong to ping.",
          shows="A cadence that counts from pongs, and a timeout of half the interval: RFC 6455 5.5.2.")
async def aiohttp_slow_pongs(port):
    async def serve(peer):
        await peer.accept()
        await answer_slowly(peer)

    async with Server(port, serve, wrap=WebSocketPeer):
        await beat_with_aiohttp(port)


@scenario("ws-aiohttp-messages", client=AIOHTTP, machines=["heartbeat"],
          in_force=["heartbeat.interval=600ms", "heartbeat.timeout=300ms", "heartbeat.cadence=afterPong"],
          purpose="Messages come between the pings: aiohttp begins to count anew with each of them.",
          shows="A heartbeat that whatever comes in puts off departs from the machine, whose pings are late then.")
async def aiohttp_messages(port):
    async def serve(peer):
        await peer.accept()
        for pause in [0.35, 0.5, 0.42, 0.3]:
            await asyncio.sleep(pause)
            await peer.send(TEXT, b'{"note":"FAKE-message-token"}')
            ping = await peer.expect(PING)
            await peer.send(PONG, ping.payload)
        await peer.stay_silent()

    async with Server(port, serve, wrap=WebSocketPeer):
        await beat_with_aiohttp(port)


@scenario("http-retry-urllib3-backoff", client=URLLIB3, machines=["retry"],
          in_force=["retry.base=200ms", "retry.factor=2", "retry.count=4", "retry.cap=120s"],
          purpose="An unchanged urllib3.Retry with a backoff and a jitter, three requests that are answered by 503.",
          shows="The first repetition comes at once, which the machine never allows; then the waits double.")
async def urllib3_backoff(port):
    async def serve(peer):
        while await peer.request() is not None:
            await peer.respond("503 Service Unavailable", body=b'{"note":"FAKE-body-token"}', date=False)
        await peer.until_closed()

    async with Server(port, serve, wrap=HTTPPeer):
        retries = urllib3.Retry(total=4, status_forcelist=[503], backoff_factor=0.1, backoff_jitter=0.02,
                                raise_on_status=False)
        for item in range(3):
            assert await call(port, retries, target="/v1/items/%d?key=FAKE-query-key" % item) == 503
