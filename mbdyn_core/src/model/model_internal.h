// What a model is built from: shared by model.c, model_check.c and model_finalize.c.
#ifndef MODEL_INTERNAL_H_
#define MODEL_INTERNAL_H_

#include "mbdyn/constraints/closure.h"
#include "mbdyn/dynamics/bearing.h"
#include "mbdyn/dynamics/element.h"
#include "mbdyn/model.h"
#include "model/engine.h"
#include "util/names.h"

// a link with its joint, or a frame; its place in the array is its frame index
typedef struct mbdi_item {
  mbd_body_spec_t spec;  // of a frame: name, parent and placement, type fixed
  bool is_link;
  // of a link that was re-rooted (reroot.h): its frame is not where its joint's is
  bool moved;
  mbd_placement_t link_in_joint;          // counts if it is moved
  struct mbdi_reversed_joint * reversed;  // ctx of spec.user, owned; or NULL
} mbdi_item_t;

struct mbdi_model_builder {
  char * name;
  char error_name[264];  // what model->error_name points to when it is a caller's name
  mbdi_item_t * item;    // [model->nframe]
  int capacity;
  mbdi_names_t frames, joints;
  mbd_body_t * body;    // what model->body points to
  mbd_frame_t * frame;  // what model->frame points to
  int * dof_body;
  int * curved;               // what internal->curved points to
  mbd_closure_spec_t * loop;  // closures as they were added                      [nloop]
  int nloop, loop_capacity;
  mbd_closure_t * closure;  // what model->closure points to: these, then those of mimic joints
  mbd_element_spec_t * element_spec;  // elements as they were added              [nelement]
  int nelement, element_capacity;
  mbd_element_t * element;  // what model->element points to
  mbd_bearing_t * bearing;  // what model->bearing points to                      [nbearing]
  int nbearing, bearing_capacity;
};

// bodies, frames and closures from what was added: all of mbd_model_finalize but the engine; and back
mbd_status_t mbdi_model_build(mbd_model_t * model);
void mbdi_model_unbuild(mbd_model_t * model);

void mbdi_model_free(mbd_model_t * model);

// names, parent, placement, inertia and joint of a description; sets model->error_name
mbd_status_t mbdi_check_spec(mbd_model_t * model, const mbd_body_spec_t * spec);

mbd_status_t mbdi_check_placement(const mbd_placement_t * X);

// model->error_name = a copy of a name that may not live as long as the model
void mbdi_model_blame(mbd_model_t * model, const char * name);

char * mbdi_copy_string(const char * s);

// links, frames, gravity and what mimic joints are, into an empty model
mbd_status_t mbdi_copy_links(const mbd_model_t * from, mbd_model_t * to);

// the same, with closures, force elements and bearings
mbd_status_t mbdi_copy_items(const mbd_model_t * from, mbd_model_t * to);

// finite, mass and moments not negative, and no first moment without mass          (Ex 2.2)
mbd_status_t mbdi_check_inertia(const mbd_inertia_t * inertia);

// numbers of a description: placement, inertia, joint
mbd_status_t mbdi_check_numbers(const mbd_body_spec_t * spec);

// body frame in the frame of its joint: z is the axis
mbd_placement_t mbdi_joint_turn(const mbd_body_spec_t * spec);

// ten parameters (regressor.h) as an inertia
mbd_inertia_t mbdi_inertia_from_parameters(const double * theta);

//---------- closures: model_closure.c ----------

// the closures that were added and those of mimic joints, on the bodies; sets model->error_name
mbd_status_t mbdi_resolve_closures(mbd_model_t * model);

// back to closures as they were added
void mbdi_forget_closures(mbd_model_t * model);

void mbdi_free_closures(struct mbdi_model_builder * b);

//---------- force elements: model_element.c ----------

// the elements that were added, with bodies and frames of joints; sets model->error_name
mbd_status_t mbdi_resolve_elements(mbd_model_t * model);

// back to elements as they were added
void mbdi_forget_elements(mbd_model_t * model);

void mbdi_free_elements(struct mbdi_model_builder * b);

//---------- bearings: model_bearing.c ----------

// the bearings that were added, with their joints and closures; sets model->error_name
mbd_status_t mbdi_resolve_bearings(mbd_model_t * model);

// back to bearings as they were added
void mbdi_forget_bearings(mbd_model_t * model);

void mbdi_free_bearings(struct mbdi_model_builder * b);

#endif  // MODEL_INTERNAL_H_
