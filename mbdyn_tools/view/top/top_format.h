/// \file top_format.h
/// Numbers and sparklines as text. No terminal.
#ifndef TOP_FORMAT_H_
#define TOP_FORMAT_H_

#include <stdbool.h>
#include <stddef.h>

/// A number in exactly `width` characters, as many digits as fit; "-" if it is not finite.
void top_number(double x, int width, char * text, size_t size);

/// Text in exactly `width` columns; what is cut ends in '~'.
void top_text(const char * from, int width, char * text, size_t size);

/// The last numbers as bars between their least and greatest, `width` of them, blanks before the
/// first; NaN is a blank.
void top_spark(const float * x, int n, int width, bool utf8, char * text, size_t size);

/// "12.3 us", "4.5 ms", "6.7 s"
void top_duration(double seconds, char * text, size_t size);

#endif  // TOP_FORMAT_H_
