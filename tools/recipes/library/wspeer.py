"""The server's side of a WebSocket connection, frame by frame: it does only what a scenario says."""

import asyncio
import base64
import hashlib
import struct

from .server import abort

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Frame:
    """One frame from the client, unmasked."""

    def __init__(self, fin, rsv1, opcode, payload):
        self.fin, self.rsv1, self.opcode, self.payload = fin, rsv1, opcode, payload


class WebSocketPeer:
    """One accepted connection. Nothing is answered by itself: no pong, no close."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def read_head(self):
        head = await self.reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        return {name.strip().lower(): value.strip()
                for name, _, value in (line.partition(":") for line in lines[1:] if line)}

    async def accept(self, *fields, deflate=False):
        headers = await self.read_head()
        key = headers["sec-websocket-key"].encode()
        token = base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()
        answer = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
                  "Sec-WebSocket-Accept: " + token, *fields]
        if deflate:
            answer.append("Sec-WebSocket-Extensions: permessage-deflate")
        self.writer.write(("\r\n".join(answer) + "\r\n\r\n").encode())
        await self.writer.drain()
        return self

    async def refuse(self, status, *headers):
        await self.read_head()
        lines = ["HTTP/1.1 " + status, "Content-Length: 0", "Connection: close", *headers]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        await self.writer.drain()
        self.writer.close()

    async def frame(self):
        """The next frame, or None when the client has closed its side."""
        try:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length == 126:
                length = struct.unpack("!H", await self.reader.readexactly(2))[0]
            elif length == 127:
                length = struct.unpack("!Q", await self.reader.readexactly(8))[0]
            mask = await self.reader.readexactly(4)
            masked = await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        payload = bytes(byte ^ mask[i % 4] for i, byte in enumerate(masked))
        return Frame(bool(first & 0x80), bool(first & 0x40), first & 0x0F, payload)

    async def expect(self, opcode):
        """The next frame with that opcode; any other is read and left."""
        while True:
            frame = await self.frame()
            if frame is None or frame.opcode == opcode:
                return frame

    async def send(self, opcode, payload=b"", fin=True, rsv1=False):
        head = bytes([(0x80 if fin else 0) | (0x40 if rsv1 else 0) | opcode])
        if len(payload) < 126:
            head += bytes([len(payload)])
        else:
            head += bytes([126]) + struct.pack("!H", len(payload))
        self.writer.write(head + payload)
        await self.writer.drain()

    async def answer_pings(self, count):
        """Answers that many pings at once with their own payload."""
        for _ in range(count):
            ping = await self.expect(PING)
            if ping is None:
                return
            await self.send(PONG, ping.payload)

    async def finish(self, code=None):
        """The closing handshake: begun with `code`, or answering the client's close; then the server's FIN."""
        if code is None:
            closing = await self.expect(CLOSE)
            if closing is not None:
                await self.send(CLOSE, closing.payload[:2])
        else:
            await self.send(CLOSE, struct.pack("!H", code))
            await self.expect(CLOSE)
        self.writer.close()

    async def stay_silent(self):
        """Reads nothing into account until the client has gone, then closes."""
        while await self.frame() is not None:
            pass
        self.writer.close()

    def reset(self):
        """A RST in place of a FIN: linger for no time at all."""
        abort(self.writer)
