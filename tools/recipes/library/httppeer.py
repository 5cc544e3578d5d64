"""The server's side of an HTTP/1.1 connection: a scenario writes each response itself."""

import asyncio
import email.utils
import gzip
import time

from .server import abort


class Request:
    """One request: its line, its header fields (lower case) and its body."""

    def __init__(self, method, target, headers, body):
        self.method, self.target, self.headers, self.body = method, target, headers, body


class HTTPPeer:
    """One accepted connection."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def request(self):
        """The next request, or None when the client has closed its side."""
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            method, target, _ = lines[0].split(" ")
            headers = {name.strip().lower(): value.strip()
                       for name, _, value in (line.partition(":") for line in lines[1:] if line)}
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return Request(method, target, headers, body)

    async def respond(self, status, *headers, body=b"", date=True):
        lines = ["HTTP/1.1 " + status]
        if date:
            lines.append("Date: " + http_date(time.time()))
        lines += [*headers, "Content-Length: %d" % len(body)]
        await self.write(("\r\n".join(lines) + "\r\n\r\n").encode() + body)

    async def open_stream(self, *headers, chunked=False):
        """The head of an event stream; without `chunked` it lasts until the connection closes."""
        lines = ["HTTP/1.1 200 OK", "Date: " + http_date(time.time()),
                 "Content-Type: text/event-stream; charset=utf-8", "Cache-Control: no-store", *headers,
                 "Transfer-Encoding: chunked" if chunked else "Connection: close"]
        await self.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    async def write(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def chunk(self, data, extension=""):
        await self.write(b"%x%s\r\n%s\r\n" % (len(data), extension.encode(), data))

    async def respond_gzip(self, body, pieces=2, trailer=None):
        """A 200 in gzip, in chunks, with a chunk extension and, if wanted, a trailer field."""
        await self.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
                         b"Transfer-Encoding: chunked\r\n\r\n")
        packed = gzip.compress(body, mtime=0)
        step = max(1, -(-len(packed) // pieces))
        for i in range(0, len(packed), step):
            await self.chunk(packed[i:i + step], ";part=%d" % (i // step))
        await self.write(b"0\r\n" + (trailer.encode() + b"\r\n" if trailer else b"") + b"\r\n")

    async def until_closed(self):
        """Waits for the client's end of the connection, then closes this one."""
        while await self.reader.read(4096):
            pass
        self.writer.close()

    def close(self):
        self.writer.close()

    def reset(self):
        abort(self.writer)


def http_date(seconds):
    """IMF-fixdate, whatever the locale."""
    return email.utils.formatdate(seconds, usegmt=True)
