// What a model is built from: shared by model.c, model_check.c and model_finalize.c.
#ifndef MODEL_INTERNAL_H_
#define MODEL_INTERNAL_H_

#include "mbdyn/model.h"
#include "names.h"

// a link with its joint, or a frame; its place in the array is its frame index
typedef struct mbd_item {
  mbd_body_spec_t spec;  // of a frame: name, parent and placement, type fixed
  bool is_link;
} mbd_item_t;

struct mbd_model_builder {
  char * name;
  char culprit[264];  // what model->culprit points to when it is a caller's name
  mbd_item_t * item;  // [model->nframe]
  int capacity;
  mbd_names_t frames, joints;
  mbd_body_t * body;    // what model->body points to
  mbd_frame_t * frame;  // what model->frame points to
  int * dof_body;
};

// names, parent, placement, inertia and joint of a description; sets model->culprit
mbd_status_t mbd_check_spec(mbd_model_t * model, const mbd_body_spec_t * spec);

mbd_status_t mbd_check_placement(const mbd_placement_t * X);

#endif  // MODEL_INTERNAL_H_
