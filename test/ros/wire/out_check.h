/// \file out_check.h
/// Messages that the node sends, as the generated types read them.
///
///   for_each_list                   names of every length
///   next, next_numbers              numbers of which no two are the same
///   decode, release                 the message that the bytes are
///   assert_follow, assert_sequence  numbers that next gave
///   assert_names, assert_header
#ifndef OUT_CHECK_H_
#define OUT_CHECK_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "messages_out.h"
#include "rosidl_runtime_c/primitives_sequence.h"
#include "rosidl_runtime_c/string.h"
#include "std_msgs/msg/header.h"

typedef rosidl_runtime_c__double__Sequence doubles_t;
typedef rosidl_runtime_c__String__Sequence strings_t;

enum { NAMES = 12 };
extern const char * const name[NAMES];
extern const char * const other[NAMES];

/// Calls a test with lists of names that end at every alignment, none among them.
void for_each_list(void (*test)(const char * frame, out_names_t names));
out_names_t names_from(const char * const * list, size_t first, size_t n);

/// The last number that next gave.
extern double count;
double next(void);
const double * next_numbers(size_t n);

/// Decodes, and writes again: the bytes have to be the same.
void * decode(const char * type, const out_message_t * m);
void release(const char * type, void * message);

void assert_double(double x, double expected);
/// n numbers that next gave after start.
/// \return the last of them
double assert_follow(const double * x, size_t n, double start);
double assert_sequence(const doubles_t * s, size_t n, double start);
/// n numbers that were not filled in yet.
void assert_unknown(const doubles_t * s, size_t n);
void assert_names(const strings_t * s, out_names_t names);

/// What every header is filled with.
extern const int64_t stamp;
void assert_header(const std_msgs__msg__Header * h, const char * frame);

#endif  // OUT_CHECK_H_
