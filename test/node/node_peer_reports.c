// What the node says about itself: /diagnostics and /rosout.
#include <stdlib.h>
#include <string.h>

#include "node_peer.h"

const char *
peer_value(const peer_t * peer, const char * key)
{
  if (peer->report.status.size == 0) return NULL;
  const diagnostic_msgs__msg__KeyValue__Sequence * values = &peer->report.status.data[0].values;
  for (size_t i = 0; i < values->size; i++) {
    if (strcmp(values->data[i].key.data, key) == 0) return values->data[i].value.data;
  }
  return NULL;
}

long long
peer_count(const peer_t * peer, const char * key)
{
  const char * value = peer_value(peer, key);
  return value ? atoll(value) : -1;
}

void
peer_wait_value(peer_t * peer, const char * key, const char * value)
{
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  const char * now = peer_value(peer, key);
  while ((!now || strcmp(now, value) != 0) && now_ns() < end) {
    peer_spin(peer, 100);
    now = peer_value(peer, key);
  }
  if (!now || strcmp(now, value) != 0) {
    fail_msg("%s is %s, not %s; log: %s", key, now ? now : "not there", value, peer->log_text);
  }
}

void
peer_wait_count(peer_t * peer, const char * key, long long value)
{
  char text[32];
  snprintf(text, sizeof text, "%lld", value);
  peer_wait_value(peer, key, text);
}

void
peer_wait_report(peer_t * peer)
{
  const int64_t begin = peer_clock(), end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  const builtin_interfaces__msg__Time * stamp = &peer->report.header.stamp;
  while ((int64_t)stamp->sec * 1000000000 + stamp->nanosec <= begin) {
    if (now_ns() > end) fail_msg("no report; log: %s", peer->log_text);
    peer_spin(peer, 100);
  }
}

const char *
peer_logged(peer_t * peer, const char * text)
{
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  const char * found = strstr(peer->log_text, text);
  while (!found && now_ns() < end) {
    peer_spin(peer, 100);
    found = strstr(peer->log_text, text);
  }
  if (!found) fail_msg("'%s' was not said, but: %s", text, peer->log_text);
  // the whole line
  while (found > peer->log_text && found[-1] != '\n') found--;
  return found;
}

void
peer_forget_log(peer_t * peer)
{
  peer_spin(peer, 0);
  peer->log_text[0] = 0;
}
