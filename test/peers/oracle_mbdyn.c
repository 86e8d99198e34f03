// Ours behind the same face: what test_peers holds against each peer.
//
// Mimic joints are treated as joints of their own, as the peers do.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"
#include "oracle.h"

typedef struct ours {
  mbd_model_t * model;
  mbd_data_t * data;
  int nframe;
  int * frame;  // [nframe]
} ours_t;

static void
ours_unload(void * loaded)
{
  ours_t * o = loaded;
  if (o == NULL) return;
  mbd_data_destroy(o->data);
  mbd_model_destroy(o->model);
  free(o->frame);
  free(o);
}

static mbd_status_t
read_model(const oracle_robot_t * robot, mbd_model_t ** model, char * why)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = robot->floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.mimic_independent = true;
  options.gravity = (mbd_vec3_t){robot->gravity[0], robot->gravity[1], robot->gravity[2]};
  mbdx_report_t * report = NULL;
  const size_t size = strlen(robot->urdf);
  const mbd_status_t status =
    mbdx_urdf_load_string(robot->urdf, size, robot->name, &options, model, &report);
  // the first error says it best
  if (status != MBD_OK) snprintf(why, ORACLE_WHY, "%s", mbd_status_string(status));
  for (int i = 0; status != MBD_OK && report != NULL && i < report->n; i++) {
    if (report->entry[i].severity != MBDX_ERROR) continue;
    snprintf(why, ORACLE_WHY, "%s", report->entry[i].text);
    break;
  }
  mbdx_report_free(report);
  return status;
}

// joints must stand in the order in which they are asked for
static bool
same_joints(const mbd_model_t * model, const oracle_robot_t * robot, char * why)
{
  const int first = robot->floating ? 1 : 0;
  if (model->nv != oracle_nv(robot) || model->nbody != robot->njoint + first) {
    return snprintf(why, ORACLE_WHY, "%d degrees of freedom", model->nv), false;
  }
  for (int i = 0; i < robot->njoint; i++) {
    if (strcmp(model->body[i + first].joint_name, robot->joint[i]) == 0) continue;
    return snprintf(why, ORACLE_WHY, "joint %s is out of order", robot->joint[i]), false;
  }
  return true;
}

static void *
ours_load(const oracle_robot_t * robot, char * why)
{
  ours_t * o = calloc(1, sizeof *o);
  if (o == NULL) return snprintf(why, ORACLE_WHY, "no memory"), NULL;
  o->nframe = robot->nframe;
  o->frame = calloc((size_t)robot->nframe + 1, sizeof(int));
  bool fine = o->frame != NULL && read_model(robot, &o->model, why) == MBD_OK &&
              same_joints(o->model, robot, why);
  if (fine && mbd_data_create(o->model, &o->data) != MBD_OK) {
    snprintf(why, ORACLE_WHY, "no workspace");
    fine = false;
  }
  for (int i = 0; fine && i < robot->nframe; i++) {
    if (mbd_find_frame(o->model, robot->frame[i], &o->frame[i]) == MBD_OK) continue;
    snprintf(why, ORACLE_WHY, "no link %s", robot->frame[i]);
    fine = false;
  }
  if (!fine) ours_unload(o), o = NULL;
  return o;
}

// a bit of `has` for a call that went well; a word on stderr for one that did not
static unsigned
done(mbd_status_t status, oracle_quantity_t quantity)
{
  if (status == MBD_OK) return 1u << quantity;
  fprintf(stderr, "mbdyn: %s: %s\n", oracle_quantity_name(quantity), mbd_status_name(status));
  return 0;
}

static unsigned
frame_results(ours_t * o, int i, oracle_results_t * r)
{
  const mbd_reference_t reference = MBD_LOCAL_WORLD_ALIGNED;
  const int nv = o->model->nv, frame = o->frame[i];
  mbd_placement_t X = {0};
  mbd_motion_t bias = {0};
  unsigned has = 0;
  has |= done(mbd_frame_placement(o->model, o->data, frame, &X), ORACLE_PLACEMENT);
  has |= done(
    mbd_jacobian(o->model, o->data, frame, reference, r->jacobian + 6 * nv * i), ORACLE_JACOBIAN);
  has |= done(mbd_jacobian_bias(o->model, o->data, frame, reference, &bias), ORACLE_JACOBIAN_BIAS);

  double * out = r->placement + 12 * i;
  memcpy(out, X.R.m, sizeof X.R.m);
  out[9] = X.p.x, out[10] = X.p.y, out[11] = X.p.z;
  out = r->jacobian_bias + 6 * i;
  out[0] = bias.ang.x, out[1] = bias.ang.y, out[2] = bias.ang.z;
  out[3] = bias.lin.x, out[4] = bias.lin.y, out[5] = bias.lin.z;
  return has;
}

static void
ours_compute(void * loaded, const oracle_state_t * s, oracle_results_t * r)
{
  ours_t * o = loaded;
  mbd_model_t * m = o->model;
  mbd_data_t * d = o->data;
  unsigned has = 0;
  has |= done(mbd_inverse_dynamics(m, d, s->q, s->v, s->a, NULL, r->tau), ORACLE_TAU);
  has |= done(mbd_forward_dynamics(m, d, s->q, s->v, s->tau, NULL, r->qdd), ORACLE_QDD);
  has |= done(mbd_gravity(m, d, r->gravity), ORACLE_GRAVITY);
  has |= done(mbd_bias(m, d, r->bias), ORACLE_BIAS);
  has |= done(mbd_mass_matrix(m, d, r->M), ORACLE_M);
  has |= done(mbd_kinetic_energy(m, d, &r->kinetic), ORACLE_KINETIC);
  has |= done(mbd_potential_energy(m, d, &r->potential), ORACLE_POTENTIAL);
  for (int i = 0; i < o->nframe; i++) has |= frame_results(o, i, r);
  r->has = has;
}

const oracle_t oracle_mbdyn = {"mbdyn", 0, true, ours_load, ours_compute, ours_unload};
