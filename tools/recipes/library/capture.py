"""A tcpdump on the loopback interface around one scenario, with a definite beginning and end.

The beginning: tcpdump says on standard error that it listens. The end: a marker datagram is sent to the
captured port after both peers have closed, and the file is awaited until the marker stands in it, so that
nothing before it can be missing. The marker itself is then cut off.
"""

import os
import select
import shutil
import signal
import socket
import struct
import subprocess
import time

MARKER = b"goldwire recipe: end of recording"
HOST = "127.0.0.1"


class CaptureError(Exception):
    """The recording could not be made; the message is one line that says what to do."""


def free_port():
    """A TCP port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


class Capture:
    """`with Capture(port, path):` records what goes over that port into `path`; a `snaplen` cuts its packets."""

    def __init__(self, port, path, snaplen=0, patience=10.0):
        self.port, self.path, self.snaplen, self.patience = port, path, snaplen, patience
        self.process = None

    def __enter__(self):
        tcpdump = shutil.which("tcpdump", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        if tcpdump is None:
            raise CaptureError("tcpdump is not installed; install it and run again")
        interface = "lo0" if os.uname().sysname == "Darwin" else "lo"
        command = [tcpdump, "-i", interface, "-n", "-s", str(self.snaplen), "-U", "--immediate-mode",
                   "-w", self.path, "port", str(self.port)]
        # Without this tcpdump hands its file to another user, in a folder which that user cannot write.
        if os.geteuid() == 0 and os.uname().sysname == "Linux":
            command[1:1] = ["-Z", "root"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self._await_listening()
        return self

    def __exit__(self, kind, value, trace):
        try:
            if kind is None:
                self._await_marker()
        finally:
            self.process.send_signal(signal.SIGINT)
            said = self.process.communicate(timeout=self.patience)[1].decode("utf-8", "replace")
        if kind is None and "0 packets dropped by kernel" not in said:
            raise CaptureError("packets were dropped; run again on a quieter machine")
        return False

    def _await_listening(self):
        said, limit = b"", time.monotonic() + self.patience
        while b"listening on" not in said:
            ready, _, _ = select.select([self.process.stderr], [], [], max(0, limit - time.monotonic()))
            piece = os.read(self.process.stderr.fileno(), 4096) if ready else b""
            if not piece:
                self.process.kill()
                reason = said.decode("utf-8", "replace").strip().splitlines()
                raise CaptureError("tcpdump does not start (it needs root, or `setcap cap_net_raw+ep`): "
                                   + (reason[-1] if reason else "no word from it"))
            said += piece

    def _await_marker(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(MARKER, (HOST, self.port))
        limit = time.monotonic() + self.patience
        while time.monotonic() < limit:
            with open(self.path, "rb") as file:
                cut = marker_offset(file.read())
            if cut is not None:
                self.process.send_signal(signal.SIGINT)
                self.process.wait(timeout=self.patience)
                os.truncate(self.path, cut)
                return
            time.sleep(0.01)
        raise CaptureError("the end marker never reached the capture")


def marker_offset(data):
    """Where the record with the marker begins in a classic pcap file, or None while it is not there."""
    if len(data) < 24:
        return None
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    offset = 24
    while offset + 16 <= len(data):
        length = struct.unpack(order + "I", data[offset + 8:offset + 12])[0]
        if offset + 16 + length > len(data):
            return None
        if data[offset + 16:offset + 16 + length].endswith(MARKER):
            return offset
        offset += 16 + length
    return None
