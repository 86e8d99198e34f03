/// \file cpp_log.h
/// A log handler of console_bridge, as a program beside ours may have one.
#ifndef CPP_LOG_H_
#define CPP_LOG_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Install a handler that counts, with the level that shows everything; or the one before again.
void cpp_log_install(bool counting);

/// Log an error through console_bridge.
void cpp_log_error(void);

/// Messages that the handler got.
int cpp_log_count(void);

/// The handler and the level are those that were installed.
bool cpp_log_untouched(void);

#ifdef __cplusplus
}
#endif

#endif  // CPP_LOG_H_
