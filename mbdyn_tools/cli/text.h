/// \file text.h
/// Small things around text: files as a whole, names that were nearly right, the terminal.
///
///   text_read_all                a file or standard input, whole
///   text_close                   flush and close, and say so if something was not written
///   closest_to, _offer, _hint    "; did you mean 'elbow'?"
///   text_print_option            an option and its description in two columns
///   text_use_utf8, text_utf8     may output have more than ASCII?
#ifndef TEXT_H_
#define TEXT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Read a file whole.
/// \param[in]  path  file, or "-" for standard input
/// \param[out] size  bytes read
/// \return to be freed; NULL after a message on stderr
char * text_read_all(const char * path, size_t * size);

/// What messages call a path: the path, or "stdin" for "-".
const char * text_source_name(const char * path);

/// Flush and close; false after a message on stderr if any of the output was lost.
bool text_close(FILE * file, const char * name);

/// The offered name that is nearest to the wanted one.
typedef struct closest {
  const char * wanted;
  const char * best;  ///< NULL as long as nothing is near
  int distance;
  char hint[160];
} closest_t;

closest_t closest_to(const char * wanted);

/// Offer a name; it must stay valid until the hint is asked for.
void closest_offer(closest_t * closest, const char * name);

/// "; did you mean 'NAME'?", or "" if nothing is near. Lives in `closest`.
const char * closest_hint(closest_t * closest);

/// Prints an option of --help; a long one has its description on the next line.
void text_print_option(const char * option, const char * help);

/// Whether output may have more than ASCII; false until set.
void text_use_utf8(bool utf8);
bool text_utf8(void);

#endif  // TEXT_H_
