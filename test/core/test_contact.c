// Contacts of random robots: all ways to be active tried out, cones, accelerations, closures.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closed_tree.h"
#include "core_test.h"
#include "mbdyn/constraints.h"
#include "mbdyn/constraints/assembly.h"
#include "mbdyn/constraints/contact.h"
#include "mbdyn/constraints/embedding.h"
#include "null_space.h"

enum { MOST = 6 };

// a robot in a state, contacts on it, and memory
typedef struct stage {
  tree_t * t;
  double * work;
  int n;
  mbd_contact_t contact[MOST];
} stage_t;

static const double FRICTIONLESS = 0;

// contacts of random links with the world that touch; closures where the robot has some
static stage_t
stage_of(uint64_t seed, const tree_options_t * options, double friction)
{
  stage_t s = {.t = closed_tree(seed, options, 4)};
  uint64_t state = seed * 31;
  const mbd_model_t * m = s.t->model;
  s.n = 1 + random_below(&state, 4);
  s.work = calloc(mbd_contact_work(m, MOST) + mbd_assembly_work(m) + 1, sizeof *s.work);
  assert_ok(mbd_set_position(m, s.t->data, s.t->q));
  assert_ok(mbd_project_velocity(m, s.t->data, NULL, s.t->v, s.work, s.t->v, NULL));
  assert_ok(mbd_set_velocity(m, s.t->data, s.t->v));
  for (int k = 0; k < s.n; k++) {
    mbd_contact_t * c = &s.contact[k];
    *c = mbd_contact_default();
    c->frame_b = m->body[random_below(&state, m->nbody)].link_frame;
    if (random_below(&state, 3) == 0)
      c->frame_a = m->body[random_below(&state, m->nbody)].link_frame;
    if (c->frame_a == c->frame_b) c->frame_a = MBD_WORLD_BODY;
    c->point = random_vec3(&state, 1);
    const mbd_vec3_t n = random_vec3(&state, 1);
    c->normal = mbdu_vec3_scale(1 / mbdu_vec3_norm(n), n);
    c->friction = friction;
  }
  return s;
}

static void
stage_free(stage_t * s)
{
  free(s->work);
  tree_free(s->t);
  mats_free();
}

static mbd_contact_options_t
no_limits(void)
{
  mbd_contact_options_t options = mbd_contact_options_default();
  options.limits = false;
  return options;
}

// velocity of B's point less A's along e, as a row; by the oracle
static mat_t
row_along(const dense_t * d, const mbd_contact_t * c, mbd_vec3_t e)
{
  const double x[3] = {c->point.x, c->point.y, c->point.z}, a[3] = {e.x, e.y, e.z};
  mat_t J = dense_jacobian(d, c->frame_b, MBD_WORLD);
  if (c->frame_a >= 0) J = sub(J, dense_jacobian(d, c->frame_a, MBD_WORLD));
  // v at the point = v at the origin + w x point
  const mat_t at_point = sub(block(J, 3, 0, 3, d->nv), PROD(skew3(x), block(J, 0, 0, 3, d->nv)));
  return PROD(mat_from(1, 3, a), at_point);
}

//---------- without friction ----------

// M, what acts and the bilateral rows of a step without contacts, by dense matrices
typedef struct system {
  dense_t d;
  mat_t M, rhs, G, U;
} system_t;

static system_t
system_of(const stage_t * s, double dt)
{
  const mbd_model_t * m = s->t->model;
  system_t y;
  y.d = dense_of(s->t);
  y.M = dense_mass(&y.d);
  // M v+ = M v + dt (tau - h) + ...
  y.rhs = SUM(
    PROD(y.M, column(m->nv, s->t->v)), scale(dt, sub(column(m->nv, s->t->tau), dense_bias(&y.d))));
  y.G = mat(m->nrow, m->nv);
  y.U = mat(m->nrow, 1);
  assert_ok(mbd_set_position(m, s->t->data, s->t->q));
  assert_ok(mbd_set_velocity(m, s->t->data, s->t->v));
  assert_ok(mbd_closure_jacobian(m, s->t->data, y.G.a));
  return y;
}

// the only set of active contacts whose equations have no pull and no penetration, by trying all
static bool
by_trying_all(const system_t * y, mat_t N, int n, mat_t * v)
{
  for (unsigned set = 0; set < 1u << n; set++) {
    int rows = y->G.r;
    for (int k = 0; k < n; k++) rows += (int)(set >> k & 1);
    mat_t A = mat(rows, y->d.nv), b = mat(rows, 1);
    set_block(A, 0, 0, y->G);
    set_block(b, 0, 0, y->U);
    for (int k = 0, r = y->G.r; k < n; k++) {
      if (set >> k & 1) set_block(A, r++, 0, block(N, k, 0, 1, N.c));
    }
    *v = constrained_acceleration(y->M, y->rhs, A, b);
    bool good = true;
    for (int k = 0; k < n && good; k++) good = scalar(PROD(block(N, k, 0, 1, N.c), *v)) > -1e-9;
    // forces: M v = rhs + A^T p; least squares by the normal equations where they are regular
    if (good && rows > 0) {
      const mat_t AA = PROD(A, tr(A));
      if (smallest_eigenvalue(AA) < 1e-6) continue;
      const mat_t p = PROD(inverse(AA), A, sub(PROD(y->M, *v), y->rhs));
      for (int r = y->G.r; r < rows && good; r++) good = p.a[r] > -1e-9;
    }
    if (good) return true;
  }
  return false;
}

// velocities after a step are those of the right set; also from a bad start, and again from it
static void
steps_are_those_of_the_right_set(void ** context)
{
  (void)context;
  int found = 0, active = 0, reused = 0;
  for (uint64_t seed = 1; seed <= robots(TREES); seed++) {
    stage_t s = stage_of(seed, NULL, FRICTIONLESS);
    const mbd_model_t * m = s.t->model;
    const double dt = 0.01;
    const system_t y = system_of(&s, dt);
    mat_t N = mat(s.n, m->nv), v, out = mat(m->nv, 1);
    for (int k = 0; k < s.n; k++) {
      set_block(N, k, 0, row_along(&y.d, &s.contact[k], s.contact[k].normal));
      s.contact[k].mode = MBD_CONTACT_STICK;
      s.contact[k].force = mbdu_vec3_scale(k, s.contact[k].normal);
    }
    const mbd_contact_options_t options = no_limits();
    if (null_space(y.G, 1e-4).c == null_space(y.G, 1e-9).c && by_trying_all(&y, N, s.n, &v)) {
      mbd_contact_info_t info;
      found++;
      assert_ok(mbd_contact_step(
        m, s.t->data, s.t->tau, NULL, dt, s.n, s.contact, &options, s.work, out.a, NULL, NULL,
        &info));
      const double size = fmax(1, largest_entry(v));
      assert_mat_floor(out, v, 1e-7, size, "v, seed %lu", seed);
      active += info.nactive;
      // the set is known now
      assert_ok(mbd_contact_step(
        m, s.t->data, s.t->tau, NULL, dt, s.n, s.contact, &options, s.work, out.a, NULL, NULL,
        &info));
      assert_mat_floor(out, v, 1e-7, size, "again, seed %lu", seed);
      reused += info.iterations == 0;
    }
    stage_free(&s);
  }
  assert_count(found, 70);
  assert_true(active > found / 3 && reused > 0.9 * found);
}

// Contacts that are open without forces are rows of the problem only if the forces of others close them:
// the same motion as with all of them, which is what the modes ask for.
static void
contacts_that_others_close_are_found(void ** context)
{
  (void)context;
  int compared = 0, closed_by_others = 0;
  for (uint64_t seed = 1; seed <= robots(TREES); seed++) {
    stage_t s = stage_of(seed, NULL, FRICTIONLESS);
    const mbd_model_t * m = s.t->model;
    const double dt = 0.01;
    const system_t y = system_of(&s, dt);
    const mbd_contact_options_t options = no_limits();
    mat_t v[3], N = mat(s.n, m->nv), unused;
    double normal[MOST];
    for (int k = 0; k < s.n; k++) {
      set_block(N, k, 0, row_along(&y.d, &s.contact[k], s.contact[k].normal));
    }
    if (null_space(y.G, 1e-4).c == null_space(y.G, 1e-9).c && by_trying_all(&y, N, s.n, &unused)) {
      for (int all = 0; all < 3; all++) {
        // first none, to see what the free motion does
        const int n = all == 0 ? 0 : s.n;
        v[all] = mat(m->nv, 1);
        for (int k = 0; k < n; k++) {
          s.contact[k].mode = all == 2 ? MBD_CONTACT_STICK : MBD_CONTACT_OPEN;
          s.contact[k].force = mbdu_vec3(0, 0, 0);
        }
        assert_ok(mbd_contact_step(
          m, s.t->data, s.t->tau, NULL, dt, n, s.contact, &options, s.work, v[all].a, NULL, NULL,
          NULL));
        for (int k = 0; k < n; k++) {
          const mbd_contact_t * c = &s.contact[k];
          const double free = scalar(PROD(block(N, k, 0, 1, m->nv), v[0]));
          normal[k] = mbdu_vec3_dot(c->normal, c->force);
          if (all == 1 && free > 1e-6 && normal[k] > 1e-6) closed_by_others++;
        }
      }
      assert_mat_floor(v[1], v[2], 1e-8, fmax(1, largest_entry(v[2])), "v, seed %lu", seed);
      compared++;
    }
    stage_free(&s);
  }
  assert_count(compared, 70);
  assert_count(closed_by_others, 5);
}

// Free motion of the oracle: where it opens every gap, it is the answer and there are no forces; where
// it does not, there are.
static void
open_contacts_have_no_forces(void ** context)
{
  (void)context;
  int open = 0, closed = 0;
  // too few degrees of freedom for loops
  tree_options_t small = tree_options_default();
  small.one_dof_only = true;
  small.max_bodies = 4;
  for (uint64_t seed = 1; seed <= robots(TREES); seed++) {
    stage_t s = stage_of(seed, &small, 0.5);
    const mbd_model_t * m = s.t->model;
    const double dt = 0.01;
    const mbd_contact_options_t options = no_limits();
    const system_t y = system_of(&s, dt);
    if (m->nrow == 0) {
      const mat_t v = PROD(inverse(y.M), y.rhs);
      const bool far = seed % 2;
      mat_t out = mat(m->nv, 1);
      double least = HUGE_VAL;
      for (int k = 0; k < s.n; k++) {
        mbd_contact_t * c = &s.contact[k];
        const double w = scalar(PROD(row_along(&y.d, c, c->normal), v));
        // by a thousandth more or less than the motion closes in a step
        c->gap = -w * dt + (far ? 1e-3 : -1e-3) * (1 + fabs(w)) * dt;
        if (far && c->gap <= 0) c->gap = 0;
        if (!far && c->gap < 0) c->gap = 1;
        c->mode = MBD_CONTACT_STICK;
        c->force = c->normal;
        least = fmin(least, w + c->gap / dt);
      }
      mbd_contact_info_t info;
      assert_ok(mbd_contact_step(
        m, s.t->data, s.t->tau, NULL, dt, s.n, s.contact, &options, s.work, out.a, NULL, NULL,
        &info));
      if (least >= 0) {
        assert_mat_floor(out, v, 1e-8, fmax(1, largest_entry(v)), "v, seed %lu", seed);
        assert_int_equal(info.nactive, 0);
        assert_int_equal(info.closures.mobility, m->nv);
        for (int k = 0; k < s.n; k++) {
          assert_int_equal(s.contact[k].mode, MBD_CONTACT_OPEN);
          assert_true(mbdu_vec3_norm(s.contact[k].force) == 0);
        }
        open++;
      } else {
        assert_true(info.nactive > 0);
        closed++;
      }
    }
    stage_free(&s);
  }
  assert_count(open, 40);
  assert_count(closed, 15);
}

//---------- with friction ----------

// what a solution is: no pull, no penetration, on or in the cone, against the slip; Newton's law
static void
friction_obeys_its_law(void ** context)
{
  (void)context;
  int stuck = 0, slid = 0, open = 0;
  tally_t solved = {0};
  for (uint64_t seed = 1; seed <= robots(TREES); seed++) {
    stage_t s = stage_of(seed, NULL, 0.1 + 0.1 * (double)(seed % 9));
    const mbd_model_t * m = s.t->model;
    const double dt = 0.01;
    const system_t y = system_of(&s, dt);
    mat_t out = mat(m->nv, 1), Lambda = mat(m->nrow, 1);
    const mbd_contact_options_t options = no_limits();
    mbd_contact_info_t info;
    const mbd_status_t status = mbd_contact_step(
      m, s.t->data, s.t->tau, NULL, dt, s.n, s.contact, &options, s.work, out.a, NULL, Lambda.a,
      &info);
    if (!tally(&solved, status == MBD_OK)) {
      assert_int_equal(status, MBD_ERROR_NOT_CONVERGED);
      stage_free(&s);
      continue;
    }
    mat_t impulse = PROD(tr(y.G), Lambda);
    const mat_t free = null_space(y.G, 1e-9);
    for (int k = 0; k < s.n; k++) {
      const mbd_contact_t * c = &s.contact[k];
      // what closures hold cannot be pushed
      const mat_t seen = PROD(row_along(&y.d, c, c->normal), free);
      if (!(largest_entry(seen) > 1e-5)) continue;
      const mbd_vec3_t axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      mbd_vec3_t w;
      w.x = scalar(PROD(row_along(&y.d, c, axes[0]), out));
      w.y = scalar(PROD(row_along(&y.d, c, axes[1]), out));
      w.z = scalar(PROD(row_along(&y.d, c, axes[2]), out));
      const double pn = mbdu_vec3_dot(c->force, c->normal), wn = mbdu_vec3_dot(w, c->normal);
      const mbd_vec3_t pt = mbdu_vec3_sub(c->force, mbdu_vec3_scale(pn, c->normal));
      const mbd_vec3_t wt = mbdu_vec3_sub(w, mbdu_vec3_scale(wn, c->normal));
      const double rub = mbdu_vec3_norm(pt), slip = mbdu_vec3_norm(wt);
      const double size = fmax(1, mbdu_vec3_norm(c->force));
      assert_true(pn >= 0 && wn > -1e-7 && fabs(pn * wn) < 1e-7 * size);
      assert_true(rub <= c->friction * pn + 1e-9 * size);
      if (slip > 1e-5 && pn > 1e-5) {
        assert_near(rub / size, c->friction * pn / size, 1e-6, "on the cone, seed %lu", seed);
        assert_near(
          mbdu_vec3_dot(pt, wt) / (size * slip), -rub / size, 1e-5, "against it, seed %lu", seed);
      }
      stuck += c->mode == MBD_CONTACT_STICK;
      slid += c->mode == MBD_CONTACT_SLIDE;
      open += c->mode == MBD_CONTACT_OPEN;
      for (int j = 0; j < 3; j++) {
        const double p = j == 0 ? c->force.x : j == 1 ? c->force.y : c->force.z;
        impulse = SUM(impulse, scale(p, tr(row_along(&y.d, c, axes[j]))));
      }
    }
    // M v+ = M v + dt (tau - h) + G^T Lambda + J^T p
    const mat_t law = sub(PROD(y.M, out), y.rhs);
    const double heavy = fmax(1, largest_entry(law));
    assert_mat_floor(impulse, law, 1e-8, 10 * heavy, "Newton, seed %lu", seed);
    assert_mat_floor(PROD(y.G, out), y.U, 1e-8, fmax(1, largest_entry(out)) * 10, "G v");
    stage_free(&s);
  }
  assert_count(stuck, 40);
  assert_count(slid, 40);
  assert_count(open, 40);
  assert_enough(&solved, 1);
}

//---------- accelerations ----------

// where the point of B's link is after h, along the normal
static double
height_later(const tree_t * t, const mbd_contact_t * c, double h)
{
  const double p[4] = {c->point.x, c->point.y, c->point.z, 1};
  const dense_t here = dense_of(t);
  const dense_t there = dense_at(t->model, NULL, q_later(t, h).a, NULL, t->model->gravity);
  const mat_t x =
    PROD(dense_frame(&there, c->frame_b), inverse4(dense_frame(&here, c->frame_b)), column(4, p));
  return x.a[0] * c->normal.x + x.a[1] * c->normal.y + x.a[2] * c->normal.z;
}

// points in motion that touch: none goes through to second order, and none that is pushed comes off
static void
accelerations_keep_points_out(void ** context)
{
  (void)context;
  int pushed = 0, left = 0;
  const tree_options_t holonomic = {4, 10, true, false, false, false};
  for (uint64_t seed = 1; seed <= robots(100); seed++) {
    stage_t s = stage_of(seed, &holonomic, FRICTIONLESS);
    const mbd_model_t * m = s.t->model;
    for (int k = 0; k < s.n; k++) s.contact[k].frame_a = MBD_WORLD_BODY;
    // velocities along the surfaces
    const system_t y = system_of(&s, 0.01);
    mat_t N = mat(s.n + y.G.r, m->nv);
    for (int k = 0; k < s.n; k++) {
      set_block(N, k, 0, row_along(&y.d, &s.contact[k], s.contact[k].normal));
    }
    set_block(N, s.n, 0, y.G);
    const mat_t free = null_space(N, 1e-9);
    if (free.c == 0 || null_space(N, 1e-4).c != free.c) {
      stage_free(&s);
      continue;
    }
    const mat_t v = PROD(free, column(free.c, s.t->v));
    memcpy(s.t->v, v.a, (size_t)m->nv * sizeof *v.a);
    assert_ok(mbd_set_velocity(m, s.t->data, s.t->v));
    const mbd_contact_options_t options = no_limits();
    assert_ok(mbd_contact_acceleration(
      m, s.t->data, s.t->tau, NULL, s.n, s.contact, &options, s.work, s.t->qdd, NULL, NULL, NULL));
    for (int k = 0; k < s.n; k++) {
      const double h = 1e-3,
                   w = (height_later(s.t, &s.contact[k], h) + height_later(s.t, &s.contact[k], -h) -
                        2 * height_later(s.t, &s.contact[k], 0)) /
                       (h * h);
      double size = 1;
      for (int j = 0; j < m->nv; j++) size = fmax(size, fabs(s.t->qdd[j]) + v.a[j] * v.a[j]);
      assert_true(w > -1e-4 * size);
      const bool push = s.contact[k].mode != MBD_CONTACT_OPEN;
      if (push) assert_true(w < 1e-4 * size);
      pushed += push, left += !push && w > 1e-3 * size;
    }
    stage_free(&s);
  }
  assert_count(pushed, 20);
  assert_count(left, 20);
}

//---------- with closures ----------

// without contacts nothing is left but cut joints
static void
without_contacts_it_is_constrained_dynamics(void ** context)
{
  (void)context;
  for (uint64_t seed = 1; seed <= robots(60); seed++) {
    stage_t s = stage_of(seed, NULL, 0.5);
    const mbd_model_t * m = s.t->model;
    double * work = calloc(mbd_constrained_work(m), sizeof *work);
    mat_t a = mat(m->nv, 1), b = mat(m->nv, 1), la = mat(m->nrow, 1), lb = mat(m->nrow, 1);
    const mbd_contact_options_t options = no_limits();
    assert_ok(mbd_contact_acceleration(
      m, s.t->data, s.t->tau, NULL, 0, NULL, &options, s.work, a.a, NULL, la.a, NULL));
    assert_ok(mbd_constrained_forward_dynamics(
      m, s.t->data, NULL, NULL, s.t->tau, NULL, NULL, work, b.a, lb.a, NULL));
    assert_mat_floor(a, b, 1e-10, fmax(1, largest_entry(b)), "qdd, seed %lu", seed);
    assert_mat_floor(la, lb, 1e-8, fmax(1, largest_entry(lb)), "lambda, seed %lu", seed);
    // contacts that are far away change nothing
    for (int k = 0; k < s.n; k++) s.contact[k].gap = 1;
    assert_ok(mbd_contact_acceleration(
      m, s.t->data, s.t->tau, NULL, s.n, s.contact, &options, s.work, a.a, NULL, NULL, NULL));
    assert_mat_floor(a, b, 1e-10, fmax(1, largest_entry(b)), "far, seed %lu", seed);
    free(work);
    stage_free(&s);
  }
}

// crank angle of a four-bar that falls for half a second, by steps; and by constrained dynamics with the
// midpoint rule in place of them
static double
fall(double dt, bool steps)
{
  four_bar_t bar = four_bar_default();
  bar.base.R = (mbd_mat3_t){{1, 0, 0, 0, 0, -1, 0, 1, 0}};
  mbd_model_t * model = four_bar(&bar);
  mbd_data_t * data;
  double q[3], v[3] = {0}, a[3], qm[3], vm[3];
  int crank;
  double * work = calloc(mbd_contact_work(model, 0) + mbd_constrained_work(model), sizeof *work);
  mbd_contact_options_t options = no_limits();
  options.closures.stabilisation = 10;
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_find_joint(model, "crank_joint", &crank));
  assert_true(four_bar_at(&bar, model, 1, q));
  for (int k = 0; k < (int)(0.5 / dt + 0.5); k++) {
    if (steps) {
      assert_ok(mbd_set_position(model, data, q));
      assert_ok(mbd_set_velocity(model, data, v));
      assert_ok(mbd_contact_step(
        model, data, NULL, NULL, dt, 0, NULL, &options, work, v, NULL, NULL, NULL));
      assert_ok(mbd_integrate(model, q, v, dt, q));
      continue;
    }
    assert_ok(
      mbd_constrained_forward_dynamics(model, data, q, v, NULL, NULL, NULL, work, a, NULL, NULL));
    for (int j = 0; j < 3; j++) qm[j] = q[j] + 0.5 * dt * v[j], vm[j] = v[j] + 0.5 * dt * a[j];
    assert_ok(
      mbd_constrained_forward_dynamics(model, data, qm, vm, NULL, NULL, NULL, work, a, NULL, NULL));
    for (int j = 0; j < 3; j++) q[j] += dt * vm[j], v[j] += dt * a[j];
  }
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  return q[crank];
}

// first order: half the step, half the error
static void
steps_converge_to_the_motion(void ** context)
{
  (void)context;
  const double exact = fall(1e-3, false);
  const double coarse = fall(1e-3, true) - exact, fine = fall(5e-4, true) - exact;
  assert_true(fabs(coarse) < 0.02 && fabs(coarse) > 1e-5);
  assert_near(fine / coarse, 0.5, 0.1, "of %g", coarse);
}

// a four-bar whose coupler rubs on a wall: embedded and by cut joints alike
static void
embedded_models_touch_alike(void ** context)
{
  (void)context;
  int touched = 0;
  // rows are those of the beginning of a step, in other coordinates each: alike as steps get short
  const double dt = 1e-7;
  for (int k = 0; k < 40; k++) {
    uint64_t state = (uint64_t)k + 5;
    four_bar_t bar = four_bar_default();
    bar.base = random_placement(&state);
    mbd_model_t *tree = four_bar(&bar), *model;
    mbd_data_t *all, *few;
    double q[3], rate[3], v = 3 * random_signed(&state), v_few, v_all[3], tau[3] = {0};
    double * work = calloc(mbd_contact_work(tree, 2), sizeof *work);
    assert_true(four_bar_at(&bar, tree, random_between(&state, -3, 3), q));
    assert_ok(mbd_model_embed(tree, NULL, &model));
    assert_ok(mbd_data_create(tree, &all));
    assert_ok(mbd_data_create(model, &few));
    assert_ok(mbd_set_position(model, few, q));
    assert_ok(mbd_set_velocity(model, few, &v));
    assert_ok(mbd_tree_velocity(model, few, &v, rate));
    assert_ok(mbd_set_position(tree, all, few->q));
    assert_ok(mbd_set_velocity(tree, all, rate));
    mbd_contact_t a[2], b[2];
    for (int j = 0; j < 2; j++) {
      const mbd_vec3_t n = random_vec3(&state, 1);
      a[j] = mbd_contact_default();
      assert_ok(mbd_find_frame(tree, j ? "rocker" : "coupler", &a[j].frame_b));
      a[j].point = mbdu_vec3_add(bar.base.p, random_vec3(&state, 1));
      a[j].normal = mbdu_vec3_scale(1 / mbdu_vec3_norm(n), n);
      a[j].friction = 0.3;
      b[j] = a[j];
    }
    const mbd_contact_options_t options = no_limits();
    tau[0] = 2;
    double reduced;
    assert_ok(mbd_reduce_torque(model, few, tau, &reduced));
    mbd_contact_info_t info;
    assert_ok(mbd_contact_step(
      model, few, &reduced, NULL, dt, 2, a, &options, work, &v_few, NULL, NULL, &info));
    assert_ok(
      mbd_contact_step(tree, all, tau, NULL, dt, 2, b, &options, work, v_all, NULL, NULL, NULL));
    touched += info.nactive > 0;
    const int crank = model->dof_tree[0];
    assert_near(v_all[crank], v_few, 1e-5, "four-bar %d", k);
    for (int j = 0; j < 2; j++) {
      const mbd_vec3_t off = mbdu_vec3_sub(a[j].force, b[j].force);
      // one degree of freedom, six rows: a residual of 1e-9 leaves the forces in directions that the
      // linkage blocks to its square root
      assert_near(mbdu_vec3_norm(off), 0, 1e-3, "contact %d of %d", j, k);
    }
    free(work);
    mbd_data_destroy(all), mbd_data_destroy(few);
    mbd_model_destroy(model), mbd_model_destroy(tree);
  }
  assert_true(touched > 10);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_are_those_of_the_right_set),
    cmocka_unit_test(contacts_that_others_close_are_found),
    cmocka_unit_test(open_contacts_have_no_forces),
    cmocka_unit_test(friction_obeys_its_law),
    cmocka_unit_test(accelerations_keep_points_out),
    cmocka_unit_test(without_contacts_it_is_constrained_dynamics),
    cmocka_unit_test(steps_converge_to_the_motion),
    cmocka_unit_test(embedded_models_touch_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
