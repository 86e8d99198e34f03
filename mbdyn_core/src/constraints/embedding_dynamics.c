// Dynamics of an embedded model: by the tree and X where that is enough, by the engine where M has
// to be inverted (15.16)-(15.23).
#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/embedding_internal.h"
#include "mbdyn/dynamics/compliance.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/operators/factors.h"
#include "model/joint.h"
#include "tree/element.h"
#include "tree/sweeps.h"
#include "util/dense.h"

//---------- blocks of the engine ----------

static mbd_motion_t
get_motion(const double * x)
{
  mbd_motion_t V = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  return V;
}

// H^T of the group in the rows of its bodies: H_k = phi^T H_p + S_k X_k             (15.12)
static void
put_hinges(const mbd_model_t * model, mbd_data_t * data, int g)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  const mbdi_loop_t * loop = &data->work->embedded->loop[g];
  const mbd_sko_node_t * node = &data->work->embedded->sko->node[g];
  const mbd_model_t * tree = model->tree;
  const int r = group->nind;
  mbd_motion_t * columns = data->work->embedded->columns;
  for (int s = 0; s < group->nbody; s++) {
    const int i = group->body[s];
    for (int c = 0; c < r; c++) {
      mbd_motion_t V = {{0, 0, 0}, {0, 0, 0}};
      if (group->inside[s] >= 0) {
        V = mbdu_motion_to_child(&data->X_parent[i], columns[group->inside[s] * r + c]);
      }
      for (int k = tree->body[i].v_index; k < tree->body[i].v_index + tree->body[i].nv; k++) {
        const double x = loop->X[model->internal->embedding->column[k] * r + c];
        if (x != 0) V = mbdu_motion_add(V, mbdu_motion_scale(x, data->S[k]));
      }
      columns[s * r + c] = V;
      mbdi_sko_put_motion(V, r, node->H + 6 * s * r + c);
    }
  }
}

// A: forces of each body at the group's parent; M: their inertias
static void
put_bodies(const mbd_model_t * model, mbd_data_t * data, int g)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  const mbd_sko_node_t * node = &data->work->embedded->sko->node[g];
  mbd_placement_t * places = data->work->embedded->loop[g].places;
  for (int s = 0; s < group->nbody; s++) {
    const int i = group->body[s], inside = group->inside[s];
    mbd_placement_t place = data->X_parent[i];
    if (inside >= 0) place = mbdu_placement_mul(&places[inside], &data->X_parent[i]);
    if (group->nbody > 1) places[s] = place;
    mbdi_sko_put_phi(&place, node->n, node->A + 6 * s);
    mbdi_sko_put_inertia(&data->inertia[i], node->n, node->M + 6 * s * (node->n + 1));
  }
}

// rotors of all joints as the independent ones feel them: X^T diag X
static void
put_rotors(const mbd_model_t * model, mbd_data_t * data, int g)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  const mbd_sko_node_t * node = &data->work->embedded->sko->node[g];
  const double * X = data->work->embedded->loop[g].X;
  const int r = group->nind;
  memset(node->J, 0, (size_t)(r * r) * sizeof *node->J);
  if (!(data->terms & MBD_TERM_ROTORS)) return;
  for (int k = 0; k < group->ndof; k++) {
    const double rotor =
      joint_rotor(data, &model->tree->body[model->tree->dof_body[group->dof[k]]]);
    for (int a = 0; a < r; a++) {
      for (int b = 0; b < r; b++) node->J[a * r + b] += rotor * X[k * r + a] * X[k * r + b];
    }
  }
}

mbd_sko_t *
mbdi_embedded_sko(const mbd_model_t * model, mbd_data_t * data)
{
  struct mbdi_embedded * w = data->work->embedded;
  if (w->blocks) return w->sko;
  for (int g = 0; g < model->internal->embedding->ngroup; g++) {
    put_bodies(model, data, g);
    put_hinges(model, data, g);
    put_rotors(model, data, g);
  }
  mbd_sko_changed(w->sko);
  w->blocks = true;
  return w->sko;
}

// a of each body: accelerations of the group at rest, Xdot v included                (15.15)
static void
put_accelerations(const mbd_model_t * model, mbd_data_t * data, int g)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  const mbd_sko_node_t * node = &data->work->embedded->sko->node[g];
  for (int s = 0; s < group->nbody; s++) {
    const int i = group->body[s];
    const mbd_body_t * body = &model->tree->body[i];
    mbd_motion_t a = data->a[i];
    if (group->nclosure > 0) {
      const double * xd = data->work->embedded->xd + body->v_index;
      a = mbdu_motion_add(a, joint_motion(body, data->S + body->v_index, xd));
    }
    if (group->inside[s] >= 0) {
      const mbd_motion_t below = get_motion(node->a + 6 * group->inside[s]);
      a = mbdu_motion_add(a, mbdu_motion_to_child(&data->X_parent[i], below));
    }
    mbdi_sko_put_motion(a, 1, node->a + 6 * s);
  }
}

// a and b of all nodes; wrenches are taken off b
static void
put_motions(const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * f_ext)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_force_t momentum = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
    data->work->F[i] = mbdu_force_cross(data->V[i], momentum);
  }
  mbdi_add_wrenches(model, data, f_ext, -1, data->work->F);
  mbdi_add_element_forces(model, data, -1, data->work->F);
  for (int g = 0; g < e->ngroup; g++) {
    const mbd_sko_node_t * node = &data->work->embedded->sko->node[g];
    put_accelerations(model, data, g);
    for (int s = 0; s < e->group[g].nbody; s++) {
      const mbd_force_t f = data->work->F[e->group[g].body[s]];
      mbdi_sko_put_motion((mbd_motion_t){f.ang, f.lin}, 1, node->b + 6 * s);
    }
  }
}

// bodies' motions from a field of the nodes
static void
get_bodies(const mbd_model_t * model, const mbd_data_t * data, bool alpha, mbd_motion_t * out)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_sko_node_t * node = &data->work->embedded->sko->node[e->group_of[i]];
    out[i] = get_motion((alpha ? node->alpha : node->w) + 6 * e->slot_of[i]);
  }
}

// the body that the engine's last error is about
static mbd_status_t
blame(const mbd_model_t * model, mbd_data_t * data, mbd_status_t status)
{
  const int node = data->work->embedded->sko->error_node;
  if (status == MBD_ERROR_MASSLESS_SUBTREE && node >= 0) {
    data->error_body = model->internal->embedding->group[node].body[0];
  }
  return status;
}

//---------- by way of the tree ----------

// friction of all joints, and what turns rotors when the independent ones do not accelerate
static void
add_joint_terms(const mbd_model_t * model, mbd_data_t * data, const double * qdd, double * tau_tree)
{
  const mbd_model_t * tree = model->tree;
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(tree, data->tree->v, 1, tau_tree);
  if (!(data->terms & MBD_TERM_ROTORS)) return;
  for (int k = 0; k < tree->nv; k++) {
    tau_tree[k] += joint_rotor(data, &tree->body[tree->dof_body[k]]) * qdd[k];
  }
}

static mbd_status_t
take_state(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  data->error_body = -1;
  if (q) CHECK(mbdi_embedded_load_position(model, data, q));
  if (v) CHECK(mbdi_embedded_load_velocity(model, data, v));
  return stage_has_velocity(data) ? MBD_OK : MBD_ERROR_STAGE;
}

// the tree's stages after its kernels, `stages` before them; w->qdd_tree is the acceleration
static void
defer_acceleration(const mbd_model_t * model, mbd_data_t * data, uint32_t stages)
{
  stage_reset(data->tree, MBD_STAGE_DEFERRED_VELOCITY);
  stage_reset(data, MBD_STAGE_DEFERRED);
  if (!(stages & MBD_STAGE_VELOCITY)) return;
  // stages that were there stay: only the accelerations are new
  const uint32_t others = MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL | STAGES_DEFERRED;
  stage_reset(data->tree, stages & ~others);
  mbdi_embedded_complete_stages(model, data);
}

// X^T of the tree's numbers, if that is finite
static mbd_status_t
reduce_if_finite(
  const mbd_model_t * model, mbd_data_t * data, const double * tree_numbers, double * out)
{
  mbdi_embedded_reduce(model, data, tree_numbers, data->work->x);
  return copy_checked(out, data->work->x, model->nv);
}

mbd_status_t
mbdi_embedded_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau)
{
  CHECK(mbdi_embedded_arguments(model, data));
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  // qdd may be where the state is kept: read it before that changes
  struct mbdi_embedded * w = data->work->embedded;
  const mbd_model_t * tree = model->tree;
  double * given = data->work->qdd;
  for (int k = 0; k < model->nv; k++) given[k] = qdd ? qdd[k] : 0;
  CHECK(take_state(model, data, q, v));
  mbdi_embedded_expand(model, data, given, w->qdd_tree);
  for (int k = 0; k < tree->nv; k++) w->qdd_tree[k] += w->xd[k];
  const uint32_t stages = stage_bits(data->tree);
  // forces of the tree's joints are without those of the closures: no stage
  stage_reset(data->tree, MBD_STAGE_DEFERRED_VELOCITY);
  const mbd_status_t status = tree->internal->engine->inverse_dynamics(
    tree, data->tree, NULL, NULL, w->qdd_tree, f_ext, w->y_tree);
  defer_acceleration(model, data, stages);
  return status == MBD_OK ? reduce_if_finite(model, data, w->y_tree, tau) : status;
}

mbd_status_t
mbdi_embedded_bias(const mbd_model_t * model, mbd_data_t * data, double * h)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!h) return MBD_ERROR_NULL_ARGUMENT;
  if (!stage_any(data, MBD_STAGE_VELOCITY)) return MBD_ERROR_STAGE;
  double * all = data->work->embedded->y_tree;
  CHECK(mbd_bias(model->tree, data->tree, all));
  // rotors that Xdot v turns
  for (int k = 0; k < model->tree->nv; k++) {
    all[k] +=
      joint_rotor(data, &model->tree->body[model->tree->dof_body[k]]) * data->work->embedded->xd[k];
  }
  return reduce_if_finite(model, data, all, h);
}

mbd_status_t
mbdi_embedded_gravity(const mbd_model_t * model, mbd_data_t * data, double * g)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!g) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_gravity(model->tree, data->tree, data->work->embedded->y_tree));
  return reduce_if_finite(model, data, data->work->embedded->y_tree, g);
}

mbd_status_t
mbdi_embedded_momentum(const mbd_model_t * model, mbd_data_t * data, double * p)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!p) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_momentum(model->tree, data->tree, data->work->embedded->y_tree));
  return reduce_if_finite(model, data, data->work->embedded->y_tree, p);
}

mbd_status_t
mbdi_embedded_momentum_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!pdot) return MBD_ERROR_NULL_ARGUMENT;
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  if (!stage_any(data, MBD_STAGE_VELOCITY)) return MBD_ERROR_STAGE;
  // d/dt X^T p = X^T pdot + Xdot^T p, p of the tree
  struct mbdi_embedded * w = data->work->embedded;
  double *all = w->y_tree, *turning = w->narrow;
  for (int k = 0; k < model->nv; k++) turning[k] = tau ? tau[k] : 0;
  CHECK(mbd_momentum(model->tree, data->tree, w->x_tree));
  mbdi_embedded_add_rate(model, data, 1, w->x_tree, turning);
  CHECK(mbd_momentum_rate(model->tree, data->tree, NULL, f_ext, all));
  CHECK(reduce_if_finite(model, data, all, pdot));
  for (int k = 0; k < model->nv; k++) pdot[k] += turning[k];
  return MBD_OK;
}

mbd_status_t
mbdi_embedded_mass_product(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  if (!stage_any(data, MBD_STAGE_POSITION)) return MBD_ERROR_STAGE;
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  struct mbdi_embedded * w = data->work->embedded;
  mbdi_embedded_expand(model, data, x, w->x_tree);
  CHECK(mbd_mass_product(model->tree, data->tree, w->x_tree, w->y_tree));
  return reduce_if_finite(model, data, w->y_tree, y);
}

//---------- by the engine ----------

mbd_status_t
mbdi_embedded_articulated_inertia(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!stage_any(data, MBD_STAGE_POSITION)) return MBD_ERROR_STAGE;
  return blame(model, data, mbd_sko_articulated_inertia(mbdi_embedded_sko(model, data)));
}

// by the SKO engine; accelerations of the bodies are a stage
static mbd_status_t
sko_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, double * given, const mbd_wrenches_t * f_ext,
  double * qdd)
{
  CHECK(mbdi_embedded_check(model, data));
  struct mbdi_embedded * w = data->work->embedded;
  mbd_sko_t * sko = mbdi_embedded_sko(model, data);
  put_motions(model, data, f_ext);
  if (data->terms) {
    memset(w->y_tree, 0, (size_t)model->tree->nv * sizeof *w->y_tree);
    add_joint_terms(model, data, w->xd, w->y_tree);
    mbdi_embedded_reduce(model, data, w->y_tree, data->work->x);
    for (int k = 0; k < model->nv; k++) given[k] -= data->work->x[k];
  }
  // gravity is an acceleration of the world upwards                                 (5.39)
  const mbd_vec3_t g = data->gravity;
  const double base[6] = {0, 0, 0, -g.x, -g.y, -g.z};
  CHECK(blame(model, data, mbd_sko_forward_dynamics(sko, base, given, data->work->x)));
  get_bodies(model, data, true, data->A);
  stage_clear(data->tree, MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
  stage_set(data->tree, MBD_STAGE_ACCELERATION);
  mbdi_embedded_sync(data);
  memcpy(qdd, data->work->x, (size_t)model->nv * sizeof *qdd);
  return MBD_OK;
}

mbd_status_t
mbdi_embedded_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd)
{
  CHECK(mbdi_embedded_arguments(model, data));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  // tau may be where the state is kept: read it before that changes
  struct mbdi_embedded * w = data->work->embedded;
  double *given = data->work->qdd, *x = data->work->x;
  for (int k = 0; k < model->nv; k++) given[k] = tau ? tau[k] : 0;
  CHECK(take_state(model, data, q, v));
  bool solved = false;
  if (w->M) {
    const uint32_t stages = stage_bits(data->tree);
    const mbd_status_t status =
      mbdi_projected_forward_dynamics(model, data, given, f_ext, x, &solved);
    if (status == MBD_OK && solved) {
      mbdi_embedded_expand(model, data, x, w->qdd_tree);
      for (int k = 0; k < model->tree->nv; k++) w->qdd_tree[k] += w->xd[k];
      memcpy(qdd, x, (size_t)model->nv * sizeof *qdd);
      defer_acceleration(model, data, stages);
      return MBD_OK;
    }
    stage_reset(data->tree, MBD_STAGE_DEFERRED_VELOCITY);
    stage_reset(data, MBD_STAGE_DEFERRED_VELOCITY);
    if (status != MBD_OK) return status;
  }
  return sko_forward_dynamics(model, data, given, f_ext, qdd);
}

void
mbdi_embedded_solve(const mbd_model_t * model, mbd_data_t * data, double * x)
{
  mbd_sko_t * sko = mbdi_embedded_sko(model, data);
  if (mbd_sko_mass_solve(sko, x, x) != MBD_OK) {
    for (int k = 0; k < model->nv; k++) x[k] = (double)NAN;
  }
  get_bodies(model, data, false, data->work->W);
}

//---------- compliance ----------

// unit wrenches at a frame as forces on its node, n x 6
static int
unit_wrenches(
  const mbd_model_t * model, const mbd_data_t * data, int frame, mbd_reference_t reference,
  double * B)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  const int body = model->frame[frame].body, g = e->group_of[body];
  const mbd_placement_t X = mbdi_reference_in_body(model, data, frame, reference);
  memset(B, 0, 36 * (size_t)e->group[g].nbody * sizeof *B);
  mbdi_sko_put_phi(&X, 6, B + 36 * e->slot_of[body]);
  return g;
}

mbd_status_t
mbdi_embedded_compliance_between(
  const mbd_model_t * model, mbd_data_t * data, int frame_i, mbd_reference_t reference_i,
  int frame_j, mbd_reference_t reference_j, double * omega)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!omega) return MBD_ERROR_NULL_ARGUMENT;
  if (!stage_any(data, MBD_STAGE_POSITION)) return MBD_ERROR_STAGE;
  CHECK(check_frame(model, frame_i, reference_i));
  CHECK(check_frame(model, frame_j, reference_j));
  memset(omega, 0, 36 * sizeof *omega);
  if (model->frame[frame_i].body < 0 || model->frame[frame_j].body < 0) return MBD_OK;
  double *B_i = data->work->embedded->unit_i, *B_j = data->work->embedded->unit_j;
  const int i = unit_wrenches(model, data, frame_i, reference_i, B_i);
  const int j = unit_wrenches(model, data, frame_j, reference_j, B_j);
  mbd_sko_t * sko = mbdi_embedded_sko(model, data);
  CHECK(blame(model, data, mbd_sko_compliance_between(sko, i, B_i, 6, j, B_j, 6, omega)));
  if (frame_i != frame_j || reference_i != reference_j) return MBD_OK;
  // symmetric to the last bit
  for (int r = 0; r < 6; r++) {
    for (int c = 0; c < r; c++) {
      omega[6 * c + r] = omega[6 * r + c] = 0.5 * (omega[6 * r + c] + omega[6 * c + r]);
    }
  }
  return MBD_OK;
}

//---------- forces in the cut joints ----------

// the smallest lambda with Y1^T lambda = r of a group: Y1 (Y1^T Y1)^-1 r, corrected once
static mbd_status_t
group_forces(
  const mbdi_group_t * group, struct mbdi_embedded * w, const double * Y, const double * r,
  double * lambda)
{
  const int n = group->ndep, m = group->nrow;
  double *gram = w->gram, *L = gram + n * n, *x = L + n * n, *floor = x + n;
  for (int i = 0; i < n; i++) {
    floor[i] = 0;
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < m; k++) {
        sum += Y[k * group->ndof + group->dep[i]] * Y[k * group->ndof + group->dep[j]];
      }
      gram[i * n + j] = sum;
    }
  }
  if (!mbdi_cholesky(n, gram, floor, L)) return MBD_ERROR_LOCKED;
  memset(lambda, 0, (size_t)m * sizeof *lambda);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < n; i++) {
      x[i] = r[group->dof[group->dep[i]]];
      for (int k = 0; k < m; k++) x[i] -= Y[k * group->ndof + group->dep[i]] * lambda[k];
    }
    mbdi_solve_lower(n, L, x);
    mbdi_solve_upper(n, L, x);
    for (int k = 0; k < m; k++) {
      for (int i = 0; i < n; i++) lambda[k] += Y[k * group->ndof + group->dep[i]] * x[i];
    }
  }
  return finite_array(lambda, m) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbd_closure_forces(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const double * tau_tree,
  const mbd_wrenches_t * f_ext, double * lambda)
{
  CHECK(mbdi_embedded_check(model, data));
  if (!qdd || !lambda) return MBD_ERROR_NULL_ARGUMENT;
  if (tau_tree && !finite_array(tau_tree, model->tree->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  CHECK(mbd_tree_acceleration(model, data, qdd, w->y_tree));
  // what the tree's joints would have to bring, less what they do
  mbdi_force_stage(model->tree, data->tree, w->y_tree, f_ext);
  add_joint_terms(model, data, w->y_tree, data->tree->work->x);
  if (mbdi_elements_count(model, data)) {
    double * tau = data->tree->work->elements->tau;
    CHECK(mbdi_element_torque(model->tree, data->tree, true, tau));
    for (int k = 0; k < model->tree->nv; k++) data->tree->work->x[k] -= tau[k];
  }
  stage_clear(data->tree, MBD_STAGE_FORCE);
  mbdi_embedded_sync(data);
  for (int k = 0; tau_tree && k < model->tree->nv; k++) data->tree->work->x[k] -= tau_tree[k];
  for (int k = 0; k < e->naggregate; k++) {
    const int g = e->aggregate[k];
    double * part = w->rows;
    CHECK(group_forces(&e->group[g], w, w->loop[g].Y, data->tree->work->x, part));
    for (int j = 0; j < e->group[g].nclosure; j++) {
      const mbd_closure_t * c = &model->tree->closure[e->group[g].closure[j]];
      memcpy(lambda + c->row, part, (size_t)c->nrow * sizeof *part);
      part += c->nrow;
    }
  }
  return MBD_OK;
}
