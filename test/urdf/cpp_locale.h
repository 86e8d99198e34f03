#ifndef CPP_LOCALE_H_
#define CPP_LOCALE_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// std::locale::global with a decimal comma and grouped digits, or the classic one again.
void set_cpp_locale(bool decimal_comma);

#ifdef __cplusplus
}
#endif

#endif  // CPP_LOCALE_H_
