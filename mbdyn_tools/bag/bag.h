/// \file bag.h
/// Recordings as rosbag2 keeps them: a folder with metadata.yaml and one or more files, MCAP or
/// sqlite3 (.db3). One interface over both; messages are bytes, nothing is decoded.
///
///   bag_create, bag_create_file, bag_add_topic, bag_write, bag_flush, bag_close   writing
///   bag_open, bag_info, bag_select, bag_next, bag_free           reading, in order of time
///   bag_open_quick                                               the same, without counts
///   bag_definition               text of a message type that is compiled in, with what it needs
///   bag_format_name, bag_compression_name    and their parse functions
///
/// Memory stays bounded whatever the length of a recording: a chunk while writing, the index and the
/// chunks that overlap in time while reading. Nothing is printed. Times are nanoseconds since 1970.
#ifndef BAG_H_
#define BAG_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One line that says what went wrong and, where there is one, a way out.
typedef struct bag_error {
  char text[512];
} bag_error_t;

typedef enum bag_format { BAG_MCAP, BAG_SQLITE3 } bag_format_t;
typedef enum bag_compression { BAG_NONE, BAG_LZ4, BAG_ZSTD } bag_compression_t;

/// "mcap", "sqlite3"; "none", "lz4", "zstd"
const char * bag_format_name(bag_format_t format);
const char * bag_compression_name(bag_compression_t compression);
/// False if there is no such name, or it is not compiled in.
bool bag_format_parse(const char * name, bag_format_t * format);
bool bag_compression_parse(const char * name, bag_compression_t * compression);

typedef struct bag_topic {
  const char * name;        ///< "/joint_states"
  const char * type;        ///< "sensor_msgs/msg/JointState"
  const char * format;      ///< of the bytes, "cdr"
  const char * qos;         ///< offered QoS profiles, YAML text as rosbag2 has it; may be empty
  const char * definition;  ///< text of the type with what it needs (ros2msg); NULL: not known
  uint64_t count;           ///< messages; while reading a damaged file, those that were announced
} bag_topic_t;

typedef struct bag_message {
  uint32_t topic;        ///< index
  int64_t log_time;      ///< when it was recorded
  int64_t publish_time;  ///< when it was sent; log_time where that is not known
  const uint8_t * data;  ///< valid until the next call
  size_t size;
} bag_message_t;

//---------- writing ----------

typedef struct bag_writer bag_writer_t;

typedef struct bag_options {
  bag_format_t format;
  bag_compression_t compression;  ///< of MCAP chunks; sqlite3 has none
  size_t chunk_size;              ///< bytes of an MCAP chunk before it is written; 0: 1 MiB
} bag_options_t;

/// Makes the folder, which must not exist, and the first file in it.
bag_writer_t * bag_create(const char * folder, const bag_options_t * options, bag_error_t * error);

/// One file without a folder and metadata.yaml; replaces a file that exists.
bag_writer_t * bag_create_file(
  const char * path, const bag_options_t * options, bag_error_t * error);

/// \param[in]  topic  its texts are copied; count is not looked at
/// \param[out] index  for bag_write
bool bag_add_topic(
  bag_writer_t * writer, const bag_topic_t * topic, uint32_t * index, bag_error_t * error);

bool bag_write(bag_writer_t * writer, const bag_message_t * message, bag_error_t * error);

/// Whatever was written is then in the file even if this process is killed.
bool bag_flush(bag_writer_t * writer, bag_error_t * error);

/// Ends the file with its index and writes metadata.yaml. The writer is gone in any case.
bool bag_close(bag_writer_t * writer, bag_error_t * error);

/// Bytes and messages so far, and the file.
uint64_t bag_written_bytes(const bag_writer_t * writer);
uint64_t bag_written_messages(const bag_writer_t * writer);

//---------- reading ----------

typedef struct bag_reader bag_reader_t;

typedef struct bag_info {
  bag_format_t format;
  uint32_t nfile;
  uint32_t ntopic;
  const bag_topic_t * topic;
  uint64_t count;         ///< messages
  int64_t start, end;     ///< first and last log time; 0, 0 if there is no message
  bool indexed;           ///< false: a file had no index and was looked through
  const char * messages;  ///< compression of the chunks: "none", "lz4", "zstd", "mixed"
} bag_info_t;

/// Opens a folder, or a single .mcap or .db3 file. What is damaged is left out, and bag_note says so.
bag_reader_t * bag_open(const char * path, bag_error_t * error);
/// The same within a fraction of a second: messages of sqlite3 files are not counted (counts are 0),
/// and their index of times is not checked against the table.
bag_reader_t * bag_open_quick(const char * path, bag_error_t * error);
void bag_free(bag_reader_t * reader);
const bag_info_t * bag_info(const bag_reader_t * reader);
/// Index of a topic by name, or -1.
int bag_find_topic(const bag_reader_t * reader, const char * name);

/// Start (again) with the first message of these topics and times.
/// \param[in] topics    [ntopic] which to give, or NULL: all
/// \param[in] from, to  log times, both included; INT64_MIN, INT64_MAX: all
bool bag_select(
  bag_reader_t * reader, const bool * topics, int64_t from, int64_t to, bag_error_t * error);

/// \return 1 with a message; 0 at the end; -1 with an error
int bag_next(bag_reader_t * reader, bag_message_t * message, bag_error_t * error);

/// What is damaged or missing so far: one line, or "" if all is whole.
const char * bag_note(const bag_reader_t * reader);

//---------- definitions ----------

/// The .msg text of a type, then those of all types in it, in the form that MCAP calls ros2msg.
/// \return to be freed; NULL if the type is not compiled in or memory is out
char * bag_definition(const char * type);

#endif  // BAG_H_
