// libFuzzer: any bytes as MJCF. The first byte chooses options, the rest is the text. What loads is written as MJCF and
// URDF, and read again.
//
//   fuzz_mjcf -dict=test/fuzz/mjcf.dict CORPUS test/fuzz/corpus_mjcf
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_load.h"
#include "mbdyn/mjcf.h"
#include "mbdyn/robot_write.h"

#define REQUIRE(condition)                                     \
  do {                                                         \
    if (!(condition)) {                                        \
      fprintf(stderr, "%d: %s fails\n", __LINE__, #condition); \
      abort();                                                 \
    }                                                          \
  } while (0)

static void
write_and_read(const mbd_model_t * model, bool mjcf, const mbdx_urdf_options_t * options)
{
  char * text = NULL;
  size_t size = 0;
  mbdx_report_t * report = NULL;
  const mbd_status_t status =
    (mjcf ? mbdx_mjcf_write : mbdx_urdf_write)(model, &text, &size, &report);
  REQUIRE((status == MBD_OK) == (text != NULL) && report);
  REQUIRE((report->nerror > 0) == (status != MBD_OK));
  mbdx_report_free(report);
  if (!text) return;
  REQUIRE(strlen(text) == size);
  mbd_model_t * again = NULL;
  if (mbdx_urdf_load_string(text, size, "written", options, &again, NULL) == MBD_OK)
    REQUIRE(again->nv == model->nv && again->nq == model->nq);
  mbd_model_destroy(again);
  mbdx_robot_text_free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t * bytes, size_t size)
{
  if (size == 0) return 0;
  // a copy of the exact size: reading beyond its end is found
  char * text = malloc(size - 1 > 0 ? size - 1 : 1);
  if (!text) return 0;
  memcpy(text, bytes + 1, size - 1);
  fuzz_load(bytes[0], text, size - 1);
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false, options.allow_massless = true;
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status =
    mbdx_mjcf_load_string(text, size - 1, "fuzz", &options, &model, &report);
  REQUIRE((status == MBD_OK) == (model != NULL) && report);
  mbdx_report_free(report);
  if (model && model->nv < 300) {
    write_and_read(model, true, &options);
    write_and_read(model, false, &options);
  }
  mbd_model_destroy(model);
  free(text);
  return 0;
}
