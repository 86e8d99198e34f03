/// \file analysis.h
/// Results of an analysis in all their forms.
///
///   report_t            what is known at the end
///   report_text         tables for the terminal
///   report_json         the same for programs
///   report_html         a page with plots, in one file
///   table_open, table_take, table_close       CSV, row by row
///   record_open, record_take, record_close    a recording, row by row
#ifndef ANALYSIS_H_
#define ANALYSIS_H_

#include <stdio.h>

#include "bag.h"
#include "curves.h"
#include "findings.h"
#include "messages_out.h"

typedef struct report {
  const char * recording;  ///< path
  const char * robot;      ///< where it came from
  const char * topic;
  const char * note;  ///< what is damaged, or ""
  const mbd_model_t * model;
  const survey_t * survey;
  const findings_t * found;
  const curves_t * curves;  ///< NULL: none were kept
  const terms_options_t * options;
  double cutoff;  ///< [Hz]; 0: none
  char ** dof;    ///< [nv] names
} report_t;

/// "N m" or "N", "rad" or "m" of a degree of freedom.
const char * report_torque_unit(const mbd_model_t * model, int dof);
const char * report_position_unit(const mbd_model_t * model, int dof);

void report_text(const report_t * report, FILE * out);
void report_json(const report_t * report, FILE * out);
/// The object of report_json as a member.
void report_write(json_out_t * out, const char * key, const report_t * report);
void report_html(const report_t * report, FILE * out);

typedef struct table {
  FILE * out;
  int nv;
} table_t;

/// Write the header; the stream stays the caller's.
void table_open(table_t * table, FILE * out, const mbd_model_t * model, char * const * dof);
void table_take(const table_t * table, const row_t * row);

typedef struct record {
  bag_writer_t * writer;
  int nv;
  const mbd_model_t * model;
  out_message_t torques, external, summary;
  out_joint_dynamics_message_t dynamics;
  uint32_t topic[4];
  uint64_t cycles;
  double * zeros;  ///< [nv]
  bag_error_t error;
} record_t;

/// False with an error in it; close it all the same.
bool record_open(
  record_t * record, const char * folder, const bag_options_t * options, const mbd_model_t * model,
  char * const * dof);
bool record_take(record_t * record, const row_t * row);
bool record_close(record_t * record);

#endif  // ANALYSIS_H_
