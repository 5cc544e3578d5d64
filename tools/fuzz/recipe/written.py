"""Seeds that are written here."""

import gzip
import itertools
import json
import struct
import zlib

from recipe.captures import PIECES
from recipe.files import LINES

STREAM = b": hi\n\nid: a\nretry: 250\ndata: 1\n\nid: b\n\ndata: 2\n\nid: a\ndata: 3\n\ndata: lost"


def raw(data, bits=15):
    """Raw deflate."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -bits)
    return packer.compress(data) + packer.flush()


def compressed():
    """For the inflater."""
    text = LINES[:900] + bytes(range(256)) + bytes(2000)
    member = gzip.compress(text, mtime=0)
    named = member[:3] + bytes([0x1C]) + member[4:10] + struct.pack("<H", 3) + b"abcname\0comment\0" + member[10:]
    for kind, data in [
        (0, member),
        (0, member + gzip.compress(b"more", mtime=0) + bytes(20)),
        (0, named),
        (0, member[:-20]),
        (1, zlib.compress(text)),
        (2, zlib.compress(text)),
        (2, raw(text)),
        (3 | 1 << 2, raw(text, 9)),
        (3 | 7 << 2, raw(text)),
        (3, b"\1\5\0\xfa\xffhello"),
    ]:
        for room in (0, 0x20, 0x40):
            yield bytes([kind | room]) + PIECES + data


def segments():
    """For the connection table: handshakes, data in order and not, ends."""

    def step(kind, flags, low, ack, length=0, more=0):
        return struct.pack("<BBBBHH", kind, flags, more, length, low, ack)

    opening = step(0, 2, 99, 0) + step(4, 18, 99, 100) + step(0, 16, 100, 100)
    data = [step(0, 24, 100 + 50 * n, 100, 50) for n in range(4)] + [step(4, 24, 100 + 80 * n, 300, 80) for n in range(3)]
    closing = step(0, 17, 300, 340) + step(4, 17, 340, 301) + step(0, 16, 301, 341)
    for number, order in enumerate(itertools.islice(itertools.permutations(data), 0, 5000, 500)):
        yield bytes([number & 1]) + opening + b"".join(order) + step(4, 16, 340, 300) + closing
    yield bytes([0]) + opening + data[0] + data[2] + data[2] + step(0, 24, 120, 100, 90) + step(0, 4, 300, 0) + closing
    yield bytes([0]) + data[1] + data[0] + step(0, 24, 400, 100, 90, 0x80 | 30) + step(4, 20, 100, 490) + opening
    yield bytes([0]) + step(0, 2, 99, 0) + step(0xE0, 2, 99, 0) + step(1, 2, 99, 0) + step(5, 20, 0, 100)
    yield bytes([0]) + b"".join(step(flow | 8, 2, 99, 0) + step(flow | 24, 24, 100, 0, 9) for flow in (0, 1, 2, 3, 0))
    yield bytes([1]) + opening + step(16, 24, 100, 100, 9, 0xC1) * 9 + step(0, 24, 100, 100, 5) + step(24, 24, 110, 100, 5)


def brotli(data):
    """A meta-block that is not compressed, and an empty last one."""
    head = len(data) - 1 << 4 | 1 << 20
    return head.to_bytes(3, "little") + data + b"\3"


def zstd(data, kind=0):
    """A frame of one raw block, or of one that repeats a byte."""
    return b"\x28\xb5\x2f\xfd\0\x58" + (len(data) << 3 | kind << 1 | 1).to_bytes(3, "little") + (data[:1] if kind else data)


def codings():
    """For the content codings: gzip, deflate, br, zstd, gzip then br, zstd then deflate, none, unknown."""
    gzipped = gzip.compress(STREAM, mtime=0)
    bodies = [gzipped, raw(STREAM), brotli(STREAM), zstd(STREAM), brotli(gzipped), zlib.compress(zstd(STREAM)), STREAM, STREAM]
    for number, body in enumerate(bodies):
        yield bytes([number]) + PIECES + body
        yield bytes([number, 0, 0]) + body[:-5]
    yield bytes([1]) + PIECES + zlib.compress(STREAM * 30)
    yield bytes([0]) + PIECES + gzipped + gzipped
    yield bytes([3]) + PIECES + zstd(STREAM) + zstd(b"a" * 2000, 1) + zstd(STREAM)
    yield bytes([0]) + PIECES + gzip.compress(b"data: a\n\n" * 3000, mtime=0)


def fields():
    """For values of header fields."""
    for text in [
        "120", " 0 ", "-5", "0.5", "5s", "2, 3", "1e3", "99999999999999999999", "٣", "",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Thu, 29 Feb 2024 23:59:60 GMT", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0100",
        "permessage-deflate; client_max_window_bits; server_max_window_bits=\"10\", x-other; a=b",
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits=9",
        "permessage-deflate; server_max_window_bits=7, ,permessage-deflate",
    ]:
        yield bytes(2) + text.encode()


def entry(url, status=200, at="2026-03-01T12:30:00.000Z", **more):
    """An entry of a HAR."""
    request = {"method": more.pop("method", "GET"), "url": url, "headers": more.pop("headers", []), "bodySize": 0}
    content = {"size": 3, "mimeType": "x", **more.pop("content", {})}
    response = {"status": status, "headers": more.pop("answer", []), "content": content, "bodySize": 3}
    timings = {"blocked": -1, "dns": -1, "connect": 1.5, "send": 1, "wait": 10, "receive": 5}
    return {"startedDateTime": at, "time": 99, "request": request, "response": response, "timings": timings, **more}


def named(**values):
    """A list of headers."""
    return [{"name": name.replace("_", "-"), "value": value} for name, value in values.items()]


def hars():
    """For the import of HARs."""
    second = 1772368200
    messages = [
        {"type": "send", "time": second + 0.5, "opcode": 1, "data": "h\u00e9\ud83d"},
        {"type": "receive", "time": second + 0.25, "opcode": 2, "data": "AAECAw=="},
        {"type": "send", "time": second * 1000 + 600, "opcode": 9, "data": "aGk="},
        {"type": "receive", "time": "2026-03-01T12:30:00.7Z", "opcode": 10, "data": "aGk="},
        {"type": "receive", "time": second + 0.8, "opcode": 8, "data": "", "code": 1001},
        {"type": "error", "opcode": -1, "data": "x"},
    ]
    events = [{"time": second + n, "eventName": "m", "eventId": "a", "data": "1"} for n in (0.5, 1)]
    sse = {"answer": named(content_type="text/event-stream"), "headers": named(accept="text/event-stream", last_event_id="b")}
    entries = [
        entry("wss://a.example/chat?token=1", 101, _resourceType="websocket", _webSocketMessages=messages),
        entry("https://a.example/chat", 101, headers=named(connection="Upgrade", upgrade="websocket"), _webSocketMessages=messages[2:]),
        entry("wss://a.example/chat", 503, answer=named(retry_after="Sun, 06 Nov 1994 08:49:37 GMT"), _resourceType="websocket"),
        entry("wss://[2001:db8::1]:8080/", 0, _resourceType="websocket", _error="net::ERR_CONNECTION_REFUSED"),
        entry("https://a.example/feed", content={"text": STREAM.decode()}, **sse),
        entry("https://a.example/feed", content={"text": "ZGF0YTogMQoKZGF0YTogMgoK", "encoding": "base64"}, _eventSourceMessages=events, _error="net::ERR_ABORTED", **sse),
        entry("http://a.example:80/x", 429, at="2026-03-01T13:30:05+01:00", method="POST", answer=named(retry_after="3", date="Sun, 01 Mar 2026 12:30:05 GMT", age="2"), headers=named(idempotency_key="k"), connection="17"),
        entry("http://a.example:80/x", 200, at="2026-03-01T13:30:09+01:00", method="POST", headers=named(idempotency_key="k"), connection="17"),
        entry("https://a.example/y", 302, answer=named(location="/z"), serverIPAddress="192.0.2.1"),
        {"startedDateTime": "2026-03-01T12:30:00Z", "request": {"method": "GET", "url": "http://a/", "headers": None, "postData": {"text": "a"}}, "response": {"status": "200", "_charlesStatus": "FAILED", "content": None}, "timings": None},
        entry("data:text/plain,hi"),
    ]
    for choice, (creator, some) in enumerate(
        [("WebInspector", entries[:3]), ("Firefox", entries[3:6]), ("Charles Proxy", entries[6:]), ("mitmproxy", entries[4:8]), ("Proxyman", entries)]
        + [("test", [one]) for one in entries]
    ):
        log = {"log": {"version": "1.2", "creator": {"name": creator, "version": "1"}, "pages": [], "entries": some}}
        text = json.dumps(log, separators=(",", ":"), ensure_ascii=choice % 2 == 0, indent=None)
        yield bytes([choice & 7 | choice % 5 << 4]) + text.encode(errors="surrogatepass")
    yield bytes([0]) + b'\xef\xbb\xbf{"log":{"entries":[]}}'
