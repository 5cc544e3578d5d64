"""WebSocket connections that are refused before they exist, by the kernel or by the server, and then succeed."""

import asyncio

from websockets.exceptions import InvalidStatus

from library.catalogue import scenario
from library.server import Server
from library.wspeer import WebSocketPeer

from .heartbeat import FIXED, WEBSOCKETS, keepalive, read_on

DELAY = 0.25  # seconds that these clients leave between two attempts


async def beat_once_and_leave(peer):
    await peer.accept()
    await peer.answer_pings(1)
    await peer.finish(1001)


async def attempt(port):
    """One connection, held until it ends; False if it was refused."""
    try:
        async with keepalive(port) as client:
            await read_on(client)
        return True
    except (ConnectionRefusedError, InvalidStatus):
        return False


@scenario("ws-refused-then-open", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="The first connection is refused by the kernel, the second is opened and beats.",
          shows="A refusal with no earlier connection to belong to: SYN answered by RST (RFC 9293 3.10.7.1).")
async def refused_then_open(port):
    assert not await attempt(port)
    await asyncio.sleep(DELAY)
    async with Server(port, beat_once_and_leave, wrap=WebSocketPeer):
        assert await attempt(port)


@scenario("ws-refused-reconnect", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="A server goes away with 1001, refuses the first reconnection, and accepts the second.",
          shows="Three generations of one session, the middle one refused before it was open.")
async def refused_reconnect(port):
    async with Server(port, beat_once_and_leave, wrap=WebSocketPeer):
        assert await attempt(port)
    await asyncio.sleep(DELAY)
    assert not await attempt(port)
    await asyncio.sleep(DELAY)
    async with Server(port, beat_once_and_leave, wrap=WebSocketPeer):
        assert await attempt(port)


@scenario("ws-upgrade-503", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="The upgrade is answered by 503 with Retry-After: 1; a second later it succeeds.",
          shows="A handshake answered by a status is ws.refused with that status: RFC 6455 4.1, RFC 9110 15.6.4.")
async def upgrade_503(port):
    async def busy(peer):
        await peer.refuse("503 Service Unavailable", "Retry-After: 1")

    async with Server(port, busy, beat_once_and_leave, wrap=WebSocketPeer):
        assert not await attempt(port)
        await asyncio.sleep(1)
        assert await attempt(port)
