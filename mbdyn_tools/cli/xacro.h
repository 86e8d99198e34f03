/// \file xacro.h
/// Robot descriptions with macros: expanded by the program `xacro`, which comes with ROS 2.
///
///   xacro_is       true for names that end in ".xacro"
///   xacro_expand   the URDF that `xacro FILE` prints
#ifndef XACRO_H_
#define XACRO_H_

#include <stdbool.h>
#include <stddef.h>

bool xacro_is(const char * path);

/// Run `xacro PATH`, found on PATH, without a shell. Its messages go to stderr.
/// \param[out] size  bytes, without the final NUL
/// \return to be freed; NULL after a message on stderr
char * xacro_expand(const char * path, size_t * size);

#endif  // XACRO_H_
