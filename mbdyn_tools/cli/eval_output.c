// What `mbdyn eval` writes.
#include "eval_output.h"

#include "eval_loops.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/flexible/flexible_links.h"

#include <math.h>

const char *
eval_reference_name(mbd_reference_t reference)
{
  switch (reference) {
    case MBD_LOCAL: return "local";
    case MBD_WORLD: return "world";
    default: return "local_world_aligned";
  }
}

//---------- head ----------

static void
write_joint_info(json_out_t * out, const mbd_body_t * body)
{
  json_out_object(out, NULL);
  json_out_string(out, "name", body->joint_name);
  json_out_string(out, "type", mbd_joint_type_name(body->type));
  json_out_string(out, "link", body->name);
  json_out_integer(out, "q_index", body->q_index);
  json_out_integer(out, "nq", body->nq);
  json_out_integer(out, "v_index", body->v_index);
  json_out_integer(out, "nv", body->nv);
  json_out_end(out);
}

static void
write_parts(json_out_t * out, const mbd_model_t * flexible)
{
  json_out_list(out, "flexible");
  for (int p = 0; p < flexible->flexible->npart; p++) {
    const mbd_flexible_part_t * part = &flexible->flexible->part[p];
    json_out_object(out, NULL);
    json_out_string(out, "link", flexible->flexible->rigid->frame[part->frame].name);
    json_out_integer(out, "modes", part->body->nmode);
    json_out_integer(out, "q_index", part->q_index);
    json_out_integer(out, "v_index", part->v_index);
    json_out_end(out);
  }
  json_out_end(out);
}

static void
write_model(json_out_t * out, const mbd_model_t * model, const mbd_model_t * flexible)
{
  json_out_object(out, "model");
  json_out_string(out, "name", model->name);
  json_out_integer(out, "nq", flexible ? flexible->nq : model->nq);
  json_out_integer(out, "nv", flexible ? flexible->nv : model->nv);
  json_out_list(out, "joints");
  for (int i = 0; i < model->nbody; i++) json_out_string(out, NULL, model->body[i].joint_name);
  json_out_end(out);
  json_out_list(out, "joint_info");
  for (int i = 0; i < model->nbody; i++) write_joint_info(out, &model->body[i]);
  json_out_end(out);
  if (flexible) write_parts(out, flexible);
  json_out_number(out, "mass", model->mass);
  json_out_number(out, "mass_fixed", model->mass_fixed);
  json_out_end(out);
}

static void
write_conventions(json_out_t * out, const eval_conventions_t * conventions)
{
  const mbd_vec3_t g = conventions->gravity;
  json_out_object(out, "conventions");
  json_out_vector(out, "gravity", (const double[]){g.x, g.y, g.z}, 3);
  json_out_string(out, "base", conventions->floating ? "floating" : "fixed");
  json_out_string(out, "reference", eval_reference_name(conventions->reference));
  json_out_list(out, "terms");
  if (conventions->terms & MBD_TERM_FRICTION) json_out_string(out, NULL, "friction");
  if (conventions->terms & MBD_TERM_ROTORS) json_out_string(out, NULL, "rotors");
  if (conventions->terms & MBD_TERM_ELEMENTS) json_out_string(out, NULL, "elements");
  json_out_end(out);
  json_out_string(out, "order", "linear first");
  json_out_string(out, "quaternion", "x y z w");
  json_out_string(out, "units", "SI, radians");
  json_out_end(out);
}

void
eval_write_head(
  json_out_t * out, const mbd_model_t * model, const mbd_model_t * flexible,
  const eval_conventions_t * conventions)
{
  json_out_object(out, NULL);
  write_model(out, model, flexible);
  write_conventions(out, conventions);
  json_out_list(out, "states");
}

//---------- states ----------

static void
write_frame(json_out_t * out, const char * name, const eval_frame_result_t * frame, int nv)
{
  json_out_object(out, name);
  json_out_vector(out, "pose", frame->pose, 7);
  json_out_matrix(out, "jacobian", frame->jacobian, 6, nv);
  json_out_vector(out, "velocity", frame->velocity, 6);
  json_out_vector(out, "bias_acceleration", frame->bias, 6);
  json_out_matrix(out, "operational_space_inertia", frame->inertia, 6, 6);
  json_out_integer(out, "rank", frame->rank);
  json_out_end(out);
}

// where nothing that moves has mass there is no centre of mass
static void
write_com(json_out_t * out, const eval_result_t * result)
{
  if (result->has_com) {
    json_out_vector(out, "com", result->com, 3);
    json_out_vector(out, "centroidal_momentum", result->momentum, 6);
  } else {
    json_out_null(out, "com");
    json_out_null(out, "centroidal_momentum");
  }
}

// of all frames together; there is no condition number where they cannot move independently
static void
write_stack(json_out_t * out, const eval_stack_t * stack)
{
  json_out_matrix(
    out, "operational_space_inertia_stacked", stack->inertia, stack->rows, stack->rows);
  json_out_integer(out, "operational_space_rank", stack->info.rank);
  if (isfinite(stack->info.condition)) {
    json_out_number(out, "operational_space_condition", stack->info.condition);
  } else {
    json_out_null(out, "operational_space_condition");
  }
}

static void
write_bodies(json_out_t * out, const mbd_model_t * model, const eval_operators_t * operators)
{
  json_out_object(out, "bodies");
  for (int i = 0; i < model->nbody; i++) {
    const double * compliance = operators->compliance + 36 * i;
    double diagonal[6];
    for (int k = 0; k < 6; k++) diagonal[k] = compliance[7 * k];
    json_out_object(out, model->body[i].name);
    json_out_matrix(out, "compliance", compliance, 6, 6);
    json_out_vector(out, "compliance_diagonal", diagonal, 6);
    json_out_integer(out, "rank", operators->rank[i]);
    json_out_end(out);
  }
  json_out_end(out);
}

static void
write_operators(json_out_t * out, const mbd_model_t * model, const eval_operators_t * operators)
{
  const int nv = model->nv;
  json_out_object(out, "operators");
  json_out_matrix(out, "factor", operators->F, nv, nv);
  json_out_matrix(out, "hinge_inertia", operators->D, nv, nv);
  json_out_number(out, "log_det_mass_matrix", operators->log_det);
  json_out_number(out, "trace_mass_matrix", operators->trace);
  json_out_matrix(out, "mass_matrix_rate", operators->M_rate, nv, nv);
  json_out_matrix(out, "momentum_gradient", operators->MD, nv, nv);
  json_out_vector(out, "coriolis_transpose_v", operators->C_trans_v, nv);
  json_out_vector(out, "momentum", operators->momentum, nv);
  if (operators->has_com) {
    json_out_matrix(out, "centroidal_matrix", operators->centroidal, 6, nv);
    json_out_matrix(out, "com_jacobian", operators->com, 3, nv);
  } else {
    json_out_null(out, "centroidal_matrix");
    json_out_null(out, "com_jacobian");
  }
  write_bodies(out, model, operators);
  json_out_end(out);
}

// numbers of all joints by name: configuration, or velocities and the like
static void
write_joints(json_out_t * out, const char * key, const mbd_model_t * tree, const double * x, bool q)
{
  json_out_object(out, key);
  for (int i = 0; i < tree->nbody; i++) {
    const mbd_body_t * body = &tree->body[i];
    const int n = q ? body->nq : body->nv, first = q ? body->q_index : body->v_index;
    if (n == 1)
      json_out_number(out, body->joint_name, x[first]);
    else
      json_out_vector(out, body->joint_name, x + first, n);
  }
  json_out_end(out);
}

static void
write_loops(json_out_t * out, const mbd_model_t * model, const eval_loops_t * loops)
{
  const mbd_model_t * tree = model->tree;
  write_joints(out, "joint_positions", tree, loops->q, true);
  write_joints(out, "joint_velocities", tree, loops->v, false);
  write_joints(out, "joint_accelerations", tree, loops->qdd, false);
  json_out_object(out, "closure_forces");
  for (int k = 0; k < tree->nclosure; k++) {
    const mbd_closure_t * c = &tree->closure[k];
    json_out_vector(out, c->name, loops->lambda + c->row, c->nrow);
  }
  json_out_end(out);
}

void
eval_write_state(
  json_out_t * out, const mbd_model_t * model, const eval_frames_t * frames,
  const eval_result_t * result, const eval_operators_t * operators, const eval_stack_t * stack,
  const eval_derivatives_t * derivatives)
{
  const int nv = model->nv;
  json_out_object(out, NULL);
  json_out_vector(out, "tau", result->tau, nv);
  json_out_vector(out, "gravity", result->gravity, nv);
  json_out_vector(out, "bias", result->bias, nv);
  json_out_vector(out, "qdd", result->qdd, nv);
  json_out_matrix(out, "mass_matrix", result->M, nv, nv);
  json_out_matrix(out, "mass_matrix_inverse", result->M_inv, nv, nv);
  json_out_matrix(out, "coriolis_matrix", result->C, nv, nv);
  json_out_number(out, "kinetic_energy", result->kinetic);
  json_out_number(out, "potential_energy", result->potential);
  write_com(out, result);
  json_out_vector(out, "friction", result->friction, nv);
  json_out_object(out, "frames");
  for (int i = 0; i < frames->n; i++) {
    write_frame(out, model->frame[frames->frame[i]].name, &result->frame[i], nv);
  }
  json_out_end(out);
  if (result->loops) write_loops(out, model, result->loops);
  if (stack) write_stack(out, stack);
  if (operators) write_operators(out, model, operators);
  if (derivatives) {
    json_out_matrix(out, "dtau_dq", derivatives->dtau_dq, nv, nv);
    json_out_matrix(out, "dtau_dv", derivatives->dtau_dv, nv, nv);
    json_out_matrix(out, "dqdd_dq", derivatives->dqdd_dq, nv, nv);
    json_out_matrix(out, "dqdd_dv", derivatives->dqdd_dv, nv, nv);
  }
  json_out_end(out);
}

void
eval_write_tail(json_out_t * out)
{
  json_out_end(out);
  json_out_end(out);
}
