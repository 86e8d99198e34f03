/// \file json_file.h
/// JSON files of the tests, compressed or not.
#ifndef JSON_FILE_H_
#define JSON_FILE_H_

#include <jansson.h>

/// The content of a file; NAME.zst is decompressed. Fails the test, with the reason, if the file is
/// not there or not whole. Free with json_decref.
json_t * json_file_load(const char * path);

#endif  // JSON_FILE_H_
