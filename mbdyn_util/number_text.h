/// \file number_text.h
/// Numbers as text that reads back as the same double.
///
///   number_text    the shortest such text: 9.81, not 9.8100000000000005
#ifndef NUMBER_TEXT_H_
#define NUMBER_TEXT_H_

enum { NUMBER_TEXT_SIZE = 32 };

/// Write x with the fewest digits n for which "%.ng" reads back as x, ended by a zero. Needs the C
/// locale for numbers.
/// \param[out] text  NUMBER_TEXT_SIZE characters
/// \return where it ends
char * number_text(double x, char * text);

#endif  // NUMBER_TEXT_H_
