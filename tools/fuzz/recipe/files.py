"""Seeds from the traces, goldens and configurations of the corpus."""

import glob
import gzip
import os

from recipe.captures import ROOT


def read(pattern):
    """The files of the corpus that a pattern names, as bytes."""
    for path in sorted(glob.glob(os.path.join(ROOT, "traces", pattern))):
        with open(path, "rb") as file:
            yield file.read()


# One line of each event that the corpus of scenarios does not have, and lines that are read the long way.
LINES = b"""{"goldwire":1,"tool":"hand","source":"tap","unit":"us","clock":"continuous","grain":10,"wall":412345,"at":"client","blind":["app","times"],"inForce":{"heartbeat":{"interval":"30s","timeout":"5s"},"retry":{"statuses":[429,503],"factor":3},"stream":{"dedup":"idAndContent","idle":"off"}},"inForceBy":"driver","beats":"engine.io"}
{"t":0,"ch":"ws1","gen":1,"ev":"ws.attach"}
{"t":1,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":3,"since":1,"beat":"ping","id":1}
{"t":2,"ch":"ws1","gen":1,"ev":"ws.pinged","id":1,"result":"error","cause":"reset"}
{"t":3,"ch":"http1","ev":"http.send","req":1,"try":1,"hop":1,"method":"POST","replayable":true,"key":"k1","bytes":3}
{"t":4,"ch":"http1","ev":"http.response","req":1,"try":1,"status":429,"retryAt":500,"retryForm":"rfc850","date":1,"age":2,"type":"other","sse":"sse1"}
{"t":5,"ch":"http1","ev":"http.body","req":1,"try":1,"dir":"out","bytes":3,"done":true,"differs":["key","body"]}
{"t":6,"ch":"http1","ev":"http.wait","req":1,"try":2,"for":500,"unit":250000}
{"t":7,"ch":"http1","ev":"http.cancel","req":1}
{"t":8,"ch":"http1","ev":"http.stop","req":1,"why":"cancelled"}
{"t":8,"ch":"http1","ev":"http.error","req":2,"try":1,"cause":"tls","sent":false}
{"t":9,"ch":"sse1","gen":1,"ev":"sse.connect","cursor":""}
{"t":9,"ch":"sse1","gen":1,"ev":"sse.open","status":503,"retryAfter":3}
{"t":10,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","rev":2,"bytes":9}
{"t":11,"ch":"sse1","gen":1,"ev":"sse.handled","n":1,"ok":true}
{"t":11,"ch":"sse1","gen":1,"ev":"sse.commit","cursor":"e1"}
{"t":12,"ch":"sse1","gen":1,"ev":"sse.cancel"}
{"t":13,"ev":"app.network","to":"wifi"}
{"t":14,"ev":"app.session","session":2}
{"t":15,"ch":"ws1","gen":1,"ev":"rec.tick"}
{"t":16,"ev":"rec.pause","for":5,"slept":2}
{"t":17,"ev":"rec.wall","step":-5}
{"t":18,"ch":"ws1","gen":1,"ev":"rec.life","dir":"in","kind":"ack"}
{"t":19,"ch":"ws1","gen":1,"ev":"rec.gap","dir":"in","bytes":3,"packets":1,"why":"lost"}
{"t":20,"ch":"tcp1","gen":1,"ev":"rec.opaque","at":"end","why":"noKeys","cause":"fin","dir":"in","out":3,"in":4}
{"t":21,"ch":"ws1","gen":1,"ev":"rec.note","note":"protocol","rule":"rfc6455-5.5.1"}
{"t":22,"ev":"rec.drop","count":7}
{"t":23,"ch":"ws1","gen":1,"ev":"ws.close","dir":"out","code":1000,"by":"machine"}
{"t":24,"ch":"ws1","gen":1,"ev":"ws.end","cause":"timeout"}
{"t":25,"ch":"ws1","gen":2,"ev":"ws.refused","cause":"status","status":503,"retryBad":"weekday"}
{"ev":"x.new","t":26}
{ "ev" : "ws.connect", "gen":3, "t":27 , "ch":"ws1", "more":{"a":[1,"\\u00e9\\ud83d\\ude00",null,true,-1.5e3]} }
{"t":28,"ev":"rec.end","why":"limit","counts":{"packets":3,"dropped":1}}
"""


def traces():
    """For the trace reader."""
    for number, trace in enumerate(read("*/trace.jsonl")):
        yield bytes([number % 2]) + trace[:1200]
    yield bytes([0]) + LINES
    for line in LINES.split(b"\n")[1:]:
        yield bytes([0]) + LINES.partition(b"\n")[0] + b"\n" + line
    yield bytes([0]) + gzip.compress(LINES, mtime=0)


def replays():
    """For the replayer; the long traces are left out."""
    found = [trace for trace in read("*/trace.jsonl") if len(trace) < 2_000]
    for number, trace in enumerate(found + [LINES.replace(b'"tap"', b'"written"'), LINES]):
        for choice in (number * 37 & 255, number * 37 + 1 & 255):
            yield bytes([choice, number * 9 & 255, 0, 255, 0]) + trace


def goldens():
    """For the readers of goldens, configurations and locks."""
    for number, golden in enumerate(read("*/*.golden.jsonl")):
        yield bytes([0, number, 0]) + golden
    yield bytes([0, 1, 0]) + (
        b'{"golden":1,"trace":"a \\u00e9\\n.jsonl","machine":"mine","set":"prod","mode":"causal","tick":"every:100ms",'
        b'"detail":"outcomes","assume":["handled","unit"],"unit":"us"}\n'
        b'{"t":-1,"ch":"http1","gen":2,"req":3,"try":4,"do":"wait","n":2,"id":"e1","cursor":"","for":5,"why":"budget","code":1000,"grade":"bounded"}\n'
        b"<<<<<<< ours\n"
    )
    for configuration in read("goldwire.json"):
        yield bytes([2]) + configuration
    yield bytes([2]) + (
        b'{"goldwire":1,"sets":{"prod":{"heartbeat":{"interval":"30s","timeout":"10s","policy":"pongOnly"},'
        b'"retry":{"base":"1s","statuses":[429,503],"transport":true,"factor":2},"stream":{"dedup":"id","idle":"off","window":9}}},'
        b'"labels":{"ws1":"chat \\u00e9"},"slack":"250ms","machines":["heartbeat","stream"]}'
    )
    for lock in read("goldwire.lock"):
        yield bytes([3]) + b"\n".join(lock.split(b"\n")[:5])
        yield bytes([3]) + lock
