// A plain reader of captures, to compare with: TCP, HTTP/1, WebSocket and event streams in one pass, and a short line
// for each event. No redaction, no checks, no limits; Ethernet with IPv4 and IPv6 only.
//
//   floor FILE      lines on standard output: instant, connection, kind, bytes
#include "streams.hpp"
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <pcap/pcap.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace {

// Lines are put together by hand, and handed on in blocks.
struct Lines {
  std::vector<char> block = std::vector<char>(1 << 18);
  size_t used = 0;

  void number(uint64_t value) {
    char digits[20];
    int at = 20;
    do digits[--at] = char('0' + value % 10); while (value /= 10);
    memcpy(&block[used], digits + at, 20 - at);
    used += 20 - at;
  }
  void put(uint64_t time, uint32_t connection, std::string_view kind, uint64_t bytes) {
    if (used + 128 > block.size()) flush();
    number(time);
    block[used++] = '\t';
    number(connection);
    block[used++] = '\t';
    memcpy(&block[used], kind.data(), kind.size());
    used += kind.size();
    block[used++] = '\t';
    number(bytes);
    block[used++] = '\n';
  }
  void flush() {
    for (size_t done = 0; done < used;) {
      ssize_t count = write(1, &block[done], used - done);
      if (count <= 0) _exit(2);
      done += count;
    }
    used = 0;
  }
} lines;

struct Key {
  uint64_t words[5] = {};
  bool operator==(const Key &other) const { return !memcmp(words, other.words, sizeof words); }
};
struct Hash {
  size_t operator()(const Key &key) const {
    uint64_t hash = 0;
    for (uint64_t word : key.words) hash = (hash ^ word) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 32;
    return hash;
  }
};

// One direction's order of bytes.
struct Order {
  bool isKnown = false;
  uint32_t next = 0;
  std::map<uint32_t, std::string> ahead;
};

struct Flow {
  Connection talk;
  Order order[2];
  Key key;
  bool isFirstClient = true;
};

struct Segment {
  Key key;
  bool isFirst;
  uint32_t sequence;
  uint8_t flags;
  const uint8_t *payload;
  size_t count;
};

uint16_t two(const uint8_t *p) { return uint16_t(p[0] << 8 | p[1]); }
uint32_t four(const uint8_t *p) { return uint32_t(two(p)) << 16 | two(p + 2); }

bool decode(const uint8_t *p, size_t n, Segment &s) {
  if (n < 54) return false;
  const uint8_t *ip = p + 14, *tcp;
  size_t length, addresses;
  const uint8_t *from;
  if (two(p + 12) == 0x0800) {
    if (ip[9] != 6) return false;
    length = two(ip + 2) - (ip[0] & 15) * 4u;
    tcp = ip + (ip[0] & 15) * 4;
    from = ip + 12;
    addresses = 4;
  } else if (two(p + 12) == 0x86DD) {
    if (ip[6] != 6) return false;
    length = two(ip + 4);
    tcp = ip + 40;
    from = ip + 8;
    addresses = 16;
  } else return false;
  size_t header = (tcp[12] >> 4) * 4u;
  if (tcp + length > p + n || header > length) return false;
  int compared = memcmp(from, from + addresses, addresses);
  s.isFirst = compared < 0 || (compared == 0 && two(tcp) < two(tcp + 2));
  s.key = Key();
  memcpy(s.key.words, from + (s.isFirst ? 0 : addresses), addresses);
  memcpy(s.key.words + 2, from + (s.isFirst ? addresses : 0), addresses);
  s.key.words[4] = uint64_t(two(tcp + (s.isFirst ? 0 : 2))) << 16 | two(tcp + (s.isFirst ? 2 : 0));
  s.sequence = four(tcp + 4);
  s.flags = tcp[13];
  s.payload = tcp + header;
  s.count = length - header;
  return true;
}

void deliver(Flow &flow, bool isFirst, const uint8_t *p, size_t n, uint64_t time) {
  static const Sink sink = {[](uint64_t t, uint32_t c, std::string_view k, uint64_t b) { lines.put(t, c, k, b); }};
  flow.talk.take(isFirst == flow.isFirstClient ? flow.talk.out : flow.talk.in, p, n, time, sink);
}

void take(Flow &flow, const Segment &s, uint64_t time) {
  Order &order = flow.order[s.isFirst ? 0 : 1];
  if (s.flags & 2) {
    order.next = s.sequence + 1;
    order.isKnown = true;
    if (!(s.flags & 16)) flow.isFirstClient = s.isFirst;
    return;
  }
  if (!s.count) return;
  if (!order.isKnown) {
    order.isKnown = true;
    order.next = s.sequence;
  }
  int32_t offset = int32_t(order.next - s.sequence);
  if (offset < 0) {
    order.ahead.try_emplace(s.sequence, (const char *)s.payload, s.count);
    return;
  }
  if (size_t(offset) >= s.count) return;
  order.next = s.sequence + uint32_t(s.count);
  deliver(flow, s.isFirst, s.payload + offset, s.count - offset, time);
  for (auto held = order.ahead.begin(); held != order.ahead.end();) {
    int32_t skip = int32_t(order.next - held->first);
    if (skip >= 0 && size_t(skip) < held->second.size()) {
      order.next = held->first + uint32_t(held->second.size());
      std::string bytes = std::move(held->second);
      order.ahead.erase(held);
      deliver(flow, s.isFirst, (const uint8_t *)bytes.data() + skip, bytes.size() - skip, time);
      held = order.ahead.begin();
    } else if (skip >= 0) {
      held = order.ahead.erase(held);
    } else {
      ++held;
    }
  }
}

}  // namespace

int main(int count, char **words) {
  char error[PCAP_ERRBUF_SIZE];
  pcap_t *capture = count == 2 ? pcap_open_offline(words[1], error) : nullptr;
  if (!capture) {
    fputs("usage: floor FILE\n", stderr);
    return 2;
  }
  std::unordered_map<Key, std::unique_ptr<Flow>, Hash> flows;
  Flow *last = nullptr;
  uint32_t connections = 0;
  uint64_t base = 0;
  pcap_pkthdr *header;
  const u_char *bytes;
  while (pcap_next_ex(capture, &header, &bytes) == 1) {
    uint64_t time = uint64_t(header->ts.tv_sec) * 1'000'000 + uint64_t(header->ts.tv_usec);
    if (!base) base = time;
    Segment segment;
    if (!decode(bytes, header->caplen, segment)) continue;
    if (!last || !(last->key == segment.key)) {
      auto &found = flows[segment.key];
      if (!found) {
        found = std::make_unique<Flow>();
        found->key = segment.key;
        found->talk.number = ++connections;
      }
      last = found.get();
    }
    take(*last, segment, time - base);
  }
  lines.flush();
  pcap_close(capture);
  return 0;
}
