/// \file number_text.h
/// Conversion of doubles to text that reads back as the same value.
///
///   number_text    the shortest such text: 9.81, not 9.8100000000000005
#ifndef NUMBER_TEXT_H_
#define NUMBER_TEXT_H_

enum { NUMBER_TEXT_SIZE = 32 };

/// Write x with the fewest digits n for which "%.ng" reads back as x, zero-terminated. Requires the C locale
/// for numbers.
/// \param[out] text  NUMBER_TEXT_SIZE characters
/// \return pointer to the terminating zero
char * number_text(double x, char * text);

#endif  // NUMBER_TEXT_H_
