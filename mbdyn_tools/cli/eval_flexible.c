// `mbdyn eval` of a robot with flexible links.
#include "eval_flexible.h"

#include <stdio.h>
#include <stdlib.h>

#include "eval_spool.h"
#include "mbdyn/flexible.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/order.h"
#include "mbdyn/spatial.h"
#include "return_if_error.h"

typedef struct job {
  const eval_input_t * input;
  const mbd_model_t * robot;
  const eval_frames_t * frames;
  const eval_conventions_t * conventions;
  mbd_data_t * data;
  eval_states_t states;                        // capacity one
  double *tau, *gravity, *bias, *qdd, *omega;  // [nv]
  double * M;                                  // [nv x nv]
  double kinetic, potential, strain;
} job_t;

//---------- numbers ----------

static bool
prepare(job_t * job)
{
  const size_t nv = (size_t)job->robot->nv;
  double * x = calloc(5 * nv + nv * nv + 1, sizeof *x);
  job->tau = x;
  job->gravity = x + nv, job->bias = x + 2 * nv, job->qdd = x + 3 * nv, job->omega = x + 4 * nv;
  job->M = x + 5 * nv;
  if (x && mbd_data_create(job->robot, &job->data) == MBD_OK) {
    return eval_states_create(job->input, 1, &job->states);
  }
  fputs("mbdyn eval: out of memory\n", stderr);
  return false;
}

static void
free_job(job_t * job)
{
  free(job->tau);
  eval_states_free(&job->states);
  mbd_data_destroy(job->data);
}

static mbd_status_t
compute(job_t * job)
{
  const eval_state_t * s = job->states.state;
  const mbd_model_t * f = job->robot;
  mbd_data_t * d = job->data;
  // gravity and bias are of the bodies alone
  RETURN_IF_ERROR(mbd_set_terms(d, 0));
  RETURN_IF_ERROR(mbd_set_state(f, d, s->q, s->v));
  RETURN_IF_ERROR(mbd_gravity(f, d, job->gravity));
  RETURN_IF_ERROR(mbd_bias(f, d, job->bias));
  RETURN_IF_ERROR(mbd_set_terms(d, job->conventions->terms));
  RETURN_IF_ERROR(mbd_inverse_dynamics(f, d, s->q, s->v, s->a, &s->f_ext, job->tau));
  RETURN_IF_ERROR(mbd_forward_dynamics(f, d, NULL, NULL, s->tau, &s->f_ext, job->qdd));
  RETURN_IF_ERROR(mbd_mass_matrix(f, d, job->M));
  RETURN_IF_ERROR(mbd_flexible_frequencies(f, d, false, job->omega));
  RETURN_IF_ERROR(mbd_kinetic_energy(f, d, &job->kinetic));
  RETURN_IF_ERROR(mbd_flexible_strain_energy(f, d, &job->strain));
  RETURN_IF_ERROR(mbd_potential_energy(f, d, &job->potential));
  job->potential -= job->strain;
  return MBD_OK;
}

//---------- output ----------

static void
write_frame(const job_t * job, int frame, json_out_t * out)
{
  mbd_placement_t X = mbdu_placement_identity();
  mbd_motion_t V = {{0, 0, 0}, {0, 0, 0}};
  const mbd_reference_t reference = job->frames->reference;
  if (mbd_frame_placement(job->robot, job->data, frame, &X) != MBD_OK) return;
  if (mbd_frame_velocity(job->robot, job->data, frame, reference, &V) != MBD_OK) return;
  const mbd_quat_t r = mbdu_quat_from_mat3(&X.R);
  const double pose[7] = {X.p.x, X.p.y, X.p.z, r.x, r.y, r.z, r.w};
  double velocity[6];
  mbdu_motion_to_linear_first(&V, velocity);
  json_out_object(out, job->input->model->frame[frame].name);
  json_out_vector(out, "pose", pose, 7);
  json_out_vector(out, "velocity", velocity, 6);
  json_out_end(out);
}

static void
write_state(const job_t * job, json_out_t * out)
{
  const int nv = job->robot->nv;
  json_out_object(out, NULL);
  json_out_vector(out, "tau", job->tau, nv);
  json_out_vector(out, "gravity", job->gravity, nv);
  json_out_vector(out, "bias", job->bias, nv);
  json_out_vector(out, "qdd", job->qdd, nv);
  json_out_matrix(out, "mass_matrix", job->M, nv, nv);
  json_out_number(out, "kinetic_energy", job->kinetic);
  json_out_number(out, "potential_energy", job->potential);
  json_out_number(out, "strain_energy", job->strain);
  json_out_vector(out, "natural_frequencies", job->omega, nv);
  json_out_object(out, "frames");
  for (int i = 0; i < job->frames->n; i++) write_frame(job, job->frames->frame[i], out);
  json_out_end(out);
  json_out_end(out);
}

static bool
evaluate(job_t * job, json_out_t * out)
{
  for (size_t i = 0; i < job->input->nstate; i++) {
    if (!eval_input_state(job->input, i, job->states.state)) return false;
    const mbd_status_t status = compute(job);
    if (status != MBD_OK) {
      fprintf(stderr, "%s: states[%zu]: %s\n", job->input->source, i, mbd_status_string(status));
      return false;
    }
    write_state(job, out);
    if (ferror(out->file)) break;  // said when the file is closed
  }
  return true;
}

static bool
write_all(job_t * job, const char * path)
{
  FILE * spool = eval_spool_open();
  if (!spool) return false;
  json_out_t out = json_out_open(spool);
  eval_write_head(&out, job->input->model, job->robot, job->conventions);
  const bool good = evaluate(job, &out);
  eval_write_tail(&out);
  return eval_spool_close(spool, good, path);
}

bool
eval_flexible(
  const eval_input_t * input, const eval_frames_t * frames, const eval_conventions_t * conventions,
  const char * path)
{
  job_t job = {
    .input = input, .robot = input->flexible, .frames = frames, .conventions = conventions};
  const bool done = prepare(&job) && write_all(&job, path);
  free_job(&job);
  return done;
}
