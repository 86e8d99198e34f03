// Dynamics of a model with flexible links: Newton-Euler over bodies and nodes, and the SKO engine for
// everything that needs articulated bodies.
#include <string.h>

#include "flexible/flexible_internal.h"
#include "model/joint.h"
#include "tree/tree.h"

static void
add_force(mbd_force_t f, double * out)
{
  out[0] += f.ang.x, out[1] += f.ang.y, out[2] += f.ang.z;
  out[3] += f.lin.x, out[4] += f.lin.y, out[5] += f.lin.z;
}

//---------- blocks of the engine ----------

// A: forces of a unit as the one below feels them, in its modes and in its frame       (13.30)
static void
put_push(const mbd_data_t * data, const mbdi_flexible_unit_t * unit, int i, mbd_sko_node_t * node)
{
  const mbd_placement_t * X = &data->X_parent[i];
  const int modes = node->rows - 6;
  double * A = node->A + node->n - 6;
  if (modes == 0) {
    mbdi_sko_put_phi(X, node->n, A);
    return;
  }
  for (int m = 0; m < modes; m++) {
    const mbd_motion_t V = mbdu_motion_to_child(X, data->work->flexible->column[unit->up][m]);
    mbdi_sko_put_motion(V, 1, A + m * node->n);
  }
  const mbd_placement_t below = mbdu_placement_mul(&data->X_parent[unit->up], X);
  mbdi_sko_put_phi(&below, node->n, A + modes * node->n);
}

static void
put_body(const mbd_model_t * model, const mbd_data_t * data, int i, mbd_sko_node_t * node)
{
  const mbd_body_t * body = &model->body[i];
  mbdi_sko_put_inertia(&data->inertia[i], 6, node->M);
  for (int k = 0; k < node->r; k++) {
    mbdi_sko_put_motion(data->S[body->v_index + k], node->r, node->H + k);
    node->J[k * (node->r + 1)] = joint_rotor(data, body);
  }
}

// M_fl += A M A^T of one node                                                            (13.27)
static void
add_node(
  const mbd_inertia_t * inertia, const mbd_placement_t * X, const mbd_motion_t * column, int m,
  mbd_sko_node_t * node)
{
  const int n = node->n;
  for (int i = 0; i < m; i++) {
    const mbd_force_t F = mbdu_inertia_mul(inertia, column[i]);
    for (int j = 0; j <= i; j++) node->M[i * n + j] += mbdu_power(F, column[j]);
    add_force(mbdu_force_to_parent(X, F), node->M + i * n + m);
  }
}

static void
put_part(
  const mbd_model_t * model, const mbd_data_t * data, int p, int first, mbd_sko_node_t * node)
{
  const mbd_flexible_part_t * part = &model->flexible->part[p];
  const int m = part->body->nmode, n = node->n;
  memset(node->M, 0, (size_t)(n * n) * sizeof *node->M);
  memcpy(node->J, part->extra_mass, (size_t)(m * m) * sizeof *node->J);
  for (int i = 0; i < m; i++) node->H[i * m + i] = 1;
  mbd_inertia_t whole = data->inertia[first];
  for (int s = first + 1; s <= first + part->body->nnode; s++) {
    const mbd_inertia_t * inertia = &data->inertia[s];
    const mbd_sym3_t * I = &inertia->I;
    if (inertia->mass == 0 && I->xx == 0 && I->yy == 0 && I->zz == 0) continue;
    const mbd_inertia_t moved = mbdu_inertia_to_parent(&data->X_parent[s], inertia);
    whole = mbdu_inertia_add(&whole, &moved);
    add_node(inertia, &data->X_parent[s], data->work->flexible->column[s], m, node);
  }
  mbdi_sko_put_inertia(&whole, n, node->M + m * n + m);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i && j < m; j++) {
      if (i < m) {
        node->M[j * n + i] = node->M[i * n + j];
      } else {
        node->M[i * n + j] = node->M[j * n + i];
      }
    }
  }
}

mbd_sko_t *
mbdi_flexible_sko(const mbd_model_t * model, mbd_data_t * data)
{
  const struct mbdi_flexible_layout * layout = model->flexible->layout;
  struct mbdi_flexible_data * f = data->work->flexible;
  if (f->blocks) return f->sko;
  for (int k = 0; k < layout->nunit; k++) {
    const mbdi_flexible_unit_t * unit = &layout->unit[k];
    mbd_sko_node_t * node = &f->sko->node[k];
    const int i = unit->body >= 0 ? unit->body : layout->link_frame[unit->part];
    put_push(data, unit, i, node);
    if (unit->body >= 0) {
      put_body(model, data, i, node);
    } else {
      put_part(model, data, unit->part, i, node);
    }
  }
  mbd_sko_changed(f->sko);
  f->blocks = true;
  return f->sko;
}

//---------- terms beside the bodies ----------

void
mbdi_flexible_add_springs(
  const mbd_model_t * model, const double * q, const double * v, double s, double * y)
{
  for (int p = 0; p < model->flexible->npart; p++) {
    const mbd_flexible_part_t * part = &model->flexible->part[p];
    const mbd_modal_body_t * body = part->body;
    const int m = body->nmode;
    for (int i = 0; i < m; i++) {
      double sum = 0;
      for (int j = 0; j < m; j++) {
        if (q) sum += body->stiffness[i * m + j] * q[part->q_index + j];
        if (v) sum += body->damping[i * m + j] * v[part->v_index + j];
      }
      y[part->v_index + i] += s * sum;
    }
  }
}

// y += modal masses that are not of the nodes, times x
static void
add_modal_mass(const mbd_model_t * model, const double * x, double * y)
{
  for (int p = 0; p < model->flexible->npart; p++) {
    const mbd_flexible_part_t * part = &model->flexible->part[p];
    const int m = part->body->nmode;
    for (int k = 0; k < m * m; k++) {
      y[part->v_index + k / m] += part->extra_mass[k] * x[part->v_index + k % m];
    }
  }
}

//---------- inverse dynamics ----------

mbd_status_t
mbdi_flexible_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau)
{
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  double * y = data->work->flexible->y;
  CHECK(mbdi_tree_inverse_dynamics(model, data, q, v, qdd, f_ext, y));
  mbdi_flexible_add_springs(model, data->q, data->v, 1, y);
  if (qdd) add_modal_mass(model, qdd, y);
  const mbd_status_t status = copy_checked(tau, y, model->nv);
  if (status != MBD_OK) forget_acceleration(data);
  return status;
}

mbd_status_t
mbdi_flexible_bias(const mbd_model_t * model, mbd_data_t * data, double * h)
{
  if (!h) return MBD_ERROR_NULL_ARGUMENT;
  double * y = data->work->flexible->y;
  CHECK(mbdi_tree_bias(model, data, y));
  mbdi_flexible_add_springs(model, data->q, data->v, 1, y);
  return copy_checked(h, y, model->nv);
}

mbd_status_t
mbdi_flexible_gravity(const mbd_model_t * model, mbd_data_t * data, double * g)
{
  if (!g) return MBD_ERROR_NULL_ARGUMENT;
  double * y = data->work->flexible->y;
  CHECK(mbdi_tree_gravity(model, data, y));
  mbdi_flexible_add_springs(model, data->q, NULL, 1, y);
  return copy_checked(g, y, model->nv);
}

//---------- forward dynamics ----------

mbd_status_t
mbdi_flexible_articulated_inertia(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  data->error_body = -1;
  mbd_sko_t * sko = mbdi_flexible_sko(model, data);
  const mbd_status_t status = mbd_sko_articulated_inertia(sko);
  if (status == MBD_OK) {
    data->work->stage |= MBD_STAGE_ARTICULATED;
  } else if (sko->error_node >= 0) {
    const mbdi_flexible_unit_t * unit = &model->flexible->layout->unit[sko->error_node];
    data->error_body = unit->body >= 0
                         ? unit->body
                         : model->body[model->flexible->layout->link_frame[unit->part]].parent;
  }
  return status;
}

mbd_status_t
mbdi_flexible_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd)
{
  CHECK(check_mimic(model, data));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  double * x = data->work->flexible->x;
  if (tau) memmove(x, tau, (size_t)model->nv * sizeof *x);
  CHECK(mbdi_take_state(model, data, q, v));
  forget_acceleration(data);
  CHECK(mbdi_flexible_articulated_inertia(model, data));
  mbdi_force_stage(model, data, NULL, f_ext);
  mbdi_flexible_add_springs(model, data->q, data->v, 1, data->work->x);
  forget_acceleration(data);
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(model, data->v, 1, data->work->x);
  for (int k = 0; k < model->nv; k++) data->work->x[k] = (tau ? x[k] : 0) - data->work->x[k];
  CHECK(mbd_sko_mass_solve(data->work->flexible->sko, data->work->x, data->work->x));
  CHECK(copy_checked(qdd, data->work->x, model->nv));
  CHECK(mbdi_tree_set_acceleration(model, data, data->work->x));
  // data->f has the forces through the joints without acceleration: mbdi_flexible_joint_force
  data->work->stage |= MBD_STAGE_RESIDUAL;
  return MBD_OK;
}

// forces by the accelerations of joints and modes, added to data->f
static void
add_accelerated(const mbd_model_t * model, mbd_data_t * data)
{
  mbdi_tree_bias_stage(model, data);
  for (int i = 0; i < mbdi_body_count(model); i++) {
    mbd_motion_t A = mbdu_motion_sub(data->A[i], data->A_bias[i]);
    A.lin = mbdu_vec3_add(A.lin, mbdu_mat3_tvec(&data->X_world[i].R, data->gravity));
    data->work->F[i] = mbdu_inertia_mul(&data->inertia[i], A);
  }
  mbdi_flexible_gather_forces(model, data, data->work->F, data->work->flexible->y);
  for (int i = 0; i < mbdi_body_count(model); i++) {
    data->f[i] = mbdu_force_add(data->f[i], data->work->F[i]);
  }
}

mbd_status_t
mbdi_flexible_joint_force(const mbd_model_t * model, mbd_data_t * data, int body, mbd_force_t * f)
{
  CHECK(check_any(model, data, MBD_STAGE_ACCELERATION));
  if (!f) return MBD_ERROR_NULL_ARGUMENT;
  if (body < 0 || body >= model->nbody) return MBD_ERROR_BAD_ARGUMENT;
  if (data->work->stage & MBD_STAGE_RESIDUAL) {
    add_accelerated(model, data);
    data->work->stage ^= MBD_STAGE_RESIDUAL | MBD_STAGE_FORCE;
  }
  if (!(data->work->stage & MBD_STAGE_FORCE)) return MBD_ERROR_STAGE;
  // the link frame may be on a node that its modes move
  const mbd_placement_t back = mbdu_placement_inverse(&data->X_world[body]);
  const mbd_placement_t link = mbdi_frame_in_world(model, data, model->body[body].link_frame);
  const mbd_placement_t X = mbdu_placement_mul(&back, &link);
  *f = mbdu_force_to_child(&X, data->f[body]);
  return MBD_OK;
}

//---------- mass matrix ----------

void
mbdi_flexible_solve(const mbd_model_t * model, mbd_data_t * data, double * x)
{
  // the articulated stage is there; what is not finite stays so
  if (mbd_sko_mass_solve(data->work->flexible->sko, x, x) != MBD_OK) {
    for (int k = 0; k < model->nv; k++) x[k] *= 0 * x[k];
  }
  mbdi_flexible_motions(model, data, x, data->work->W, NULL);
}

mbd_status_t
mbdi_flexible_mass_product(
  const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  CHECK(check_any_dynamics(model, data, MBD_STAGE_POSITION));
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  mbdi_flexible_motions(model, data, x, data->work->W, NULL);
  for (int i = 0; i < mbdi_body_count(model); i++) {
    data->work->F[i] = mbdu_inertia_mul(&data->inertia[i], data->work->W[i]);
  }
  mbdi_flexible_gather_forces(model, data, data->work->F, data->work->flexible->y);
  for (int k = 0; k < model->flexible->rigid->nv; k++) {
    data->work->flexible->y[k] += joint_rotor(data, &model->body[model->dof_body[k]]) * x[k];
  }
  add_modal_mass(model, x, data->work->flexible->y);
  return copy_checked(y, data->work->flexible->y, model->nv);
}
