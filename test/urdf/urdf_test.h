/// \file urdf_test.h
/// A small arm as lines of text, of which a test replaces one, and looking into reports.
#ifndef URDF_TEST_H_
#define URDF_TEST_H_

#include "close.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

/// The arm: 15 lines; line 5 is the mass, 6 the tensor, 8 the joint, 12 its axis, 13 its limit.
enum { ARM_LINES = 15 };
extern const char * const arm_line[ARM_LINES];

/// The arm with one line (1-based; 0 for none) replaced by another text; free() it.
char * arm_with(int line, const char * text);

/// One load of a text named "arm.urdf".
typedef struct loaded {
  mbd_status_t status;
  mbd_model_t * model;
  mbdx_report_t * report;
} loaded_t;

loaded_t load_text(const char * text, const mbdx_urdf_options_t * options);
void loaded_free(loaded_t * loaded);

/// The entry of a severity on a line whose text contains a string, or NULL.
const mbdx_report_entry_t * find_entry(
  const mbdx_report_t * report, mbdx_severity_t severity, int line, const char * text);

/// Fail, printing the report, unless there is such an entry.
void assert_entry(
  const char * what, const mbdx_report_t * report, mbdx_severity_t severity, int line,
  const char * text);

/// All sentences of a report.
void print_report(const mbdx_report_t * report);

/// Counts agree, every entry is complete, lines ascend.
void assert_report_sound(const mbdx_report_t * report);

#endif  // URDF_TEST_H_
