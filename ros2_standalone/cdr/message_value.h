// Single values of a message, by the number of their type.
#ifndef MESSAGE_VALUE_H_
#define MESSAGE_VALUE_H_

#include "cdr_internal.h"

// a number as text
typedef struct value_text {
  char s[40];
} value_text_t;

// float or double
bool value_is_real(uint8_t type);
double value_get_real(uint8_t type, const void * field);
void value_set_real(uint8_t type, void * field, double x);

// byte, char, int8 ... uint64
bool value_is_byte(uint8_t type);
int64_t value_get_integer(uint8_t type, const void * field);  // uint64 as its bits
value_text_t value_print_integer(uint8_t type, const void * field);
// bits of the number in 64 bits; false if it is out of the type's range
bool value_set_integer(uint8_t type, void * field, uint64_t bits, bool negative);

// shortest text that reads back as the same number: 0.1, 1.0, 1e-05, .nan, -.inf
value_text_t value_print_real(uint8_t type, const void * field);

// elements of an array or sequence
const uint8_t * value_elements(const cdr_member_t * member, const uint8_t * field, size_t * count);

// the field that stands in for none
bool value_is_dummy(const cdr_member_t * member);

#endif  // MESSAGE_VALUE_H_
