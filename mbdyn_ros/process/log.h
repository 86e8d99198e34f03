/// \file log.h
/// Log lines and messages with text that came from the wire in them: escaped and throttled here, and
/// nowhere else.
///
///   NODE_LOG          a line under the node's own name, which is what reaches /rosout
///   LOGGER_LOG        the same by the logger's name
///   text_printable    text for a line, a terminal or a message: valid UTF-8 without controls
#ifndef MBDYN_ROS__LOG_H_
#define MBDYN_ROS__LOG_H_

#include <stdatomic.h>
#include <stddef.h>

#include "rcl/node.h"
#include "rcutils/logging.h"

enum {
  LOG_LINE_MAX = 2048,  ///< bytes of a line
  LOG_BURST = 20        ///< lines of one place in the code in one second; more are left out
};

/// A place in the code that logs.
typedef struct log_site {
  atomic_int_least64_t second;  ///< steady clock
  atomic_int count;             ///< lines in it
} log_site_t;

/// Use the macros.
__attribute__((format(printf, 5, 6))) void log_line(
  log_site_t * site, const rcutils_log_location_t * location, int severity, const char * name,
  const char * format, ...);

#define LOGGER_LOG(name, severity, ...)                                                       \
  do {                                                                                        \
    static log_site_t log_site_;                                                              \
    const rcutils_log_location_t log_location_ = {__func__, __FILE__, __LINE__};              \
    log_line(&log_site_, &log_location_, RCUTILS_LOG_SEVERITY_##severity, name, __VA_ARGS__); \
  } while (0)

/// Never from a control thread.
#define NODE_LOG(node, severity, ...) \
  LOGGER_LOG(rcl_node_get_logger_name(node), severity, __VA_ARGS__)

/// Copies text; bytes that are no UTF-8 and control characters become \x1b, line separators and marks
/// that turn the direction of text \u202e. What does not fit is left out and ends in "...".
/// \param[in]  text  ends in 0
/// \param[in]  size  of out, at least 4
/// \return out
char * text_printable(const char * text, char * out, size_t size);

#endif  // MBDYN_ROS__LOG_H_
