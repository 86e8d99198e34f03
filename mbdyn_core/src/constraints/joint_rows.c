// Rows of joints: position limits and dry friction; viscous friction.
#include <math.h>
#include <string.h>

#include "constraints/contact_internal.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/operators/factors.h"
#include "state/state.h"

//---------- limits ----------

void
mbdi_find_limits(mbdi_scene_t * s)
{
  const double margin = s->dt == 0 ? s->options.touch : s->options.limit_margin;
  s->nnear = 0;
  for (int k = 0; s->options.limits && k < s->model->nv; k++) {
    const mbd_body_t * body = &s->model->body[s->model->dof_body[k]];
    if (body->nv != 1 || body->nq != 1) continue;
    const double q = s->data->q[body->q_index];
    if (q - body->limits.lower <= margin) s->near[s->nnear++] = 2 * k;
    if (body->limits.upper - q <= margin) s->near[s->nnear++] = 2 * k + 1;
  }
}

// sign of a limit, and what is added to the motion away from it; false if it does not count
static bool
limit_counts(const mbdi_scene_t * s, int i, double * sign, double * offset)
{
  const int k = i / 2, upper = i % 2;
  const mbd_body_t * body = &s->model->body[s->model->dof_body[k]];
  *sign = upper ? -1 : 1;
  *offset = 0;
  const double at = upper ? body->limits.upper : body->limits.lower;
  const double gap = *sign * (s->data->q[body->q_index] - at);
  if (s->dt == 0) return *sign * s->data->v[k] <= s->options.slip;
  *offset = (gap > 0 ? 1 : s->options.recovery) * gap / s->dt;
  return true;
}

bool
mbdi_limit_stays_open(const mbdi_scene_t * s, int i)
{
  double sign, offset;
  if (!limit_counts(s, i, &sign, &offset)) return true;
  return s->dt > 0 && sign * s->motion[i / 2] + offset >= 0;
}

static mbd_status_t
set_limit(mbdi_scene_t * s, int i, double sign, double offset)
{
  const int row = 3 * s->n + i, k = i / 2;
  double * B = s->lcp.B + (size_t)row * (size_t)s->lcp.n;
  memset(B, 0, (size_t)s->lcp.n * sizeof *B);
  B[k] = sign;
  CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE, B, B));
  s->lcp.p[row] = s->limit ? fmax(0, sign * s->limit[k]) : 0;
  mbdi_scene_finish_row(s, row, sign * s->motion[k], offset);
  return MBD_OK;
}

mbd_status_t
mbdi_list_limits(mbdi_scene_t * s)
{
  for (int i = 0; i < 2 * s->model->nv; i++) mbdi_scene_leave_row_out(s, 3 * s->n + i);
  for (int n = 0; n < s->nnear; n++) {
    const int i = s->near[n];
    double sign, offset;
    bool * listed = &s->listed[s->n + i];
    *listed = limit_counts(s, i, &sign, &offset);
    if (!*listed) continue;
    const bool pushed = s->limit && sign * s->limit[i / 2] > 0;
    *listed = s->dt == 0 || pushed || !(sign * s->motion[i / 2] + offset >= 0);
    if (*listed) CHECK(set_limit(s, i, sign, offset));
  }
  return MBD_OK;
}

mbd_status_t
mbdi_list_more_limits(mbdi_scene_t * s, const double * after, bool * more)
{
  for (int n = 0; n < s->nnear; n++) {
    const int i = s->near[n];
    double sign, offset;
    if (s->listed[s->n + i] || !limit_counts(s, i, &sign, &offset)) continue;
    if (!mbdi_scene_joins(sign * after[i / 2], offset, s->motion[i / 2])) continue;
    s->listed[s->n + i] = *more = true;
    CHECK(set_limit(s, i, sign, offset));
  }
  return MBD_OK;
}

//---------- friction ----------

// velocities of all joints at the independent ones
static mbd_status_t
joint_velocities(mbdi_scene_t * s, const double * v, double * out)
{
  if (s->model->tree) return mbd_tree_velocity(s->model, s->data, v, out);
  memcpy(out, v, (size_t)s->njoint * sizeof *out);
  return MBD_OK;
}

// x = X^T tau of all joints
static void
reduce_torques(const mbdi_scene_t * s, const double * tau, double * x)
{
  const int nv = s->model->nv;
  if (!s->model->tree) {
    memcpy(x, tau, (size_t)nv * sizeof *x);
    return;
  }
  memset(x, 0, (size_t)nv * sizeof *x);
  for (int i = 0; i < s->njoint; i++) {
    for (int k = 0; tau[i] != 0 && k < nv; k++) x[k] += s->X[i * nv + k] * tau[i];
  }
}

mbd_status_t
mbdi_damp_joints(mbdi_scene_t * s)
{
  const mbd_joint_friction_t * f = s->friction;
  CHECK(check_any(s->model, s->data, MBD_STAGE_VELOCITY));
  if (s->model->tree) CHECK(mbd_embedding_matrix(s->model, s->data, s->X));
  for (int i = 0; i < s->njoint; i++) s->S[i] = f->viscous ? s->dt * f->viscous[i] : 0;
  s->cut.S = s->S;
  s->cut.X = s->model->tree ? s->X : NULL;
  s->cut.nresist = s->njoint;
  CHECK(mbdi_cut_factorize(&s->cut));
  if (!f->viscous) return MBD_OK;
  CHECK(joint_velocities(s, s->motion, s->tree));
  for (int i = 0; i < s->njoint; i++) s->tree[i] *= s->S[i];
  double * x = s->row;
  reduce_torques(s, s->tree, x);
  CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE, x, x));
  CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE_TRANSPOSE, x, x));
  for (int k = 0; k < s->model->nv; k++) s->motion[k] -= x[k];
  return MBD_OK;
}

static int
friction_row(const mbdi_scene_t * s, int joint)
{
  return 3 * s->n + 2 * s->model->nv + joint;
}

// velocity of a joint as a row
static void
velocity_row(const mbdi_scene_t * s, int joint, double * row)
{
  const int nv = s->model->nv;
  if (s->model->tree) {
    memcpy(row, s->X + joint * nv, (size_t)nv * sizeof *row);
    return;
  }
  memset(row, 0, (size_t)nv * sizeof *row);
  row[joint] = 1;
}

mbd_status_t
mbdi_list_friction(mbdi_scene_t * s)
{
  const mbd_joint_friction_t * f = s->friction;
  for (int i = 0; i < 2 * s->model->nv + s->njoint; i++) s->lcp.bound[i] = 0;
  for (int i = 0; i < s->njoint; i++) mbdi_scene_leave_row_out(s, friction_row(s, i));
  if (!f || !f->dry) return MBD_OK;
  CHECK(joint_velocities(s, s->motion, s->tree));
  for (int i = 0; i < s->njoint; i++) {
    const int row = friction_row(s, i);
    const double most = s->dt * f->dry[i];
    if (most == 0) continue;
    double * B = s->lcp.B + (size_t)row * (size_t)s->lcp.n;
    memset(B, 0, (size_t)s->lcp.n * sizeof *B);
    velocity_row(s, i, B);
    CHECK(mbdi_cut_root(&s->cut, MBD_SQRT_INVERSE, B, B));
    s->lcp.bound[2 * s->model->nv + i] = most;
    s->lcp.p[row] = f->impulse ? fmax(-most, fmin(most, f->impulse[i])) : 0;
    mbdi_scene_finish_row(s, row, s->tree[i], 0);
  }
  return MBD_OK;
}

void
mbdi_write_friction(mbdi_scene_t * s)
{
  const mbd_joint_friction_t * f = s->friction;
  if (!f || !f->impulse) return;
  for (int i = 0; i < s->njoint; i++) f->impulse[i] = s->lcp.p[friction_row(s, i)];
}

void
mbdi_joint_row(mbdi_scene_t * s, int i)
{
  if (i >= friction_row(s, 0)) {
    velocity_row(s, i - friction_row(s, 0), s->row);
    return;
  }
  memset(s->row, 0, (size_t)s->model->nv * sizeof *s->row);
  s->row[(i - 3 * s->n) / 2] = (i - 3 * s->n) % 2 ? -1 : 1;
}
