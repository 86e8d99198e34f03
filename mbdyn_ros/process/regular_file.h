/// \file regular_file.h
/// A file whose name comes from a parameter or a service call, read whole. Never blocks: FIFOs and
/// devices are refused, and a disk or network mount that does not answer costs REGULAR_FILE_DEADLINE.
///
///   regular_file_read    the bytes with a final NUL, or why not
#ifndef MBDYN_ROS__REGULAR_FILE_H_
#define MBDYN_ROS__REGULAR_FILE_H_

#include <stddef.h>

enum { REGULAR_FILE_DEADLINE = 500 };  ///< for one file [ms]

/// Opens, checks and reads on a thread of its own. A read that is over the deadline goes on in the
/// background and its result is dropped; with four of them nothing more is read.
/// \param[in]  most    bytes that it may have
/// \param[out] size    bytes that it has, without the final NUL
/// \param[out] reason  without the path: "not a regular file"
/// \return to be freed; NULL after a reason
char * regular_file_read(
  const char * path, size_t most, size_t * size, char * reason, size_t reason_size);

#endif  // MBDYN_ROS__REGULAR_FILE_H_
