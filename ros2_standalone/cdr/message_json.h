/// \file message_json.h
/// Messages as JSON and as text, by introspection: for command line tools and tests.
///
///   message_from_json   JSON object -> fields of a message
///   message_to_json     message -> JSON object
///   message_print       message -> text in the manner of `ros2 topic echo`
///
/// Numbers are JSON numbers, except "nan", "inf", "-inf" (also as YAML spells them: ".nan", ".inf")
/// and unsigned integers above 2^63 - 1, which are strings. A byte may also be given as a string of
/// one character. The dummy field of a message without fields is left out.
#ifndef MESSAGE_JSON_H_
#define MESSAGE_JSON_H_

#include <jansson.h>
#include <stdio.h>

#include "cdr.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sets the fields that an object names; others keep their value.
/// \param[in,out] message  initialised
/// \param[out]    error    one line that names the field and what is wrong with it; or NULL
/// \return false if a field is unknown, of another type or out of range; the message stays valid
bool message_from_json(
  const cdr_members_t * members, const json_t * object, void * message, char * error,
  size_t error_size);

/// The message as a new reference, or NULL if out of memory. Text that is not UTF-8 comes out with
/// U+FFFD in place of what is not.
json_t * message_to_json(const cdr_members_t * members, const void * message);

/// Writes YAML, one field per line.
/// \param[in] max_elements  arrays are cut after so many elements, and "..." stands for the rest;
/// 0: never
void message_print(
  const cdr_members_t * members, const void * message, size_t max_elements, FILE * out);

#ifdef __cplusplus
}
#endif

#endif  // MESSAGE_JSON_H_
