// A robot as a process of its own, to be killed: joint states at 1 kHz, and it listens to commands.
// Prints a line once commands come.
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "node_peer.h"
#include "std_msgs/msg/float64_multi_array.h"

int
main(void)
{
  static peer_t peer;
  bool told = false;
  peer_open(&peer);
  while (!session_stop) {
    peer_publish_now(&peer);
    peer_spin(&peer, 1);
    if (!told && peer.commands->count > 100) told = puts("commanded") >= 0;
  }
  peer_close(&peer);
  return 0;
}
