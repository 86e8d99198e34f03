#include "quiet_list.h"

#include <string.h>

char called[MOST_CALLS][64], refused[MOST_CALLS][64];
int ncalled, nrefused, embedded;

void
remember(const char * call)
{
  size_t n = strcspn(call, "(");
  if (n > 63) n = 63;
  for (int i = 0; i < ncalled; i++) {
    if (strlen(called[i]) == n && memcmp(called[i], call, n) == 0) return;
  }
  assert_true(ncalled < MOST_CALLS);
  memcpy(called[ncalled], call, n);
  called[ncalled++][n] = 0;
}

void
remember_refused(const char * call)
{
  const size_t n = strcspn(call, "(");
  for (int i = 0; i < nrefused; i++) {
    if (strlen(refused[i]) == n && memcmp(refused[i], call, n) == 0) return;
  }
  assert_true(nrefused < MOST_CALLS && n < 64);
  memcpy(refused[nrefused], call, n);
  refused[nrefused++][n] = 0;
}
