/// \file ros_message.h
/// Types and messages by name, and what the user writes as their value.
///
///   ros_message_type, ros_service_type   a known type, or a message that lists them
///   ros_message_new, ros_message_free    a message of any type
///   ros_message_parse                    JSON or YAML of the command line -> message
///   ros_yaml_parse                       JSON or YAML -> JSON value
///   ros_yaml_print                       JSON value -> YAML
///   ros_json_print                       JSON value -> JSON
#ifndef ROS_MESSAGE_H_
#define ROS_MESSAGE_H_

#include <jansson.h>
#include <stdio.h>

#include "message_json.h"
#include "ros2_types.h"
#include "ros_args.h"

/// NULL after a message on stderr.
const ros2_type_t * ros_message_type(const ros_args_t * args, const char * name);
const ros2_type_t * ros_service_type(const ros_args_t * args, const char * name);

/// All defaults; NULL if out of memory.
void * ros_message_new(const cdr_members_t * members);
void ros_message_free(const cdr_members_t * members, void * message);

/// A message with the fields that a text such as "{data: true}" names; others have their default.
/// \return to be freed; NULL after a message on stderr
void * ros_message_parse(const ros_args_t * args, const cdr_members_t * members, const char * text);

/// JSON, or YAML without tags and aliases. Plain words are what PyYAML would make of them; empty
/// text is null.
/// \param[out] error  one line with the place
/// \return new reference, or NULL
json_t * ros_yaml_parse(const char * text, char * error, size_t error_size);

/// Block style for objects, flow style for lists; each line is indented.
void ros_yaml_print(const json_t * value, int indent, FILE * out);

/// One value on one line.
void ros_yaml_print_flow(const json_t * value, FILE * out);

/// On one line, with the shortest numbers that read back as the same double. Names of fields are
/// those of messages: nothing in them needs an escape.
void ros_json_print(const json_t * value, FILE * out);

#endif  // ROS_MESSAGE_H_
