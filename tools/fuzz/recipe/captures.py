"""Seeds from the captures of the corpus: files, frames, conversations."""

import glob
import gzip
import os
import struct

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PIECES = bytes([2, 1])  # random pieces


def scenarios():
    """The captures of the corpus, as bytes."""
    for path in sorted(glob.glob(os.path.join(ROOT, "traces", "*", "capture.pcap"))):
        with open(path, "rb") as file:
            yield file.read()


def packets(file):
    """The instants and frames of a little-endian pcap file."""
    place = 24
    while place + 16 <= len(file):
        seconds, fraction, count, _ = struct.unpack_from("<IIII", file, place)
        yield seconds * 1_000_000 + fraction, file[place + 16 : place + 16 + count]
        place += 16 + count


def block(kind, body, order="<"):
    """A block of a pcapng file."""
    body += bytes(-len(body) % 4)
    size = struct.pack(order + "I", len(body) + 12)
    return struct.pack(order + "I", kind) + size + body + size


def pcapng(frames, order="<"):
    """A pcapng file with every kind of block that is read."""
    interface = struct.pack(order + "HHIHH", 1, 0, 0, 9, 1) + bytes([9, 0, 0, 0]) + bytes(4)
    file = block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1), order) + block(1, interface, order)
    file += block(10, struct.pack(order + "II", 0x544C534B, 8) + b"CLIENT_R", order)
    for number, (time, frame) in enumerate(frames):
        kind = number % 5
        if kind == 3:
            file += block(3, struct.pack(order + "I", len(frame)) + frame, order)
        elif kind == 4:
            head = struct.pack(order + "HHIIII", 0, 2, time * 1000 >> 32, time * 1000 & 0xFFFFFFFF, len(frame), len(frame))
            file += block(2, head + frame, order)
        else:
            head = struct.pack(order + "IIIII", 0, time * 1000 >> 32, time * 1000 & 0xFFFFFFFF, len(frame), len(frame))
            file += block(6, head + frame, order)
    file += block(5, struct.pack(order + "III", 0, 0, 0) + struct.pack(order + "HHQ", 5, 8, 3) + bytes(4), order)
    return file + block(4, bytes(8), order)


def pcap(frames, order="<", nanoseconds=False, link=1):
    """A pcap file."""
    magic = 0xA1B23C4D if nanoseconds else 0xA1B2C3D4
    file = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 262144, link)
    for time, frame in frames:
        fraction = time % 1_000_000 * (1000 if nanoseconds else 1)
        file += struct.pack(order + "IIII", time // 1_000_000, fraction, len(frame), len(frame)) + frame
    return file


def variants():
    """Capture files in every container."""
    for number, file in enumerate(scenarios()):
        frames = list(packets(file))[:12]
        order = "<>"[number % 2]
        file = [pcap(frames), pcapng(frames, order), pcap(frames, order, number % 3 == 0)][number % 3]
        if len(file) < 4_000:
            yield file


def files():
    """For the file reader."""
    for number, file in enumerate(variants()):
        yield bytes([number % 2]) + PIECES + file
        yield bytes([0, 1, 128]) + file[:400]


def recordings():
    """For the recorder, some compressed."""
    for number, file in enumerate(scenarios()):
        if len(file) < 3_000:
            yield bytes([number % 8 | number % 5 << 4]) + file
    for number, file in enumerate(variants()):
        yield bytes([0]) + (gzip.compress(file, mtime=0) if number % 4 == 0 else file)


def ip6(frame):
    """The IPv4 packet of an Ethernet frame as one of IPv6, with a header of options before TCP."""
    options = bytes([6, 0, 1, 4, 0, 0, 0, 0])
    inside = options + frame[34:]
    return bytes([0x60, 0, 0, 0]) + struct.pack(">H", len(inside)) + bytes([0, 64]) + bytes(31) + b"\1" + bytes(15) + b"\2" + inside


def fragments(packet):
    """Two fragments of an IPv4 packet without options, the later one first."""
    data = packet[20:]
    head = bytearray(packet[:20])
    for offset, part, more in [(8, data[8:], 0), (0, data[:8], 0x2000)]:
        struct.pack_into(">HHH", head, 2, 20 + len(part), 7, more | offset // 8)
        yield bytes(head) + part


def outer(number, inside):
    """An IPv4 packet around something."""
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(inside), 1, 0x4000, 64, number, 0) + bytes([192, 0, 2, 1, 192, 0, 2, 2]) + inside


def links(packet):
    """An IPv4 packet on every link, as the number of the link in the list of the target and a frame."""
    ethernet = bytes(12) + b"\x08\0" + packet
    wifi = bytes([8, 1, 0, 0]) + bytes(20) + b"\xaa\xaa\3\0\0\0\x08\0" + packet
    quality = bytes([0x88, 1, 0, 0]) + bytes(20) + bytes([0x80, 0]) + bytes(12) + struct.pack(">H", len(packet) + 8) + b"\xaa\xaa\3\0\0\0\x08\0" + packet
    yield 0, ethernet
    yield 0, bytes(12) + b"\x81\0\0\1\x88\xa8\0\2\x08\0" + packet
    yield 0, bytes(12) + b"\x88\x64\x11\0\0\1" + struct.pack(">H", len(packet) + 2) + b"\0\x21" + packet
    yield 1, struct.pack("<I", 2) + packet
    yield 2, b"\xff\x03\0\x21" + packet
    yield 3, packet
    yield 5, b"\xff\x03\0\x21" + packet
    yield 6, b"\x11\0\0\1" + struct.pack(">H", len(packet) + 2) + b"\0\x21" + packet
    yield 8, b"\x0f\0\x08\0" + packet
    yield 9, wifi
    yield 9, quality
    yield 10, struct.pack(">I", 2) + packet
    yield 11, struct.pack(">HHH", 0, 1, 6) + bytes(8) + b"\x08\0" + packet
    yield 12, struct.pack("<II", 0x44, 144) + bytes(136) + wifi
    yield 13, bytes([0, 0, 26, 0, 3, 0, 0, 0x80, 0, 0, 0, 0]) + bytes(14) + wifi
    yield 15, struct.pack(">II", 0x80211001, 64) + bytes(56) + wifi
    yield 16, bytes([0, 0, 12, 0, 105, 0, 0, 0, 1, 2, 3, 4]) + wifi
    yield 17, b"\0\xff\x03\0\x21" + packet
    yield 20, struct.pack("<III", 108, 1, 101) + bytes(96) + packet
    yield 14, struct.pack("<III", 108, 1, 101) + b"utun3" + bytes(91) + packet
    yield 21, struct.pack(">HHIHBB", 0x0800, 0, 2, 1, 6, 0) + bytes(8) + packet


def tunnels(packet):
    """An IPv4 packet in every tunnel."""
    ppp = b"\xff\x03\0\x21" + packet
    teredo = bytes([0, 1, 2, 3, 7, 7, 8, 8, 8]) + bytes(9) + bytes(8) + bytes([0x60, 0, 0, 0, 0, 0, 59, 1]) + bytes(32)
    yield outer(4, packet)
    yield outer(4, outer(4, packet))
    yield outer(47, b"\xb0\0\x08\0" + bytes(12) + packet)
    yield outer(47, b"\x20\0\x65\x58" + bytes(4) + bytes(12) + b"\x08\0" + packet)
    yield outer(47, b"\x30\x81\x88\x0b" + struct.pack(">HHII", len(ppp), 5, 1, 3) + ppp)
    yield outer(17, struct.pack(">HHHH", 3544, 60000, len(teredo) + 8, 0) + teredo)
    yield outer(1, b"\3\3\0\0" + bytes(4) + packet[:28])


def record(more, frame):
    """A frame of an input."""
    return bytes([more]) + struct.pack("<H", len(frame)) + frame


def frames():
    """For the packet decoder."""
    ethernet = [frame for file in scenarios() for _, frame in packets(file)]
    packet = next(frame for frame in ethernet if len(frame) > 80 and frame[12:14] == b"\x08\0")
    for link, frame in links(packet[14:]):
        yield bytes([link]) + record(0, frame) + record(3, frame[:-3])
    for inside in tunnels(packet[14:]):
        yield bytes([7]) + record(0, inside)
    yield bytes([7]) + record(0, ip6(packet)) + record(0, outer(41, ip6(packet)))
    yield bytes([7]) + b"".join(record(0, part) for part in fragments(packet[14:]))
    yield bytes([7]) + b"".join(record(0, part) for part in fragments(outer(4, packet[14:])))
    six = ip6(packet)
    yield bytes([7]) + record(0, six[:6] + b"\x2c" + six[7:40] + bytes([6, 0, 0, 1, 0, 0, 0, 9]) + six[48:72]) + record(
        0, six[:6] + b"\x2c" + six[7:40] + bytes([6, 0, 0, 24, 0, 0, 0, 9]) + six[72:]
    )
    for start in range(0, len(ethernet), 150):
        yield bytes([0]) + b"".join(record(0, frame) for frame in ethernet[start : start + 4])


def conversations(file):
    """The payloads of each connection in order, as (is from the client, bytes)."""
    talks = {}
    for _, frame in packets(file):
        kind = frame[12:14]
        if kind == b"\x08\0":
            start = 14 + (frame[14] & 15) * 4
            end = 14 + struct.unpack_from(">H", frame, 16)[0]
            ends = (frame[26:30], frame[30:34])
        else:
            start, end, ends = 54, len(frame), (frame[22:38], frame[38:54])
        ports = struct.unpack_from(">HH", frame, start)
        flags = frame[start + 13]
        payload = frame[start + (frame[start + 12] >> 4) * 4 : end]
        here, there = (ends[0], ports[0]), (ends[1], ports[1])
        key = tuple(sorted([here, there]))
        client, talk = talks.setdefault(key, (here, []))
        if flags & 0x12 == 2:
            talks[key] = (here, talk)
            client = here
        if payload:
            talk.append((here == client, payload))
        if flags & 5:
            talk.append((here == client, None))
    return [talk for _, talk in talks.values()]


def sides(talk):
    """All bytes of the client and of the server."""
    return [b"".join(part for mine, part in talk if mine == client and part) for client in (True, False)]


def http():
    """For the HTTP decoders."""
    for number, file in enumerate(scenarios()):
        for talk in conversations(file):
            client, server = sides(talk)
            if client:
                yield bytes([number % 4]) + PIECES + struct.pack("<H", len(client)) + client + server
    get = b"GET /a HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream;q=0.5, */*\r\nLast-Event-ID: 7\r\n\r\n"
    post = b"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\nExpect: 100-continue\r\nIdempotency-Key: k\r\n\r\n"
    chunks = b"3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: x\r\n\r\n"
    connect = b"CONNECT h:443 HTTP/1.1\r\nHost: h\r\nAuthorization: b\r\n\r\n"
    upgrade = b"GET /w HTTP/1.1\r\nHost: h\r\nUpgrade: websocket, h2c\r\nConnection: Upgrade, close\r\nSec-WebSocket-Key: k\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
    answer = b"HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 503 No\r\nRetry-After: 1\r\nRetry-After: 2\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nAge: 3\r\nContent-Encoding: gzip, br\r\nContent-Length: 5, 5\r\nLocation: /b\r\n\r\nhello"
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: a\r\n b\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n" + chunks
    old = b"HTTP/1.0 200 OK\nConnection: keep-alive\nContent-Type: text/event-stream\n\ndata: x\n\n"
    switch = b"HTTP/1.1 101 S\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: p\r\nSec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=9\r\n\r\n\x81\2hi"
    for requests, responses in [
        (get + post + chunks, answer + chunked),
        (connect + b"\x16\3", b"HTTP/1.1 200 OK\r\n\r\n\x16\3\3"),
        (get + upgrade + b"\x81\x80aaaa", chunked + switch),
        (b"HEAD /c HTTP/1.0\n\n" + get, b"HTTP/1.1 304 No\r\nContent-Length: 9\r\n\r\n" + old),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b""),
        (b"\r\nGARBAGE\r\n" + get, b"garbage\r\n" + answer),
    ]:
        for choice in (0, 1, 2):
            yield bytes([choice]) + PIECES + struct.pack("<H", len(requests)) + requests + responses


def frames_of(side):
    """What follows the handshake, if there is one."""
    return side.partition(b"\r\n\r\n")[2]


def websocket():
    """For the WebSocket decoder."""
    for file in scenarios():
        for talk in conversations(file):
            client, server = sides(talk)
            if b"Upgrade: websocket" in client or b"upgrade: websocket" in client.lower():
                deflate = 0x10 if b"permessage-deflate" in server else 0
                for peer, side in ((1, client), (0, server)):
                    yield bytes([peer | deflate, 0x10]) + PIECES + frames_of(side)
                    yield bytes([peer | deflate | 8 | 0x80, 1]) + PIECES + frames_of(side)
    hello = bytes([0xC1, 7, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 7, 0])
    again = bytes([0xC1, 5, 0xF2, 0, 0x11, 0, 0])
    split = bytes([0x41, 3, 0xF2, 0x48, 0xCD, 0x89, 0, 0x80, 4, 0xC9, 0xC9, 7, 0])
    long = bytes([0x82, 126, 0, 200]) + bytes(200) + bytes([0x82, 127, 0, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3])
    text = "€".encode()
    cut = bytes([1, 2]) + text[:2] + bytes([0x89, 1, 7]) + bytes([0x80, 1]) + text[2:]
    close = bytes([0x88, 5, 3, 0xE8]) + b"bye"
    for first in (0x10, 0x18, 0x14, 0x50, 0x90, 0x20, 4):
        for second in (0, 0x10, 0x20):
            yield bytes([first, second]) + PIECES + hello + again + split + cut + long + close


def eventstream():
    """For the event stream parser."""
    for number, file in enumerate(scenarios()):
        for talk in conversations(file):
            _, server = sides(talk)
            if b"text/event-stream" in server:
                yield bytes([number % 4]) + PIECES + server.rpartition(b"text/event-stream")[2].partition(b"\r\n\r\n")[2]
    stream = "\ufeff: hi\r\rid: a\nretry: 250\ndata: 1\n\nid\ndata: 2\r\ndata\r\n\r\nevent: ü\nid: x\0\ndata:  3\n\nid: 9\n\nfoo: b\ndata: lost"
    for choice in range(4):
        yield bytes([choice, 0, 0]) + stream.encode()
        yield bytes([choice]) + PIECES + b"id: \xff\xc3\ndata: \xe2\x82\nevent\n\nretry: 99999999999\nretry: 1x\ndatax: 1\ndat: 2\n\n"


def talks():
    """For the recorder, as steps of one conversation after the other."""
    for number, file in enumerate(scenarios()):
        steps = bytes([number % 8 | number % 5 << 4])
        for index, talk in enumerate(conversations(file)):
            if index:
                steps += bytes([15 << 1, index & 1])
            for client, part in talk:
                side = 0 if client else 1
                if part is None:
                    steps += bytes([side | (9 + index % 2) << 1])
                else:
                    steps += bytes([side | (0x80 if number % 3 == 0 else 0) | number % 3 << 5]) + struct.pack("<H", len(part)) + part
        yield steps
