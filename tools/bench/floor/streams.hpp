// HTTP/1, WebSocket and event streams of one connection, decoded as bytes pass: only what is incomplete is kept.
#pragma once
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <strings.h>

// Where events go: an instant, a connection, a kind and a number of bytes.
struct Sink {
  void (*put)(uint64_t time, uint32_t connection, std::string_view kind, uint64_t bytes);
};

// Lines of text/event-stream. Counts the data of a block; keeps only the first bytes of a line.
struct EventLines {
  bool begun = false, afterCR = false, hasData = false, hasID = false, isRetry = false;
  uint64_t data = 0, line = 0, valueStart = 0;
  char name[8];

  template <class Emit> void take(const uint8_t *p, size_t n, Emit emit) {
    size_t i = 0;
    while (i < n) {
      if (afterCR) {
        afterCR = false;
        if (p[i] == '\n') { i++; continue; }
      }
      const uint8_t *lf = (const uint8_t *)memchr(p + i, '\n', n - i);
      size_t limit = lf ? lf - p : n;
      const uint8_t *cr = (const uint8_t *)memchr(p + i, '\r', limit - i);
      size_t end = cr ? cr - p : limit;
      for (size_t k = i; k < end && line + (k - i) < sizeof name; k++) name[line + (k - i)] = p[k];
      line += end - i;
      if (end == n) return;
      afterCR = p[end] == '\r';
      i = end + 1;
      endLine(emit);
    }
  }

  template <class Emit> void endLine(Emit emit) {
    uint64_t length = line;
    const char *start = name;
    if (!begun && length >= 3 && !memcmp(name, "\xEF\xBB\xBF", 3)) {
      length -= 3;
      start += 3;
    }
    begun = true;
    line = 0;
    size_t kept = length < 5 ? length : 5;
    if (length == 0) {
      if (hasData) emit("sse.event", data);
      else if (hasID) emit("sse.id", 0);
      hasData = hasID = false;
      data = 0;
    } else if (*start == ':') {
      emit("sse.comment", 0);
    } else if (kept >= 4 && !memcmp(start, "data", 4)) {
      uint64_t value = length > 5 ? length - 5 : 0;
      if (value && start[5] == ' ') value--;
      data += value + (hasData ? 1 : 0);
      hasData = true;
    } else if (kept >= 3 && !memcmp(start, "id:", 3)) {
      hasID = true;
    } else if (kept >= 5 && !memcmp(start, "retry", 5)) {
      emit("sse.retry", 0);
    }
  }
};

struct Request { char method; bool isStream, isSocket; };

// One direction of a connection.
struct Direction {
  enum State { head, length, chunkSize, chunkData, chunkEnd, trailer, untilClose, socket, dead };
  State state = head;
  bool isResponse = false, isStream = false;
  uint64_t rest = 0, body = 0;
  std::string carry;
  EventLines lines;
  // WebSocket
  uint8_t opcode = 0, kind = 0, mask[4];
  bool isFinal = false, isMasked = false;
  uint64_t message = 0, frame = 0, position = 0;
  uint8_t control[125];
};

struct Connection {
  Direction out, in;
  std::deque<Request> waiting;
  uint32_t number = 0;

  void take(Direction &d, const uint8_t *p, size_t n, uint64_t time, const Sink &sink);

private:
  bool headOf(Direction &d, std::string_view text, uint64_t time, const Sink &sink);
  bool frames(Direction &d, const uint8_t *p, size_t n, uint64_t time, const Sink &sink);
  void endFrame(Direction &d, uint64_t time, const Sink &sink);
  void endBody(Direction &d, uint64_t time, const Sink &sink);
};
