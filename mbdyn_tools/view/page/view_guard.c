#include "view_guard.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

//---------- hosts ----------

// "name:port", "[::1]:port" -> "name", "::1"; false if it is neither
static bool
host_name(const char * host, char * name, size_t size)
{
  const bool bracket = host[0] == '[';
  const char * from = host + (bracket ? 1 : 0);
  const size_t n = strcspn(from, bracket ? "]" : ":");
  const char * rest = from + n;
  if (n == 0 || n >= size || (bracket && *rest++ != ']')) return false;
  if (*rest == ':') rest += 1 + strspn(rest + 1, "0123456789");
  if (*rest) return false;
  memcpy(name, from, n);
  name[n] = 0;
  return true;
}

static bool
is_address(const char * name)
{
  unsigned char address[16];
  return inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1;
}

bool
view_guard_loopback(const char * address)
{
  unsigned char a[16];
  static const unsigned char one[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  if (strcasecmp(address, "localhost") == 0) return true;
  if (inet_pton(AF_INET, address, a) == 1) return a[0] == 127;
  return inet_pton(AF_INET6, address, a) == 1 && memcmp(a, one, sizeof one) == 0;
}

// an address can be nobody's name: another page cannot make it lead here
bool
view_guard_host(const view_guard_t * guard, const char * host)
{
  char name[256];
  if (!host || !host_name(host, name, sizeof name)) return false;
  if (strcasecmp(name, "localhost") == 0 || is_address(name)) return true;
  for (int i = 0; i < guard->nname; i++) {
    if (strcasecmp(name, guard->name[i]) == 0) return true;
  }
  return false;
}

bool
view_guard_origin(const view_guard_t * guard, const char * origin, const char * host)
{
  if (!origin || !*origin) return true;
  for (int i = 0; i < guard->norigin; i++) {
    if (strcasecmp(origin, guard->origin[i]) == 0) return true;
  }
  const char * scheme = "http://";
  const size_t n = strlen(scheme);
  return host && strncasecmp(origin, scheme, n) == 0 && strcasecmp(origin + n, host) == 0;
}

//---------- tokens ----------

// in the same time whatever they are
static bool
same(const char * token, const char * given, size_t n)
{
  unsigned char difference = (unsigned char)(strlen(token) != n);
  const size_t length = strlen(token);
  for (size_t i = 0; i < length; i++) {
    difference |= (unsigned char)(token[i] ^ (i < n ? given[i] : 0));
  }
  return difference == 0;
}

// "a=1; name=VALUE; b=2" or "a=1&name=VALUE"; a port may follow the name, for browsers give the
// cookies of all ports of a machine to each
static bool
has_value(const char * text, const char * name, char separator, const char * token)
{
  const size_t n = strlen(name);
  while (text && *text) {
    while (*text == ' ') text++;
    const char * end = strchr(text, separator);
    const size_t size = end ? (size_t)(end - text) : strlen(text);
    const bool named = size > n && strncmp(text, name, n) == 0;
    const size_t value = n + (named ? strspn(text + n, "_0123456789") : 0) + 1;
    if (named && value <= size && text[value - 1] == '=') {
      if (same(token, text + value, size - value)) return true;
    }
    text = end ? end + 1 : NULL;
  }
  return false;
}

bool
view_guard_token(
  const view_guard_t * guard, const char * authorization, const char * cookie, const char * query)
{
  static const char bearer[] = "Bearer ";
  const size_t n = sizeof bearer - 1;
  if (!*guard->token) return true;
  if (
    authorization && strncasecmp(authorization, bearer, n) == 0 &&
    same(guard->token, authorization + n, strlen(authorization + n))) {
    return true;
  }
  return has_value(cookie, "mbdyn_token", ';', guard->token) ||
         has_value(query, "token", '&', guard->token);
}

bool
view_guard_new_token(view_guard_t * guard)
{
  unsigned char random[16];
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) return false;
  for (size_t i = 0; i < sizeof random; i++) {
    snprintf(guard->token + 2 * i, 3, "%02x", random[i]);
  }
  return true;
}

//---------- paths ----------

bool
view_guard_path(const char * path)
{
  if (path[0] != '/') return false;
  for (const char * c = path; *c; c++) {
    if (iscntrl((unsigned char)*c) || *c == '\\') return false;
    // covers "..", "." and what is hidden
    if (*c == '/' && (c[1] == '.' || c[1] == '/')) return false;
  }
  return true;
}
