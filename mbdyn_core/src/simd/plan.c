// The model as kernels read it.
#include <stdlib.h>
#include <string.h>

#include "model/joint.h"
#include "simd/kernels.h"
#include "simd/simd_args.h"

static int32_t
plan_kind(mbd_joint_type_t type)
{
  switch (type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS: return PLAN_REVOLUTE;
    case MBD_JOINT_PRISMATIC: return PLAN_PRISMATIC;
    case MBD_JOINT_FREE: return PLAN_FREE;
    default: return PLAN_GENERAL;
  }
}

static bool
is_identity(const mbd_placement_t * X)
{
  bool same = X->p.x == 0 && X->p.y == 0 && X->p.z == 0;
  for (int k = 0; k < 9; k++) same = same && X->R.m[k] == (k % 4 == 0);
  return same;
}

static void
plan_body(const mbd_model_t * model, int i, mbdi_plan_t * plan)
{
  const mbd_body_t * from = &model->body[i];
  mbdi_plan_body_t * to = &plan->body[i];
  memcpy(to->R, from->X_tree.R.m, sizeof to->R);
  memcpy(to->p, &from->X_tree.p, sizeof to->p);
  memcpy(to->origin, to->p, sizeof to->p);
  for (int k = 0; k < 9; k++) to->column[k % 3][k / 3] = to->R[k];
  to->parent = from->parent;
  to->q = from->q_index;
  to->v = from->v_index;
  to->kind = plan_kind(from->type);
  to->identity_transform = is_identity(&from->X_tree);

  const double ratio = from->drive.gear_ratio, rotor = ratio * ratio * from->drive.rotor_inertia;
  const mbd_body_t * last = &model->body[from->subtree_end - 1];
  const mbd_body_t * parent = from->parent < 0 ? NULL : &model->body[from->parent];
  for (int k = 0; k < from->nv; k++) {
    const int v = from->v_index + k;
    plan->dof_above[v] = k > 0 ? v - 1 : parent ? parent->v_index + parent->nv - 1 : -1;
    plan->rotor[from->v_index + k] = rotor;
    plan->subtree_dof_end[from->v_index + k] = last->v_index + last->nv;
  }
  if (from->type == MBD_JOINT_FREE && rotor != 0) plan->free_rotor = true;
}

// subtrees and slots
static void
plan_spans(const mbd_model_t * model, mbdi_plan_t * plan)
{
  for (int i = 0; i < plan->nbody; i++) {
    const mbd_body_t * from = &model->body[i];
    const mbd_body_t * last = &model->body[from->subtree_end - 1];
    mbdi_plan_span_t * to = &plan->span[i];
    to->nv = from->nv;
    to->end = last->v_index + last->nv;
    to->leaf = from->subtree_end == i + 1;
    if (from->parent < 0) {
      *to = (mbdi_plan_span_t){to->end, to->end, to->nv, to->leaf, 0, 0};
      continue;
    }
    const mbdi_plan_span_t * parent = &plan->span[from->parent];
    const bool last_child = to->end == parent->end;
    to->tree_end = parent->tree_end;
    to->parent_slot = parent->slot;
    to->slot = last_child ? parent->slot : parent->slot + 1;
    if (to->slot >= plan->slots) plan->slots = to->slot + 1;
  }
}

// a row of the packed mass matrix has an element for the degree of freedom and each of its
// ancestors
static void
plan_pack(mbdi_plan_t * plan)
{
  for (int i = 0; i < plan->nbody; i++) {
    const mbdi_plan_body_t * b = &plan->body[i];
    size_t * row_begin = plan->packed_row_begin + b->v;
    size_t row = 0;
    if (b->parent >= 0) {
      const int last = plan->body[b->parent].v + plan->span[b->parent].nv;
      row = plan->packed_row_begin[last] - plan->packed_row_begin[last - 1];
    }
    for (int k = 0; k < plan->span[i].nv; k++) row_begin[k + 1] = row_begin[k] + ++row;
  }
}

// of which rows each column is an ancestor
static uint32_t
block_mask(const mbd_model_t * model, const mbdi_plan_t * plan, int row, int column)
{
  uint32_t mask = 0;
  for (int c = 0; c < 4 && column + c < plan->nv; c++) {
    const int body = model->dof_body[column + c];
    for (int r = 0; r < 4 && row + r < plan->nv; r++) {
      const int j = row + r;
      const bool carries = j >= plan->body[body].v && j < plan->span[body].end;
      if (carries) mask |= 1u << (4 * r + c);
    }
  }
  return mask;
}

// the last block starts earlier rather than end outside the matrix; a free base needs none
static int
block_start(const mbdi_plan_t * plan, int k)
{
  const int base = plan->free_base ? 6 : 0, v = base + 4 * k;
  return v + 4 <= plan->nv || plan->nv < base + 4 ? v : plan->nv - 4;
}

// number of rows of blocks
static int
block_rows(const mbdi_plan_t * plan)
{
  return (plan->nv - (plan->free_base ? 6 : 0) + 3) / 4;
}

static mbdi_block_kind_t
block_kind(const mbdi_plan_t * plan, int row, int column)
{
  const int rest = plan->nv - (plan->free_base ? 6 : 0);
  if (rest < 4) return BLOCK_CORNER;
  // where it straddles the diagonal, the last block is stored after it
  return row == column ? BLOCK_DIAGONAL : BLOCK_BELOW;
}

// blocks of the mass matrix; counts them only if NULL
static size_t
plan_blocks(const mbd_model_t * model, const mbdi_plan_t * plan, mbdi_plan_block_t * block)
{
  size_t n = 0;
  for (int i = 0; i < block_rows(plan); i++) {
    for (int j = i; j < block_rows(plan); j++) {
      const int row = block_start(plan, j), column = block_start(plan, i);
      const uint32_t mask = block_mask(model, plan, row, column);
      if (!mask) continue;
      if (block) {
        block[n] = (mbdi_plan_block_t){
          (int16_t)row,
          (int16_t)column,
          (uint16_t)mask,
          (int16_t)block_kind(plan, row, column),
          row * plan->nv + column,
          column * plan->nv + row};
      }
      n++;
    }
  }
  if (block) block[n] = (mbdi_plan_block_t){.column = -1, .kind = BLOCK_END};
  return n;
}

// element (j, i) of the lower triangle is in one of the blocks
static void
mark_stored(const mbdi_plan_t * plan, const mbdi_plan_block_t * block, bool * stored)
{
  for (; block->kind != BLOCK_END; block++) {
    for (int j = block->row; j < block->row + 4 && j < plan->nv; j++) {
      for (int i = block->column; i < block->column + 4 && i < plan->nv; i++) {
        stored[j * plan->nv + i] = stored[i * plan->nv + j] = true;
      }
    }
  }
  for (int j = 0; plan->free_base && j < plan->nv; j++) {
    for (int i = 0; i < 6; i++) stored[j * plan->nv + i] = stored[i * plan->nv + j] = true;
  }
}

// stores of four zeros that cover what is not stored, the last one repeated to a multiple of four; counts
// them only if `zero` is NULL
static int32_t
plan_zeros(const mbdi_plan_t * plan, const bool * stored, int32_t * zero)
{
  const int32_t size = plan->nv * plan->nv;
  int32_t n = 0, at = 0;
  for (int32_t k = 0; k < size; k++) {
    if (stored[k]) continue;
    at = k + 4 <= size ? k : size - 4;
    if (zero) zero[n] = at;
    n++;
    k = at + 3;
  }
  for (; n % 4 != 0; n++) {
    if (zero) zero[n] = at;
  }
  return n;
}

// false if out of memory
static bool
list_blocks(const mbd_model_t * model, mbdi_plan_t * plan)
{
  if (plan->nv > PLAN_LISTED) return true;
  plan->block = calloc(plan_blocks(model, plan, NULL) + 1, sizeof *plan->block);
  bool * stored = calloc((size_t)(plan->nv * plan->nv) + 1, sizeof *stored);
  if (plan->block && stored) {
    plan_blocks(model, plan, plan->block);
    mark_stored(plan, plan->block, stored);
    plan->nzero = plan_zeros(plan, stored, NULL);
    plan->zero = calloc((size_t)plan->nzero + 1, sizeof *plan->zero);
    if (plan->zero) plan_zeros(plan, stored, plan->zero);
  }
  free(stored);
  return plan->block && plan->zero;
}

static int32_t
count_quaternions(const mbd_model_t * model)
{
  int32_t n = 0;
  for (int i = 0; i < model->nbody; i++) n += mbdi_joint_quaternion(model->body[i].type) >= 0;
  return n;
}

static void
plan_quaternions(const mbd_model_t * model, mbdi_plan_t * plan)
{
  for (int i = 0; i < model->nbody; i++) {
    const int offset = mbdi_joint_quaternion(model->body[i].type);
    if (offset < 0) continue;
    plan->quaternion[plan->nquaternion++] =
      (mbdi_plan_quaternion_t){i, model->body[i].q_index + offset};
  }
}

// depths and serial runs
static void
plan_depths(mbdi_plan_t * plan)
{
  int64_t sum = 0;
  for (int i = 0; i < plan->nbody; i++) {
    mbdi_plan_body_t * b = &plan->body[i];
    b->depth = b->parent < 0 ? 1 : plan->body[b->parent].depth + 1;
    b->serial_run_begin = i > 0 && b->parent == i - 1 ? plan->body[i - 1].serial_run_begin : i;
    if (b->depth > plan->depth) plan->depth = b->depth;
    sum += b->depth - 1;
  }
  plan->shallow = sum <= PLAN_SHALLOW * (int64_t)plan->nbody;
  for (int i = plan->nbody - 1; i >= 0; i--) {
    mbdi_plan_body_t * b = &plan->body[i];
    const bool goes_on = i + 1 < plan->nbody && b[1].parent == i;
    b->revolute_run_length = b->kind != PLAN_REVOLUTE ? 0
                             : goes_on                ? b[1].revolute_run_length + 1
                                                      : 1;
  }
}

mbdi_plan_t *
mbdi_plan_create(const mbd_model_t * model)
{
  const size_t bodies = sizeof(mbdi_plan_t) + (size_t)model->nbody * sizeof(mbdi_plan_body_t);
  const size_t rotors = (size_t)model->nv * sizeof(double);
  const size_t spans = (size_t)model->nbody * sizeof(mbdi_plan_span_t);
  const size_t quaternions = (size_t)count_quaternions(model) * sizeof(mbdi_plan_quaternion_t);
  const size_t packs = ((size_t)model->nv + 1) * sizeof(size_t);
  const size_t dh_bytes = (size_t)model->nbody * sizeof(mbdi_dh_body_t);
  const size_t angles = (((size_t)model->nbody + 7) & ~(size_t)7) * sizeof(double);
  const size_t frames = (size_t)model->nframe * sizeof(mbdi_plan_frame_t);
  const size_t general = ((size_t)model->nbody + 1) / 2 * 2 * sizeof(int32_t);
  const size_t above = ((size_t)model->nv + 1) / 2 * 2 * sizeof(int32_t);
  const size_t size = frames + general + above + bodies + dh_bytes + 2 * rotors + packs +
                      2 * angles + spans + quaternions;
  char * memory = calloc(1, size + 63);
  if (!memory) return NULL;
  mbdi_plan_t * plan = (mbdi_plan_t *)(void *)(memory + (64 - (uintptr_t)memory % 64) % 64);
  plan->memory = memory;
  plan->nbody = model->nbody;
  plan->nq = model->nq;
  plan->nv = model->nv;
  plan->simd_supported = mbdi_simd_enabled();
  plan->kernels = mbdi_kernels_single();
  plan->frame = (mbdi_plan_frame_t *)(void *)((char *)plan + bodies);
  plan->dh = (mbdi_dh_body_t *)(void *)((char *)plan->frame + frames);
  plan->rotor = (double *)(void *)(plan->dh + plan->nbody);
  plan->subtree_dof_end = plan->rotor + plan->nv;
  plan->packed_row_begin = (size_t *)(void *)(plan->subtree_dof_end + plan->nv);
  plan->theta0_cosine = (double *)(void *)(plan->packed_row_begin + plan->nv + 1);
  plan->theta0_sine = (double *)(void *)((char *)plan->theta0_cosine + angles);
  plan->span = (mbdi_plan_span_t *)(void *)((char *)plan->theta0_sine + angles);
  plan->general_body = (int32_t *)(void *)((char *)plan->span + spans + quaternions);
  plan->dof_above = (int32_t *)(void *)((char *)plan->general_body + general);
  plan->slots = 1;
  plan->quaternion = (mbdi_plan_quaternion_t *)(void *)((char *)plan->span + spans);
  plan_quaternions(model, plan);
  for (int i = 0; i < model->nbody; i++) plan_body(model, i, plan);
  plan_spans(model, plan);
  plan_depths(plan);
  plan->single_supported = plan->simd_supported;
  plan_pack(plan);
  mbdi_dh_frames(model, plan);
  const size_t joints = (size_t)plan->ngeneral * sizeof(mbdi_general_joint_t);
  for (int i = 0; i < plan->nbody; i++) plan->nloaded += plan->dh[i].form == KIND_GENERAL;
  plan->sine_offset = sizeof(mbdi_simd_memory_t) + (joints + 63) / 64 * 64;
  plan->work_offset = plan->sine_offset + 2 * ((angles + 63) / 64 * 64);
  plan->articulated_offset = plan->work_offset;
  if (plan->kernels) plan->articulated_offset += (plan->kernels->work(plan) + 63) / 64 * 64;
  plan->free_base = plan->nbody > 0 && plan->body[0].kind == PLAN_FREE && plan->body[0].v == 0;
  if (list_blocks(model, plan)) return plan;
  mbdi_plan_destroy(plan);
  return NULL;
}

void
mbdi_plan_destroy(mbdi_plan_t * plan)
{
  if (!plan) return;
  free(plan->block);
  free(plan->zero);
  free(plan->memory);
}
