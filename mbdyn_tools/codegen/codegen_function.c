// The functions that can be generated.
#include "codegen_function.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codegen_algorithms.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/forward.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "return_if_error.h"

enum { Q = 1u << INPUT_Q, V = 1u << INPUT_V, A = 1u << INPUT_QDD, T = 1u << INPUT_TAU };

const function_info_t FUNCTIONS[NFUNCTION] = {
  {"inverse_dynamics", Q | V | A, {"tau", NULL}, false, "tau = M(q) qdd + C(q, v) v + g(q)"},
  {"gravity", Q, {"g", NULL}, false, "g(q): gravity torques"},
  {"bias", Q | V, {"h", NULL}, false, "C(q, v) v + g(q)"},
  {"mass_matrix", Q, {"M", NULL}, false, "M(q), row-major, both triangles"},
  {"forward_dynamics", Q | V | T, {"qdd", NULL}, false, "qdd = M(q)^-1 (tau - C(q, v) v - g(q))"},
  {"pose", Q, {"p", "R"}, true, "pose of the frame: x_world = p + R x_frame, R row-major"},
  {"jacobian", Q, {"J", NULL}, true, "velocity of the frame = J v: 6 rows, linear first"},
  {"inverse_dynamics_derivatives",
   Q | V | A,
   {"dtau_dq", "dtau_dv"},
   false,
   "d tau / d q (tangent space: columns as v) and d tau / d v, row-major"},
  {"forward_dynamics_derivatives",
   Q | V | T,
   {"dqdd_dq", "dqdd_dv"},
   false,
   "d qdd / d q (tangent space: columns as v) and d qdd / d v, row-major"},
};

//---------- programs ----------

static int
outputs_of(const gen_robot_t * robot, function_kind_t kind)
{
  const int nv = robot->model->nv;
  switch (kind) {
    case FUNCTION_MASS_MATRIX: return nv * nv;
    case FUNCTION_POSE: return 12;
    case FUNCTION_JACOBIAN: return 6 * nv;
    case FUNCTION_INVERSE_DERIVATIVES:
    case FUNCTION_FORWARD_DERIVATIVES: return 2 * nv * nv;
    default: return nv;
  }
}

static bool
record(const gen_robot_t * robot, const gen_function_t * f, bool by_bodies, program_t * program)
{
  graph_t * g = &program->graph;
  expr_t * out = program->out;
  switch (f->kind) {
    case FUNCTION_INVERSE_DYNAMICS: return gen_inverse_dynamics(g, robot, out);
    case FUNCTION_GRAVITY: return gen_gravity(g, robot, out);
    case FUNCTION_BIAS: return gen_bias(g, robot, out);
    case FUNCTION_MASS_MATRIX: return gen_mass_matrix(g, robot, out);
    case FUNCTION_FORWARD_DYNAMICS:
      return by_bodies ? gen_forward_by_bodies(g, robot, out)
                       : gen_forward_by_matrix(g, robot, out);
    case FUNCTION_POSE: return gen_pose(g, robot, f->frame, out);
    case FUNCTION_INVERSE_DERIVATIVES: return gen_inverse_derivatives(g, robot, out);
    case FUNCTION_FORWARD_DERIVATIVES: return gen_forward_derivatives(g, robot, out);
    default: return gen_jacobian(g, robot, f->frame, f->reference, out);
  }
}

// of these every body is recorded on its own
static bool
needs_single_bodies(function_kind_t kind)
{
  return kind == FUNCTION_POSE || kind == FUNCTION_JACOBIAN ||
         kind == FUNCTION_INVERSE_DERIVATIVES || kind == FUNCTION_FORWARD_DERIVATIVES;
}

static bool
build_one(const gen_robot_t * robot, const gen_function_t * f, bool by_bodies, program_t * program)
{
  gen_group_t * group = malloc(((size_t)robot->n + 1) * sizeof *group);
  if (!group) return false;
  const gen_robot_t single = gen_ungrouped(robot, group);
  const gen_robot_t * recorded = needs_single_bodies(f->kind) ? &single : robot;
  const bool done = program_init(program, outputs_of(robot, f->kind)) &&
                    record(recorded, f, by_bodies, program) && program_simplify(program);
  free(group);
  return done;
}

// forward dynamics by both algorithms; the cheaper one is kept
static bool
build_cheaper(const gen_robot_t * robot, gen_function_t * f)
{
  program_t other = {.nout = 0};
  bool done = build_one(robot, f, false, &f->program) && build_one(robot, f, true, &other);
  f->method = "mass matrix, factored along the tree";
  if (
    done &&
    operations_total(program_count(&other)) < operations_total(program_count(&f->program))) {
    const program_t dearer = f->program;
    f->program = other;
    other = dearer;
    f->method = "articulated bodies";
  }
  program_free(&other);
  return done;
}

bool
gen_function_build(const gen_robot_t * robot, gen_function_t * f)
{
  const bool done = f->kind == FUNCTION_FORWARD_DYNAMICS ? build_cheaper(robot, f)
                                                         : build_one(robot, f, false, &f->program);
  if (!done) return false;
  f->count = program_count(&f->program);
  const function_info_t * info = &FUNCTIONS[f->kind];
  const int nout = f->program.nout;
  const int first = f->kind == FUNCTION_POSE ? 3 : info->output[1] ? nout / 2 : nout;
  f->output[0] = (array_t){info->output[0], first};
  f->output[1] = (array_t){info->output[1], nout - first};
  return true;
}

void
gen_function_free(gen_function_t * f)
{
  program_free(&f->program);
}

int
gen_function_cost(const gen_robot_t * robot, function_kind_t kind)
{
  gen_function_t f = {.kind = kind};
  const int cost = gen_function_build(robot, &f) ? operations_total(f.count) : -1;
  gen_function_free(&f);
  return cost;
}

//---------- evaluation ----------

static double
rounded(double x, bool single)
{
  return single ? (double)(float)x : x;
}

static double
input_value(const gen_robot_t * robot, const node_t * node, const gen_state_t * state)
{
  const double * const array[] = {NULL, NULL, state->q, state->v, state->qdd, state->tau};
  if (node->a > INPUT_COS) return array[node->a][node->b];
  const gen_body_t * body = &robot->body[node->b];
  const double angle = state->q[body->model->q_index] + body->offset;
  return node->a == INPUT_SIN ? sin(angle) : cos(angle);
}

static double
signed_value(const lanes_t * value, expr_t e, int lane)
{
  return e < 0 ? -value[-e].x[lane] : value[e].x[lane];
}

static double
lane_value(
  const gen_robot_t * robot, const node_t * node, const gen_state_t * state, const lanes_t * value,
  int lane)
{
  switch (node->op) {
    case OP_CONSTANT: return node->value.x[lane];
    case OP_INPUT: return input_value(robot, node, state);
    case OP_ADD: return signed_value(value, node->a, lane) + signed_value(value, node->b, lane);
    case OP_MUL: return value[node->a].x[lane] * value[node->b].x[lane];
    case OP_DIV: return value[node->a].x[lane] / value[node->b].x[lane];
    case OP_TANH: return tanh(value[node->a].x[lane]);
    case OP_LANE: return value[node->a].x[node->b];
    default: return signed_value(value, node->lane[lane % node->width], 0);
  }
}

bool
gen_function_evaluate(
  const gen_robot_t * robot, const gen_function_t * f, const gen_state_t * state, bool single,
  double * out)
{
  const graph_t * g = &f->program.graph;
  // a single number is the same in all lanes
  lanes_t * value = calloc((size_t)g->n, sizeof *value);
  if (!value) return false;
  for (int i = 1; i < g->n; i++) {
    const int width = g->node[i].width;
    for (int l = 0; l < MAX_LANES; l++) {
      value[i].x[l] = l >= width ? value[i].x[l % width]
                                 : rounded(lane_value(robot, &g->node[i], state, value, l), single);
    }
  }
  for (int k = 0; k < f->program.nout; k++) out[k] = signed_value(value, f->program.out[k], 0);
  free(value);
  return true;
}

//---------- the library ----------

static mbd_status_t
reference_pose(const mbd_model_t * model, mbd_data_t * data, int frame, double * out)
{
  mbd_placement_t X;
  RETURN_IF_ERROR(mbd_frame_placement(model, data, frame, &X));
  out[0] = X.p.x, out[1] = X.p.y, out[2] = X.p.z;
  memcpy(out + 3, X.R.m, sizeof X.R.m);
  return MBD_OK;
}

static mbd_status_t
reference_jacobian(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * out)
{
  const size_t half = 3 * (size_t)model->nv;
  double * J = malloc(2 * half * sizeof *J);
  if (!J) return MBD_ERROR_OUT_OF_MEMORY;
  const mbd_status_t status = mbd_jacobian(model, data, frame, reference, J);
  // linear first
  if (status == MBD_OK) {
    memcpy(out, J + half, half * sizeof *J);
    memcpy(out + half, J, half * sizeof *J);
  }
  free(J);
  return status;
}

static mbd_status_t
reference_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const gen_function_t * f, const gen_state_t * s,
  double * out)
{
  const size_t nv = (size_t)model->nv, size = nv * nv;
  double * work = malloc((mbd_derivatives_work(model) + nv + size) * sizeof *work);
  if (!work) return MBD_ERROR_OUT_OF_MEMORY;
  double *qdd = work + mbd_derivatives_work(model), *M_inv = qdd + nv;
  const mbd_status_t status =
    f->kind == FUNCTION_INVERSE_DERIVATIVES
      ? mbd_inverse_dynamics_derivatives(
          model, data, NULL, NULL, s->qdd, NULL, work, out, out + size, NULL)
      : mbd_forward_dynamics_derivatives(
          model, data, NULL, NULL, s->tau, NULL, work, qdd, out, out + size, M_inv);
  free(work);
  return status;
}

mbd_status_t
gen_function_reference(
  const gen_robot_t * robot, const gen_function_t * f, mbd_data_t * data, const gen_state_t * s,
  double * out)
{
  const mbd_model_t * model = robot->model;
  RETURN_IF_ERROR(mbd_set_position(model, data, s->q));
  RETURN_IF_ERROR(mbd_set_velocity(model, data, s->v));
  switch (f->kind) {
    case FUNCTION_INVERSE_DYNAMICS:
      return mbd_inverse_dynamics(model, data, NULL, NULL, s->qdd, NULL, out);
    case FUNCTION_GRAVITY: return mbd_gravity(model, data, out);
    case FUNCTION_BIAS: return mbd_bias(model, data, out);
    case FUNCTION_MASS_MATRIX: return mbd_mass_matrix(model, data, out);
    case FUNCTION_FORWARD_DYNAMICS:
      return mbd_forward_dynamics(model, data, NULL, NULL, s->tau, NULL, out);
    case FUNCTION_POSE: return reference_pose(model, data, f->frame, out);
    case FUNCTION_INVERSE_DERIVATIVES:
    case FUNCTION_FORWARD_DERIVATIVES: return reference_derivatives(model, data, f, s, out);
    default: return reference_jacobian(model, data, f->frame, f->reference, out);
  }
}
