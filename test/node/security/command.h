/// \file command.h
/// A command that ends by itself.
#ifndef COMMAND_H_
#define COMMAND_H_

#include <stddef.h>

/// Runs it and keeps what it prints, as far as that fits.
/// \param[in]  argv    with the path first and NULL last
/// \param[out] output  NULL: not wanted
/// \return exit code, or 128 + signal; it is killed after a minute of silence
int command_run(const char * const * argv, char * output, size_t size);

#endif  // COMMAND_H_
