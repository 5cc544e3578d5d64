#!/usr/bin/env python3
"""A client's heartbeat as ordinary asyncio code, replayed in virtual time by `goldwire --machine exec:`.

`Client` is what an app has: it sleeps, pings, and waits for the pong with a timeout. Nothing in it knows of the
replay. `VirtualLoop` is an event loop whose clock stands where the trace stands; the rest translates lines.
"""

import asyncio
import json
import sys

UNITS = {"us": 1_000_000, "ms": 1_000}


class Client:
    """A heartbeat over a transport that can `ping()` and `close(why)`; timers are asyncio's own."""

    def __init__(self, transport, interval, timeout, fixed=False):
        self.transport, self.interval, self.timeout, self.fixed = transport, interval, timeout, fixed
        self.answer = None

    async def beat(self):
        """Pings until a pong is late; started when the connection is open, cancelled when it has ended."""
        clock = asyncio.get_running_loop().time
        pause = self.interval
        while True:
            await asyncio.sleep(pause)
            sent = clock()
            self.answer = asyncio.get_running_loop().create_future()
            self.transport.ping()
            try:
                await asyncio.wait_for(self.answer, self.timeout)
            except asyncio.TimeoutError:
                self.transport.close("pongTimeout")
                return
            pause = max(0, sent + self.interval - clock()) if self.fixed else self.interval

    def pong(self):
        """The pong that is awaited has come; any other says nothing."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(None)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that waits for nothing: `run_to` moves its clock and runs what is due."""

    def __init__(self):
        self.now, self.steps, self.timers = 0.0, 0, []
        super().__init__()

    def time(self):
        return self.now

    def call_soon(self, *arguments, **options):
        self.steps += 1
        return super().call_soon(*arguments, **options)

    def call_at(self, *arguments, **options):
        timer = super().call_at(*arguments, **options)
        self.timers.append(timer)
        return timer

    def run_to(self, instant):
        """Runs all that is due by an instant, and all that comes of it at that instant."""
        self.now = instant
        while True:
            before = self.steps
            super().call_soon(self.stop)
            self.run_forever()
            self.timers = [one for one in self.timers if not one.cancelled() and one.when() > self.now]
            if self.steps == before:
                return

    def wake(self):
        """When the next timer runs off; None for never."""
        return min((one.when() for one in self.timers), default=None)


class Machine:
    """One connection after the other, as goldwire tells of them; the transport of the client too."""

    def __init__(self, unit, parameters):
        self.scale = UNITS[unit]
        self.interval, self.timeout = seconds(parameters["interval"]), seconds(parameters["timeout"])
        self.fixed = parameters.get("cadence") == "fixed"
        self.loop = VirtualLoop()
        self.generation, self.phase, self.pings = 0, "idle", 0
        self.client = self.task = None
        self.actions = []

    # What the client asks of its transport.

    def ping(self):
        self.pings += 1
        self.actions.append({"do": "ping", "gen": self.generation})

    def close(self, why):
        self.actions.append({"do": "close", "gen": self.generation, "why": why})
        self.rest()

    # What goldwire tells.

    def tell(self, event):
        self.actions = []
        kind, generation = event["event"], event.get("gen")
        self.loop.now = event["at"] / self.scale
        if kind == "connect" and generation > self.generation:
            if self.phase != "idle":
                self.end("superseded")
            self.generation, self.phase, self.pings = generation, "connecting", 0
        elif kind == "tick":
            pass
        elif generation != self.generation:
            return
        elif kind == "opened" and self.phase == "connecting":
            self.phase = "open"
            self.client = Client(self, self.interval, self.timeout, self.fixed)
            self.task = self.loop.create_task(self.client.beat())
        elif kind == "pong" and self.phase == "open" and event.get("id") in (None, self.pings):
            self.client.pong()
        elif kind == "ended" and self.phase != "idle":
            self.end(event["why"], event.get("code"))
        elif kind == "userClose" and self.phase != "idle":
            self.close("userClosed")
        self.loop.run_to(event["at"] / self.scale)

    def end(self, why, code=None):
        action = {"do": "ended", "gen": self.generation, "why": why}
        if code is not None:
            action["code"] = code
        self.actions.append(action)
        self.rest()

    def rest(self):
        self.phase = "idle"
        if self.task is not None:
            self.task.cancel()
        self.client = self.task = None

    def forget(self):
        self.rest()
        self.loop.run_to(self.loop.now)
        self.loop.close()

    def reply(self):
        wake = self.loop.wake()
        return {"do": self.actions, "wake": None if wake is None else round(wake * self.scale)}


def seconds(span):
    """`30s`, `250ms`, `100us` as seconds."""
    for suffix, scale in (("us", 1_000_000), ("ms", 1_000), ("s", 1)):
        if span.endswith(suffix):
            return int(span[:-len(suffix)]) / scale
    raise ValueError("no length of time")


def main():
    machines = {}
    for line in sys.stdin:
        message = json.loads(line)
        for number in message.get("drop", ()):
            machines.pop(number).forget()
        if "end" in message:
            break
        if "goldwire" in message:
            reply = {"goldwire": 1, "machine": "heartbeat"}
        elif "new" in message:
            machines[message["new"]] = Machine(message["unit"], message["parameters"])
            reply = {"wake": None}
        else:
            machine = machines[message["to"]]
            machine.tell(message)
            reply = machine.reply()
        print(json.dumps(reply), flush=True)
    for machine in machines.values():
        machine.forget()


if __name__ == "__main__":
    main()
