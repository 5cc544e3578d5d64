"""urllib3 and its `Retry`, as it is and told to wait as Goldwire's retry machine does.

As it is, urllib3 waits exactly what the server asked, else `backoff_factor * 2^n`, but nothing before its
first repetition. `Paced` waits the larger of the server's delay and `base * 2^n * (0.5 to 1)`.
"""

import asyncio
import random
import time
from email.utils import parsedate_to_datetime

import urllib3

from library.catalogue import scenario
from library.httppeer import HTTPPeer, http_date
from library.server import HOST, Server

URLLIB3 = "urllib3 2.8.0"
BASE = 0.2
PACED = ["retry.base=200ms", "retry.factor=2", "retry.count=3", "retry.cap=30s"]
STATUSES = [429, 503]
SECRETS = {"Authorization": "Bearer FAKE-header-token", "Cookie": "sid=FAKE-cookie-value"}


class Paced(urllib3.Retry):
    """Full delays from the first repetition on, never below what the server asked by its own clock."""

    random = random.Random(20)

    def get_retry_after(self, response):
        value, own = response.headers.get("Retry-After"), response.headers.get("Date")
        if value is not None and own is not None and not value.strip().isdigit():
            return max(0, (parsedate_to_datetime(value) - parsedate_to_datetime(own)).total_seconds())
        return super().get_retry_after(response)

    def sleep(self, response=None):
        index = sum(entry.redirect_location is None for entry in self.history) - 1
        local = BASE * 2 ** index * (0.5 + 0.5 * self.random.random())
        server = self.get_retry_after(response) if response is not None else None
        time.sleep(max(local, server or 0))


async def call(port, retries, method="GET", target="/v1/items?key=FAKE-query-key", **options):
    """One logical request in a thread of its own; gives the last status, or None if it came to nothing."""
    def run():
        with urllib3.HTTPConnectionPool(HOST, port, retries=retries) as pool:
            try:
                return pool.request(method, target, headers=SECRETS, **options).status
            except urllib3.exceptions.HTTPError:
                return None
    return await asyncio.get_running_loop().run_in_executor(None, run)


def paced(**options):
    return Paced(total=3, status_forcelist=STATUSES, raise_on_status=False, **options)


def script(*responses):
    """A handler that gives one response after the other, each a status line and header fields."""
    async def serve(peer):
        for status, *headers in responses:
            if await peer.request() is None:
                break
            await peer.respond(status, *headers, body=b'{"note":"FAKE-body-token"}', date=False)
        await peer.until_closed()
    return serve


@scenario("http-retry-503-429-200", client=URLLIB3 + " with a Retry of its own pace", machines=["retry"],
          in_force=PACED,
          purpose="A GET is answered by 503, then by 429 with Retry-After: 2, then by 200.",
          shows="The wait is the larger of the local and the server's delay: RFC 9110 10.2.3, RFC 6585 4.")
async def retry_503_429_200(port):
    serve = script(["503 Service Unavailable"], ["429 Too Many Requests", "Retry-After: 2"], ["200 OK"])
    async with Server(port, serve, wrap=HTTPPeer):
        assert await call(port, paced()) == 200


@scenario("http-retry-stock-urllib3", client=URLLIB3, machines=["retry"], in_force=PACED,
          purpose="An unchanged urllib3.Retry through 429 with Retry-After: 1, then a bare 503, then 200.",
          shows="A client in the field whose waits lie in the machine's band, because the first is the server's.")
async def retry_stock(port):
    serve = script(["429 Too Many Requests", "Retry-After: 1"], ["503 Service Unavailable"], ["200 OK"])
    retries = urllib3.Retry(total=3, status_forcelist=STATUSES, backoff_factor=0.15, raise_on_status=False)
    async with Server(port, serve, wrap=HTTPPeer):
        assert await call(port, retries) == 200


@scenario("http-retry-after-date", client=URLLIB3 + " with a Retry of its own pace", machines=["retry"],
          in_force=PACED,
          purpose="A 503 whose Retry-After is an HTTP date two to three seconds ahead, without a Date field.",
          shows="An IMF-fixdate counts from the local wall clock where the response has no Date: RFC 9110 5.6.7.")
async def retry_after_date(port):
    async def serve(peer):
        await peer.request()
        await peer.respond("503 Service Unavailable", "Retry-After: " + http_date(int(time.time()) + 3), date=False)
        await peer.request()
        await peer.respond("200 OK", body=b"ok", date=False)
        await peer.until_closed()

    async with Server(port, serve, wrap=HTTPPeer):
        assert await call(port, paced()) == 200


@scenario("http-retry-budget", client=URLLIB3 + " with a Retry of its own pace", machines=["retry"],
          in_force=PACED,
          purpose="Every answer is 503, until the client has sent four times and hands the last one on.",
          shows="Three retries are four sends at most; the local delay doubles: 0.2, 0.4, 0.8 s times 0.5 to 1.")
async def retry_budget(port):
    serve = script(*[["503 Service Unavailable"]] * 5)
    async with Server(port, serve, wrap=HTTPPeer):
        assert await call(port, paced()) == 503


@scenario("http-retry-post", client=URLLIB3, machines=["retry"], in_force=PACED,
          purpose="A POST is answered by 503 with Retry-After: 1 and is not sent again.",
          shows="A method that is not idempotent is not repeated on its own: RFC 9110 9.2.2.")
async def retry_post(port):
    serve = script(["503 Service Unavailable", "Retry-After: 1"])
    async with Server(port, serve, wrap=HTTPPeer):
        assert await call(port, paced(), "POST", body=b'{"password":"FAKE-body-password"}') == 503


@scenario("http-retry-new-connection", client=URLLIB3 + " with a Retry of its own pace", machines=["retry"],
          in_force=PACED,
          purpose="A 503 that closes its connection; the repetition goes over a new one and gets 200.",
          shows="The tries of one logical request may lie on several connections: RFC 9112 9.6.")
async def retry_new_connection(port):
    async def first(peer):
        await peer.request()
        await peer.respond("503 Service Unavailable", "Connection: close", date=False)
        peer.close()

    async with Server(port, first, script(["200 OK"]), wrap=HTTPPeer):
        assert await call(port, paced()) == 200


@scenario("http-retry-after-own-date", client=URLLIB3 + " with a Retry of its own pace", machines=["retry"],
          in_force=PACED,
          purpose="A server whose clock is an hour slow sends 503 with its Date and a Retry-After two seconds later.",
          shows="A date counts from the response's own Date, so that a wrong clock does no harm: RFC 9110 6.6.1.")
async def retry_after_own_date(port):
    async def serve(peer):
        await peer.request()
        slow = int(time.time()) - 3600
        await peer.respond("503 Service Unavailable", "Date: " + http_date(slow),
                           "Retry-After: " + http_date(slow + 2), date=False)
        await peer.request()
        await peer.respond("200 OK", body=b"ok", date=False)
        await peer.until_closed()

    async with Server(port, serve, wrap=HTTPPeer):
        assert await call(port, paced()) == 200


@scenario("http-retry-through-redirect", client=URLLIB3 + " with a Retry of its own pace", machines=["retry"],
          in_force=PACED,
          purpose="A GET is redirected by 307 within the origin; the second target answers 503, then 200.",
          shows="A redirect is a hop of the same try, and costs no budget: RFC 9110 15.4.8.")
async def retry_through_redirect(port):
    serve = script(["307 Temporary Redirect", "Location: /v1/moved?key=FAKE-location-key"],
                   ["503 Service Unavailable"], ["200 OK"])
    async with Server(port, serve, wrap=HTTPPeer):
        assert await call(port, paced()) == 200


@scenario("http-retry-transport", client=URLLIB3 + " with a Retry of its own pace", machines=["retry"],
          in_force=PACED + ["retry.transport=true"],
          purpose="The connection is reset after the request, without an answer; the repetition gets 200.",
          shows="A transport error is retried by option, on the same budget and delays: RFC 9110 9.2.2.")
async def retry_transport(port):
    async def first(peer):
        await peer.request()
        peer.reset()

    async with Server(port, first, script(["200 OK"]), wrap=HTTPPeer):
        assert await call(port, paced()) == 200
