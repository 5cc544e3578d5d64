#include "streams.hpp"
#include <algorithm>
#include <charconv>

using std::string_view;

// The value of a header field, or nothing.
static string_view field(string_view head, string_view name) {
  size_t at = head.find('\n');
  while (at != string_view::npos && at + 1 < head.size()) {
    size_t end = head.find('\n', at + 1);
    string_view row = head.substr(at + 1, (end == string_view::npos ? head.size() : end) - at - 1);
    if (row.size() > name.size() && row[name.size()] == ':' && !strncasecmp(row.data(), name.data(), name.size())) {
      row.remove_prefix(name.size() + 1);
      while (!row.empty() && row.front() == ' ') row.remove_prefix(1);
      while (!row.empty() && (row.back() == '\r' || row.back() == ' ')) row.remove_suffix(1);
      return row;
    }
    at = end;
  }
  return {};
}

// Reads a head; false if the rest of the stream cannot be read.
bool Connection::headOf(Direction &d, string_view text, uint64_t time, const Sink &sink) {
  string_view first = text.substr(0, text.find('\r'));
  d.isResponse = first.starts_with("HTTP/1.");
  d.body = 0;
  d.isStream = false;
  uint64_t count = 0;
  string_view given = field(text, "content-length");
  std::from_chars(given.data(), given.data() + given.size(), count);
  bool isChunked = field(text, "transfer-encoding").starts_with("chunked");
  char kind[24];
  if (!d.isResponse) {
    string_view method = first.substr(0, std::min<size_t>(first.find(' '), 8));
    bool isSocket = !field(text, "sec-websocket-key").empty();
    bool isStream = field(text, "accept") == "text/event-stream";
    waiting.push_back({method.empty() ? '?' : method[0], isStream, isSocket});
    int n = isSocket ? snprintf(kind, sizeof kind, "ws.connect")
            : isStream ? snprintf(kind, sizeof kind, "sse.connect")
                       : snprintf(kind, sizeof kind, "http.send %.*s", (int)method.size(), method.data());
    sink.put(time, number, {kind, (size_t)n}, count);
    d.state = isChunked ? Direction::chunkSize : count ? Direction::length : Direction::head;
    d.rest = count;
    return true;
  }
  int status = 0;
  if (first.size() >= 12) std::from_chars(first.data() + 9, first.data() + 12, status);
  Request request = waiting.empty() ? Request{'G', false, false} : waiting.front();
  bool isInterim = status < 200 && status != 101;
  if (!isInterim && !waiting.empty()) waiting.pop_front();
  const char *name = request.isSocket ? status == 101 ? "ws.open" : "ws.refused"
                     : request.isStream ? "sse.open" : "http.response";
  int n = snprintf(kind, sizeof kind, "%s %d", name, status);
  sink.put(time, number, {kind, (size_t)n}, 0);
  if (status == 101) {
    out.state = in.state = Direction::socket;
    return true;
  }
  d.isStream = field(text, "content-type").starts_with("text/event-stream");
  if (d.isStream) d.lines = EventLines();
  bool isEmpty = isInterim || status == 204 || status == 304 || request.method == 'H';
  if (isEmpty) d.state = Direction::head;
  else if (isChunked) d.state = Direction::chunkSize;
  else if (!given.empty()) d.state = count ? Direction::length : Direction::head;
  else d.state = Direction::untilClose;
  d.rest = count;
  return true;
}

void Connection::endBody(Direction &d, uint64_t time, const Sink &sink) {
  if (d.body && !d.isStream) sink.put(time, number, d.isResponse ? "http.body in" : "http.body out", d.body);
  d.state = Direction::head;
}

void Connection::take(Direction &d, const uint8_t *p, size_t n, uint64_t time, const Sink &sink) {
  size_t i = 0;
  auto content = [&](size_t count) {
    d.body += count;
    if (d.isStream) d.lines.take(p + i, count, [&](string_view kind, uint64_t bytes) { sink.put(time, number, kind, bytes); });
    i += count;
  };
  // A line, from the carry and the bytes; false if it is not whole.
  auto line = [&](string_view &text) {
    const uint8_t *end = (const uint8_t *)memchr(p + i, '\n', n - i);
    size_t count = end ? end - (p + i) + 1 : n - i;
    if (end && d.carry.empty()) {
      text = {(const char *)p + i, count};
    } else {
      d.carry.append((const char *)p + i, count);
      text = d.carry;
    }
    i += count;
    return end != nullptr;
  };
  while (i < n) {
    switch (d.state) {
    case Direction::head: {
      const char *at = (const char *)p + i;
      size_t count = n - i;
      if (!d.carry.empty()) {
        size_t had = d.carry.size();
        d.carry.append(at, count);
        size_t end = d.carry.find("\r\n\r\n", had > 3 ? had - 3 : 0);
        if (end == std::string::npos) return;
        std::string text;
        text.swap(d.carry);
        i += end + 4 - had;
        headOf(d, string_view(text).substr(0, end + 2), time, sink);
      } else {
        const char *end = (const char *)memmem(at, count, "\r\n\r\n", 4);
        if (!end) {
          d.carry.assign(at, count);
          return;
        }
        i += end - at + 4;
        headOf(d, {at, (size_t)(end - at + 2)}, time, sink);
      }
      break;
    }
    case Direction::length: {
      size_t count = std::min<uint64_t>(d.rest, n - i);
      d.rest -= count;
      content(count);
      if (!d.rest) endBody(d, time, sink);
      break;
    }
    case Direction::chunkSize: {
      string_view text;
      if (!line(text)) return;
      d.rest = 0;
      bool isSize = std::from_chars(text.data(), text.data() + text.size(), d.rest, 16).ec == std::errc();
      d.carry.clear();
      d.state = !isSize ? Direction::dead : d.rest ? Direction::chunkData : Direction::trailer;
      break;
    }
    case Direction::chunkData: {
      size_t count = std::min<uint64_t>(d.rest, n - i);
      d.rest -= count;
      content(count);
      if (!d.rest) d.state = Direction::chunkEnd;
      break;
    }
    case Direction::chunkEnd: {
      string_view text;
      if (!line(text)) return;
      d.carry.clear();
      d.state = Direction::chunkSize;
      break;
    }
    case Direction::trailer: {
      string_view text;
      if (!line(text)) return;
      bool isBlank = text == "\r\n" || text == "\n";
      d.carry.clear();
      if (isBlank) endBody(d, time, sink);
      break;
    }
    case Direction::untilClose: content(n - i); break;
    case Direction::socket:
      frames(d, p + i, n - i, time, sink);
      return;
    case Direction::dead: return;
    }
  }
}

bool Connection::frames(Direction &d, const uint8_t *p, size_t n, uint64_t time, const Sink &sink) {
  size_t i = 0;
  while (i < n || (d.frame && d.position == d.rest)) {
    if (!d.frame) {
      // A frame's head has at most 14 bytes.
      while (i < n) {
        d.carry.push_back((char)p[i++]);
        const uint8_t *h = (const uint8_t *)d.carry.data();
        size_t size = d.carry.size();
        if (size < 2) continue;
        size_t extended = (h[1] & 127) == 126 ? 2 : (h[1] & 127) == 127 ? 8 : 0;
        if (size < 2 + extended + (h[1] & 128 ? 4 : 0)) continue;
        d.rest = extended ? 0 : h[1] & 127;
        for (size_t k = 0; k < extended; k++) d.rest = d.rest << 8 | h[2 + k];
        d.isMasked = h[1] & 128;
        if (d.isMasked) memcpy(d.mask, h + 2 + extended, 4);
        d.opcode = h[0] & 15;
        d.isFinal = h[0] & 128;
        if (d.opcode == 1 || d.opcode == 2) {
          d.kind = d.opcode;
          d.message = 0;
        }
        d.position = 0;
        d.frame = 1;
        d.carry.clear();
        break;
      }
      if (!d.frame) return true;
    }
    size_t count = std::min<uint64_t>(d.rest - d.position, n - i);
    if (d.opcode >= 8)
      for (size_t k = 0; k < count && d.position + k < sizeof d.control; k++)
        d.control[d.position + k] = p[i + k] ^ (d.isMasked ? d.mask[(d.position + k) & 3] : 0);
    d.position += count;
    i += count;
    if (d.position < d.rest) return true;
    d.frame = 0;
    endFrame(d, time, sink);
  }
  return true;
}

void Connection::endFrame(Direction &d, uint64_t time, const Sink &sink) {
  const char *way = &d == &out ? "out" : "in";
  char kind[32];
  int n = 0;
  uint64_t bytes = d.rest;
  switch (d.opcode) {
  case 0: case 1: case 2:
    d.message += d.rest;
    if (!d.isFinal) return;
    n = snprintf(kind, sizeof kind, "ws.message %s %s", way, d.kind == 1 ? "text" : "binary");
    bytes = d.message;
    break;
  case 8:
    n = snprintf(kind, sizeof kind, "ws.close %s %d", way, d.rest >= 2 ? d.control[0] << 8 | d.control[1] : 0);
    bytes = 0;
    break;
  case 9: n = snprintf(kind, sizeof kind, "ws.ping %s", way); break;
  case 10: n = snprintf(kind, sizeof kind, "ws.pong %s", way); break;
  default: return;
  }
  sink.put(time, number, {kind, (size_t)n}, bytes);
}
