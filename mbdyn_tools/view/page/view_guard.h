/// \file view_guard.h
/// Who may ask for what: hosts, origins, tokens, paths. No network.
///
///   view_guard_host       the Host header: against names that lead here by somebody else's DNS
///   view_guard_origin     the Origin header: against other pages in the same browser
///   view_guard_token      Authorization, cookie or query
///   view_guard_path       a path that stays in its folder
///   view_guard_loopback   an address that only this machine reaches
///   view_guard_new_token
#ifndef VIEW_GUARD_H_
#define VIEW_GUARD_H_

#include <stdbool.h>
#include <stddef.h>

enum { VIEW_NAMES = 16, VIEW_TOKEN = 128 };

typedef struct view_guard {
  const char * name[VIEW_NAMES];  ///< hosts beside localhost and addresses
  int nname;
  const char * origin[VIEW_NAMES];  ///< beside the page's own
  int norigin;
  char token[VIEW_TOKEN];  ///< "": none is needed
} view_guard_t;

/// \param[in] host  "localhost:8642"; NULL or "" is refused
bool view_guard_host(const view_guard_t * guard, const char * host);

/// \param[in] origin  "http://localhost:8642"; NULL or "": not a browser
/// \param[in] host    the Host header of the same request
bool view_guard_origin(const view_guard_t * guard, const char * origin, const char * host);

/// Each may be NULL. The cookie header may have others in it.
bool view_guard_token(
  const view_guard_t * guard, const char * authorization, const char * cookie, const char * query);

/// A decoded path such as "/assets/a.js": begins with a slash, no empty or hidden part, no "..", no
/// backslash, no control character.
bool view_guard_path(const char * path);

bool view_guard_loopback(const char * address);

/// 32 random hexadecimal digits; false if the system gives none.
bool view_guard_new_token(view_guard_t * guard);

#endif  // VIEW_GUARD_H_
