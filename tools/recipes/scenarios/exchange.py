"""What the bytes can look like: compression, fragments between control frames, pipelining, chunks, codings."""

import asyncio
import zlib

from library.catalogue import scenario
from library.httppeer import HTTPPeer
from library.server import HOST, Server
from library.wspeer import CLOSE, PING, PONG, TEXT, WebSocketPeer

from .heartbeat import FIXED, WEBSOCKETS, keepalive

CONTINUATION = 0


@scenario("ws-deflate-fragments", client=WEBSOCKETS, machines=["heartbeat"], in_force=FIXED,
          purpose="Compressed messages in fragments in both directions, with pings between the fragments.",
          shows="Context takeover, control frames inside a fragmented message: RFC 7692 7.2.3, RFC 6455 5.4.")
async def deflate_fragments(port):
    async def serve(peer):
        await peer.accept(deflate=True)
        packer = zlib.compressobj(wbits=-15)

        def pack(text):
            return (packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]

        first = pack(b'{"greeting":"FAKE-message-token","list":[1,2,3,4,5]}')
        third = len(first) // 3
        await peer.send(TEXT, first[:third], fin=False, rsv1=True)
        await peer.send(PING, b"FAKE-ping-1")
        await peer.send(CONTINUATION, first[third:2 * third], fin=False)
        await peer.send(PING, b"FAKE-ping-2")
        await peer.send(CONTINUATION, first[2 * third:])
        await peer.send(TEXT, b"not compressed")
        await peer.send(TEXT, pack(b'{"greeting":"FAKE-message-token","list":[1,2,3,4,5,6]}'), rsv1=True)
        unpacker, pings, parts = zlib.decompressobj(wbits=-15), 0, b""
        while True:
            frame = await peer.frame()
            if frame.opcode == PING:
                pings += 1
                await peer.send(PONG, frame.payload)
                if pings == 2:
                    await peer.send(TEXT, pack(b"enough"), rsv1=True)
            elif frame.opcode == CLOSE:
                break
            elif frame.opcode in (TEXT, CONTINUATION):
                parts += frame.payload
                if frame.fin:
                    text = unpacker.decompress(parts + b"\x00\x00\xff\xff")
                    assert text == b"one FAKE-part, two FAKE-part, three", text
                    parts = b""
        await peer.send(CLOSE, frame.payload[:2])
        peer.writer.close()

    async with Server(port, serve, wrap=WebSocketPeer):
        async with keepalive(port, compression="deflate") as client:
            while True:
                text = await client.recv()
                if text == "enough":
                    break
                await client.send(slowly(["one FAKE-part, ", "two FAKE-part, ", "three"]))


async def slowly(parts):
    for part in parts:
        yield part
        await asyncio.sleep(0.02)


@scenario("http-pipelined-gzip", client="a socket that pipelines", machines=["retry"],
          in_force=["retry.count=0"],
          purpose="Four pipelined requests on one connection, then a fifth kept alive; answers in chunks and gzip.",
          shows="Pipelining, HEAD, an interim 103, chunk extensions and a trailer: RFC 9112 7.1, 9.3, RFC 9110 15.2.")
async def pipelined_gzip(port):
    async def serve(peer):
        requests = [await peer.request() for _ in range(4)]
        assert [request.method for request in requests] == ["GET", "GET", "HEAD", "GET"]
        await peer.respond_gzip(b'{"secret":"FAKE-body-token"}' * 40, pieces=3, trailer="Digest: FAKE-trailer")
        await peer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
        await peer.respond("200 OK", "Set-Cookie: sid=FAKE-cookie-value", body=b"plain")
        await peer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n")
        await peer.respond("404 Not Found", body=b"no such thing")
        assert (await peer.request()).body == b"password=FAKE-form-password"
        await peer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        await peer.until_closed()

    async with Server(port, serve, wrap=HTTPPeer):
        reader, writer = await asyncio.open_connection(HOST, port)
        common = "Host: 127.0.0.1\r\nAuthorization: Bearer FAKE-header-token\r\n\r\n"
        writer.write("".join("%s %s HTTP/1.1\r\n%s" % (method, target, common) for method, target in [
            ("GET", "/a?key=FAKE-query-key"), ("GET", "/b"), ("HEAD", "/c"), ("GET", "/d")]).encode())
        await reader.readuntil(b"no such thing")
        writer.write(b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 27\r\n"
                     b"Content-Type: application/x-www-form-urlencoded\r\n\r\npassword=FAKE-form-password")
        await reader.readuntil(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()
