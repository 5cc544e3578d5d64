"""A TCP server on the loopback interface whose every connection has a handler of its own."""

import asyncio
import socket
import struct

HOST = "127.0.0.1"


def abort(writer):
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


class Server:
    """`async with Server(port, first, second…):` gives each connection, in order, to its own handler;
    the last handler also takes all that come after.

    Leaving the block waits for every handler that has begun, so that all sockets are closed by then.
    """

    def __init__(self, port, *handlers, wrap, host=HOST):
        self.port, self.handlers, self.wrap, self.host = port, list(handlers), wrap, host
        self.running = []
        self.server = None

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._accepted, self.host, self.port)
        return self

    async def __aexit__(self, kind, value, trace):
        self.server.close()
        for task in self.running:
            if kind is None:
                await task
            else:
                task.cancel()

    async def _accepted(self, reader, writer):
        handler = self.handlers.pop(0) if len(self.handlers) > 1 else self.handlers[0]
        task = asyncio.ensure_future(self._serve(handler, reader, writer))
        self.running.append(task)
        await asyncio.shield(task)

    async def _serve(self, handler, reader, writer):
        await handler(self.wrap(reader, writer))
        try:
            await writer.wait_closed()
        except ConnectionError:
            pass
