"""Recordings that see only a part, or several things at once: begun late, ended early, cut packets, two channels."""

import asyncio

from library.catalogue import scenario
from library.server import Server
from library.wspeer import TEXT, WebSocketPeer

from .heartbeat import FIXED, WEBSOCKETS, keepalive, read_on


@scenario("ws-joined-midway", client=WEBSOCKETS, machines=["heartbeat"], within=True,
          in_force=["heartbeat.interval=300ms", "heartbeat.timeout=5s", "heartbeat.cadence=fixed"],
          purpose="The recording begins after two answered pings and ends before the connection does.",
          shows="An attached connection is in step from the next outgoing ping on, and its end is a horizon.")
async def joined_midway(port, recording):
    async def serve(peer):
        await peer.accept()
        await peer.answer_pings(2)
        await asyncio.get_running_loop().run_in_executor(None, recording.__enter__)
        await peer.send(TEXT, b"FAKE-text-in-the-middle")
        await peer.answer_pings(3)
        await asyncio.get_running_loop().run_in_executor(None, recording.__exit__, None, None, None)
        await peer.finish(1001)

    async with Server(port, serve, wrap=WebSocketPeer):
        async with keepalive(port, ping_timeout=5) as client:
            await read_on(client)


@scenario("ws-snaplen-cut", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED, snaplen=600,
          purpose="Packets are cut at 600 bytes, so that a long message between two beats is not whole.",
          shows="A hole is a rec.gap, and decoding goes on only where it safely can; nothing is guessed.")
async def snaplen_cut(port):
    async def serve(peer):
        await peer.accept()
        await peer.answer_pings(1)
        await peer.send(TEXT, b"FAKE-long-text " * 80)
        await peer.answer_pings(2)
        await peer.finish(1001)

    async with Server(port, serve, wrap=WebSocketPeer):
        async with keepalive(port) as client:
            await read_on(client)


@scenario("ws-two-channels-ipv6", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="Over IPv6, two WebSockets to two paths of one server at the same time; one of them is reset.",
          shows="A channel is client, server endpoint and path; the end of one is nothing to the other.")
async def two_channels_ipv6(port):
    both = asyncio.Event()

    async def one(peer):
        await peer.accept()
        await both.wait()
        await peer.answer_pings(1)
        peer.reset()

    async def other(peer):
        await peer.accept()
        both.set()
        await peer.answer_pings(2)
        await peer.finish(1000)

    async def hold(path):
        async with keepalive(port, "[::1]", path) as client:
            await read_on(client)

    async with Server(port, one, other, wrap=WebSocketPeer, host="::1"):
        first = asyncio.ensure_future(hold("/chat"))
        await asyncio.sleep(0.1)
        await asyncio.gather(first, hold("/news"))
