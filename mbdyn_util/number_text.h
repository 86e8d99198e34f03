/// \file number_text.h
/// Numbers as text that reads back as the same double.
///
///   number_text    as printf's "%.17g", several times as fast
#ifndef NUMBER_TEXT_H_
#define NUMBER_TEXT_H_

enum { NUMBER_TEXT_SIZE = 32 };

/// Write x as "%.17g" in the C locale does, ended by a zero.
/// \param[out] text  NUMBER_TEXT_SIZE characters
/// \return where it ends
char * number_text(double x, char * text);

#endif  // NUMBER_TEXT_H_
