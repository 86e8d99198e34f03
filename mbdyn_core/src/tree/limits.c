// Position limits of all joints, whether their velocities are independent or not.
#include "mbdyn/constraints/limits.h"

#include <math.h>
#include <string.h>

#include "model/joint.h"
#include "state/state.h"

static int
limited(const mbd_body_t * body)
{
  const bool any = body->limits.lower > -HUGE_VAL || body->limits.upper < HUGE_VAL;
  return any ? mbdi_joint_positions(body) : 0;
}

int
mbd_limit_count(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  const mbd_model_t * tree = mbdi_spanning_tree(model);
  int n = 0;
  for (int i = 0; i < tree->nbody; i++) n += limited(&tree->body[i]);
  return n;
}

// number in v of a degree of freedom of the tree, or -1
static int
independent_index(const mbd_model_t * model, int body, int dof)
{
  if (!model->dof_tree) return dof;
  const int first = model->body[body].v_index;
  for (int k = first; k < first + model->body[body].nv; k++) {
    if (model->dof_tree[k] == dof) return k;
  }
  return -1;
}

mbd_status_t
mbd_limit_info(const mbd_model_t * model, int k, mbd_limit_t * limit)
{
  if (!model || !limit) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (k < 0) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_model_t * tree = mbdi_spanning_tree(model);
  for (int i = 0; i < tree->nbody; i++) {
    const mbd_body_t * body = &tree->body[i];
    const int n = limited(body);
    if (k >= n) {
      k -= n;
      continue;
    }
    limit->body = i;
    limit->q_index = body->q_index + k;
    limit->tree_index = body->v_index + k;
    limit->v_index = independent_index(model, i, limit->tree_index);
    limit->lower = body->limits.lower;
    limit->upper = body->limits.upper;
    return MBD_OK;
  }
  return MBD_ERROR_BAD_ARGUMENT;
}

static mbd_status_t
check_limit(const mbd_model_t * model, const mbd_limit_t * limit)
{
  const mbd_model_t * tree = mbdi_spanning_tree(model);
  if (limit->body < 0 || limit->body >= tree->nbody) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_body_t * body = &tree->body[limit->body];
  const int k = limit->q_index - body->q_index;
  const bool same =
    k >= 0 && k < mbdi_joint_positions(body) && limit->tree_index == body->v_index + k;
  return same ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

mbd_status_t
mbd_limit_gaps(
  const mbd_model_t * model, mbd_data_t * data, const mbd_limit_t * limit, double * below,
  double * above, double * row)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (!limit) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_limit(model, limit));
  const double position = data->q[limit->q_index];
  if (below) *below = position - limit->lower;
  if (above) *above = limit->upper - position;
  if (!row) return MBD_OK;
  double * unit = mbdi_spanning_data(data)->work->x;
  memset(unit, 0, (size_t)mbdi_spanning_tree(model)->nv * sizeof *unit);
  unit[limit->tree_index] = 1;
  model->internal->engine->reduce(model, data, unit, row);
  return MBD_OK;
}
