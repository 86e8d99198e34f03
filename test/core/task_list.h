/// \file task_list.h
/// Random lists of tasks, and what the tests of task.h share.
///
///   list_of, list_free     1 to 4 tasks of every kind on random frames, in random references
///   rows_of, stacked       rows of one task, the oracle's Jacobian of all
///   compliance_of, inertia_of
///   push                   wrenches that a force on the tasks' rows stands for
///   task_acceleration      of the tasks, in the state last given to inverse or forward dynamics
#ifndef TASK_LIST_H_
#define TASK_LIST_H_

#include <stdlib.h>

#include "by_hand.h"
#include "mbdyn/dynamics/task.h"

enum { MOST_TASKS = 4 };

typedef struct list {
  mbd_task_t t[MOST_TASKS];
  mbd_tasks_t tasks;
  int rows;
  double * work;               // mbd_task_work numbers and not one more: a sanitizer sees the end
  mbd_wrench_t w[MOST_TASKS];  // push
} list_t;

static inline mbd_task_t
random_task(const mbd_model_t * model, uint64_t * state)
{
  const int frame = random_below(state, model->nframe);
  const mbd_reference_t reference = (mbd_reference_t)random_below(state, 3);
  mbd_task_t t = mbdu_task_frame(frame, reference);
  switch (random_below(state, 6)) {
    case 0: return t;
    case 1: return mbdu_task_position(frame, reference);
    case 2: return mbdu_task_orientation(frame, reference);
    case 3: return mbdu_task_direction(frame, reference, random_vec3(state, 2));
    case 4: return mbdu_task_rotation(frame, reference, random_vec3(state, 2));
    default:
      // rows of the caller's own, moving and turning at once
      t.nrow = 1 + random_below(state, 3);
      for (int r = 0; r < t.nrow; r++) {
        for (int c = 0; c < 6; c++) t.row[r][c] = random_signed(state);
      }
      return t;
  }
}

/// Rows counted and memory taken for the tasks in list->t.
static inline void
list_finish(list_t * list, const mbd_model_t * model, int n)
{
  list->tasks.n = n, list->tasks.t = list->t;
  list->rows = mbd_task_rows(&list->tasks);
  list->work = malloc(mbd_task_work(model, &list->tasks) * sizeof *list->work);
  assert_non_null(list->work);
}

static inline list_t *
list_of(const mbd_model_t * model, uint64_t * state)
{
  list_t * list = calloc(1, sizeof *list);
  assert_non_null(list);
  const int n = 1 + random_below(state, MOST_TASKS);
  for (int k = 0; k < n; k++) list->t[k] = random_task(model, state);
  list_finish(list, model, n);
  return list;
}

static inline void
list_free(list_t * list)
{
  free(list->work);
  free(list);
}

static inline mat_t
rows_of(const mbd_task_t * t)
{
  return mat_from(t->nrow, 6, &t->row[0][0]);
}

static inline mat_t
stacked(const dense_t * d, const list_t * list)
{
  mat_t J = mat(list->rows, d->nv);
  for (int k = 0, first = 0; k < list->tasks.n; first += list->t[k++].nrow) {
    const mbd_task_t * t = &list->t[k];
    set_block(J, first, 0, PROD(rows_of(t), dense_jacobian(d, t->frame, t->reference)));
  }
  return J;
}

static inline mat_t
compliance_of(const tree_t * t, const list_t * list)
{
  mat_t C = mat(list->rows, list->rows);
  assert_ok(mbd_task_compliance(t->model, t->data, &list->tasks, C.a));
  return C;
}

static inline mat_t
inertia_of(const tree_t * t, const list_t * list, mbd_task_info_t * info)
{
  mat_t L = mat(list->rows, list->rows);
  assert_ok(mbd_task_inertia(t->model, t->data, &list->tasks, NULL, list->work, L.a, info));
  return L;
}

static inline mbd_wrenches_t
push(list_t * list, mat_t y)
{
  for (int k = 0, first = 0; k < list->tasks.n; first += list->t[k++].nrow) {
    const mbd_task_t * t = &list->t[k];
    const mat_t f = PROD(tr(rows_of(t)), block(y, first, 0, t->nrow, 1));
    const mbd_force_t force = {{f.a[0], f.a[1], f.a[2]}, {f.a[3], f.a[4], f.a[5]}};
    const mbd_wrench_t w = {t->frame, t->reference, force};
    list->w[k] = w;
  }
  const mbd_wrenches_t all = {list->tasks.n, list->w};
  return all;
}

static inline mat_t
task_acceleration(const tree_t * t, const list_t * list)
{
  mat_t a = mat(list->rows, 1);
  for (int k = 0, first = 0; k < list->tasks.n; first += list->t[k++].nrow) {
    const mbd_task_t * task = &list->t[k];
    mbd_motion_t A;
    assert_ok(mbd_frame_acceleration(t->model, t->data, task->frame, task->reference, &A));
    set_block(a, first, 0, PROD(rows_of(task), motion6(A)));
  }
  return a;
}

/// For each robot a list of tasks; terms are 0 or the rotors.
#define FOR_LISTS(options)                                                                         \
  FOR_TREES(TREES, options)                                                                        \
  for (uint64_t state = seed, part = 0; part < 3; part++)                                          \
    for (list_t * list = (state_at(t, seed % 2 ? 0 : MBD_TERM_ROTORS), list_of(t->model, &state)); \
         list; list_free(list), list = NULL)

#endif  // TASK_LIST_H_
