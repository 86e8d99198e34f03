// recv() is defined here, and a checked inline one would be in the way
#undef _FORTIFY_SOURCE
#include "view_masking.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

typedef enum { FOREIGN, HTTP, FRAMES } speech_t;

typedef struct stream {
  uint8_t speech;
  uint8_t matched;   // HTTP: bytes of the empty line that ends a request
  uint8_t have;      // FRAMES: bytes of the head
  uint8_t need;      // bytes that the head has, as far as it is known
  bool more;         // HTTP: bytes have come with the request, behind it
  uint8_t head[10];  // without the mask
  uint64_t left;     // bytes of mask and payload
} stream_t;

static stream_t streams[VIEW_DESCRIPTORS];

static stream_t *
stream_of(int fd)
{
  return fd >= 0 && fd < VIEW_DESCRIPTORS ? &streams[fd] : NULL;
}

bool
view_masking_begin(int fd)
{
  stream_t * s = stream_of(fd);
  if (!s) return false;
  memset(s, 0, sizeof *s);
  s->speech = HTTP;
  return true;
}

bool
view_masking_upgrade(int fd)
{
  stream_t * s = stream_of(fd);
  if (!s || s->speech != HTTP || s->more) return false;
  s->speech = FRAMES;
  return true;
}

void
view_masking_end(int fd)
{
  stream_t * s = stream_of(fd);
  if (s) s->speech = FOREIGN;
}

static void
feed_http(stream_t * s, const uint8_t * bytes, size_t n)
{
  static const char end[] = "\r\n\r\n";
  for (size_t i = 0; i < n; i++) {
    const uint8_t again = bytes[i] == '\r' ? 1 : 0;
    s->matched = bytes[i] == (uint8_t)end[s->matched] ? (uint8_t)(s->matched + 1) : again;
    if (s->matched < 4) continue;
    s->matched = 0;
    if (i + 1 < n) s->more = true;
  }
}

// a head is complete: how much follows
static uint64_t
rest_of_frame(const uint8_t * head)
{
  uint64_t n = head[1] & 0x7f;
  if (n < 126) return n + 4;
  const int bytes = n == 126 ? 2 : 8;
  n = 0;
  for (int k = 0; k < bytes; k++) n = n << 8 | head[2 + k];
  // nothing is as long as that; libwebsockets refuses it
  return n > UINT64_MAX / 2 ? UINT64_MAX / 2 : n + 4;
}

static bool
feed_frames(stream_t * s, const uint8_t * bytes, size_t n)
{
  size_t i = 0;
  while (i < n) {
    if (s->left > 0) {
      const size_t skip = s->left < n - i ? (size_t)s->left : n - i;
      s->left -= skip;
      i += skip;
      continue;
    }
    s->head[s->have++] = bytes[i++];
    if (s->have == 1) s->need = 2;
    if (s->have == 2) {
      const uint8_t length = s->head[1] & 0x7f;
      if (!(s->head[1] & 0x80)) return false;
      s->need = length == 126 ? 4 : length == 127 ? 10 : 2;
    }
    if (s->have < s->need) continue;
    s->left = rest_of_frame(s->head);
    s->have = 0;
  }
  return true;
}

bool
view_masking_feed(int fd, const uint8_t * bytes, size_t n)
{
  stream_t * s = stream_of(fd);
  if (!s || s->speech == FOREIGN) return true;
  if (s->speech == FRAMES) return feed_frames(s, bytes, n);
  feed_http(s, bytes, n);
  return true;
}

// what libwebsockets is linked with
__attribute__((visibility("default"))) ssize_t
recv(int fd, void * buffer, size_t size, int flags)
{
  const ssize_t n = recvfrom(fd, buffer, size, flags, NULL, NULL);
  if (n <= 0 || (flags & MSG_PEEK) || view_masking_feed(fd, buffer, (size_t)n)) return n;
  errno = EPROTO;
  return -1;
}
