// Bytes as an MCAP file.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_bag.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  const int fd = memfd_create("fuzz", 0);
  if (fd < 0) return 0;
  if (write(fd, data, size) != (ssize_t)size) {
    close(fd);
    return 0;
  }
  bag_error_t error = {""};
  fuzz_bag(mcap_open_fd(fd, "fuzz", &error), &error);
  return 0;
}
