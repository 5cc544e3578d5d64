// A bare loop over a capture with libpcap: what any reader pays before it looks at a packet.
//
//   loop FILE
#include <pcap/pcap.h>
#include <stdio.h>

int main(int count, char **words) {
  char error[PCAP_ERRBUF_SIZE];
  pcap_t *capture = count == 2 ? pcap_open_offline(words[1], error) : NULL;
  if (!capture) {
    fputs("usage: loop FILE\n", stderr);
    return 2;
  }
  struct pcap_pkthdr *header;
  const unsigned char *bytes;
  unsigned long packets = 0, sum = 0;
  while (pcap_next_ex(capture, &header, &bytes) == 1) {
    packets++;
    sum += header->caplen;
  }
  printf("%lu packets, %lu bytes\n", packets, sum);
  pcap_close(capture);
  return 0;
}
