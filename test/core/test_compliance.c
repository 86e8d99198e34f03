// Compliances between frames, mobility, and the mass that a collision would feel.
#include "mbdyn/dynamics/compliance.h"

#include <string.h>

#include "by_hand.h"

static mat_t
between(const tree_t * t, int i, mbd_reference_t ri, int j, mbd_reference_t rj)
{
  mat_t omega = mat(6, 6);
  assert_ok(mbd_compliance_between(t->model, t->data, i, ri, j, rj, omega.a));
  return omega;
}

static double
effective_mass(const tree_t * t, int frame, mbd_vec3_t point, mbd_vec3_t direction)
{
  double mass;
  assert_ok(mbd_effective_mass(t->model, t->data, frame, point, direction, &mass));
  return mass;
}

static int
root_of(const mbd_model_t * m, int body)
{
  while (body >= 0 && m->body[body].parent >= 0) body = m->body[body].parent;
  return body;
}

//---------- between two frames ----------

// J_i M^-1 J_j^T of all pairs of frames, all references, with rotors or without       (10.13)
static void
compliances_of_all_pairs(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const uint32_t terms = seed % 2 ? 0 : MBD_TERM_ROTORS;
    const mat_t M_inv = inverse(mass_with(&d, terms));
    const mat_t all = PROD(tr(d.phi), d.S), Omega = PROD(all, M_inv, tr(all));
    state_at(t, terms);
    for (int i = 0; i < t->model->nframe; i++) {
      for (int j = 0; j < t->model->nframe; j++) {
        const int r = (i + 2 * j) % 9;
        const mbd_reference_t ri = (mbd_reference_t)(r / 3), rj = (mbd_reference_t)(r % 3);
        const mat_t J_i = dense_jacobian(&d, i, ri), J_j = dense_jacobian(&d, j, rj);
        const double size = fmax(1, largest_entry(Omega)) * 10;
        assert_mat_floor(
          between(t, i, ri, j, rj), PROD(J_i, M_inv, tr(J_j)), 1e-9, size,
          "frames %d, %d, references %d, %d, %lu", i, j, ri, rj, seed);
      }
    }
  }
}

// every pair of references of one pair of frames
static void
compliances_in_all_references(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const dense_t d = dense_of(t);
    const mat_t M_inv = inverse(dense_mass(&d));
    const int i = random_below(&state, t->model->nframe),
              j = random_below(&state, t->model->nframe);
    state_at(t, 0);
    for (int r = 0; r < 9; r++) {
      const mbd_reference_t ri = (mbd_reference_t)(r / 3), rj = (mbd_reference_t)(r % 3);
      const mat_t J_i = dense_jacobian(&d, i, ri), J_j = dense_jacobian(&d, j, rj);
      const double size = fmax(1, largest_entry(J_i) * largest_entry(M_inv) * largest_entry(J_j));
      assert_mat_floor(
        between(t, i, ri, j, rj), PROD(J_i, M_inv, tr(J_j)), 1e-10, size, "%d, %d, %d, %lu", i, j,
        r, seed);
    }
  }
}

// symmetric, zero across trees and for frames of the world, and on the diagonal what opspace.h has
static void
compliances_are_symmetric(void ** context)
{
  (void)context;
  int apart = 0;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    state_at(t, 0);
    for (int i = 0; i < m->nframe; i++) {
      mat_t own = mat(6, 6);
      assert_ok(mbd_operational_space_compliance(m, t->data, i, MBD_LOCAL, own.a));
      const double size = fmax(1, largest_entry(own));
      assert_mat_floor(
        between(t, i, MBD_LOCAL, i, MBD_LOCAL), own, 1e-13, size, "own, %d, seed %lu", i, seed);
      for (int j = 0; j < m->nframe; j++) {
        const mat_t omega = between(t, i, MBD_LOCAL, j, MBD_WORLD);
        assert_mat_floor(
          omega, tr(between(t, j, MBD_WORLD, i, MBD_LOCAL)), 1e-13, size, "%d, %d, seed %lu", i, j,
          seed);
        const int a = root_of(m, m->frame[i].body), b = root_of(m, m->frame[j].body);
        if (a == b && a >= 0) continue;
        apart++;
        assert_true(largest_entry(omega) == 0);
      }
    }
  }
  assert_count(apart, 100);
}

// the compliance between two bodies, in body frames
static mat_t
between_bodies(const tree_t * t, int i, int j)
{
  const int fi = t->model->body[i].link_frame, fj = t->model->body[j].link_frame;
  const mat_t phi_i = phi6(placement4(&t->model->frame[fi].X));
  const mat_t phi_j = phi6(placement4(&t->model->frame[fj].X));
  const mat_t omega = between(t, fi, MBD_LOCAL, fj, MBD_LOCAL);
  return PROD(inverse(tr(phi_i)), omega, inverse(phi_j));
}

// Omega(i,j) = Omega(i,par(j)) psi(par(j),j) unless i is j or hangs on it            (10.17)
static void
compliances_follow_from_the_parent(void ** context)
{
  (void)context;
  tally_t pairs = {0};
  const tree_options_t options = small_trees();
  FOR_TREES(TREES, &options)
  {
    const dense_t d = dense_of(t);
    const dense_ab_t ab = dense_articulated(&d, NULL);
    state_at(t, 0);
    for (int i = 0; i < d.nbody; i++) {
      for (int j = 0; j < d.nbody; j++) {
        const int p = t->model->body[j].parent;
        if (!tally(&pairs, p >= 0 && !dense_is_ancestor(t->model, j, i))) continue;
        const mat_t psi = block(ab.E_psi, 6 * p, 6 * j, 6, 6), omega = between_bodies(t, i, p);
        const double size = fmax(1, largest_entry(omega)) * fmax(1, largest_entry(psi));
        assert_mat_floor(
          between_bodies(t, i, j), PROD(omega, psi), 1e-10, size, "%d, %d, %lu", i, j, seed);
      }
    }
  }
  assert_enough(&pairs, 0.4);
}

// Omega of all bodies makes U = Omega M a projection on what the robot can do
// lemmas 10.3 and 10.4, (10.40)
static void
compliances_project_velocities(void ** context)
{
  (void)context;
  const tree_options_t options = small_trees();
  FOR_TREES(TREES, &options)
  {
    const dense_t d = dense_of(t);
    const dense_ab_t ab = dense_articulated(&d, NULL);
    state_at(t, 0);
    mat_t Omega = mat(d.n, d.n);
    for (int i = 0; i < d.nbody; i++) {
      for (int j = 0; j < d.nbody; j++) set_block(Omega, 6 * i, 6 * j, between_bodies(t, i, j));
    }
    const mat_t Hpsi = PROD(d.H, ab.psi), M = d.M, phi = d.phi, psi = ab.psi;
    assert_mat(Omega, PROD(tr(Hpsi), ab.D_inv, Hpsi), 1e-9, "(10.12), seed %lu", seed);
    const mat_t U = PROD(Omega, M), W = sub(eye(d.n), U), P = ab.P, OmegaP = PROD(Omega, P);
    const double u = fmax(1, largest_entry(U)), size = u * u;
    const double mass = largest_entry(M) * size, p = fmax(1, largest_entry(OmegaP)) * u;
    assert_mat_floor(PROD(U, U), U, 1e-9, size, "U^2, seed %lu", seed);
    assert_near(trace(U), d.nv, 1e-8 * u, "trace, seed %lu", seed);
    assert_mat_floor(PROD(U, Omega), Omega, 1e-9, largest_entry(Omega) * u, "U Omega, %lu", seed);
    assert_mat_floor(PROD(tr(U), M, U), PROD(M, U), 1e-9, mass, "U^T M U, seed %lu", seed);
    assert_mat_floor(PROD(tr(W), M, U), mat(d.n, d.n), 1e-9, mass, "orthogonal, seed %lu", seed);
    assert_mat_floor(
      PROD(W, tr(phi), d.S), mat(d.n, d.nv), 1e-9, u * largest_entry(phi), "range, %lu", seed);
    assert_mat_floor(PROD(U, tr(psi)), OmegaP, 1e-9, p, "U psi^T, seed %lu", seed);
    assert_mat_floor(
      PROD(U, tr(phi)), sub(tr(phi), sub(tr(psi), OmegaP)), 1e-9, p, "U phi^T, seed %lu", seed);
    assert_mat(PROD(psi, P, d.S), PROD(P, d.S), 1e-9, "psi P H^T, seed %lu", seed);
  }
}

// a body on a free joint has the inverse of its articulated inertia              remark 10.2
static void
compliance_of_a_free_base(void ** context)
{
  (void)context;
  tally_t bases = {0};
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    state_at(t, 0);
    for (int k = 0; k < m->nbody; k++) {
      if (!tally(&bases, m->body[k].parent < 0 && m->body[k].type == MBD_JOINT_FREE)) continue;
      assert_ok(mbd_articulated_inertia(m, t->data));
      const mat_t omega = between_bodies(t, k, k);
      assert_mat(omega, inverse(sym6(&t->data->P[k])), 1e-10, "base %d, seed %lu", k, seed);
    }
  }
  assert_enough(&bases, 0.1);
}

//---------- a robot on a robot ----------

typedef struct locked {
  const tree_t * t;
  bool fixed[64];  // links whose joints do not move
} locked_t;

static void
lock_joints(mbd_body_spec_t * spec, int link, void * arg)
{
  const locked_t * locked = arg;
  if (locked->fixed[link]) spec->type = MBD_JOINT_FIXED;
}

static int
link_of_frame(const tree_t * t, int frame)
{
  for (int k = 0; k < t->nlink; k++) {
    if (t->link[k].frame == frame) return k;
  }
  return -1;
}

// the same joint angles for the joints that are left
static mat_t
angles_of(const tree_t * t, const mbd_model_t * m)
{
  mat_t q = mat(m->nq, 1);
  for (int k = 0; k < m->nbody; k++) {
    int body;
    assert_ok(mbd_find_joint(t->model, m->body[k].joint_name, &body));
    const double * from = t->q + t->model->body[body].q_index;
    for (int i = 0; i < m->body[k].nq; i++) q.a[m->body[k].q_index + i] = from[i];
  }
  return q;
}

// the same push on the robot with locked joints and on the whole: the whole gives way more
static void
assert_softer(
  const tree_t * t, const mbd_model_t * m, mbd_data_t * data, int frame, uint64_t * state)
{
  const mbd_vec3_t point = random_vec3(state, 0.3), axis = random_vec3(state, 1);
  mbd_placement_t X, Y;
  mat_t micro = mat(6, 6);
  double stiff;
  assert_ok(mbd_compliance_between(m, data, frame, MBD_LOCAL, frame, MBD_LOCAL, micro.a));
  const mat_t whole = between(t, frame, MBD_LOCAL, frame, MBD_LOCAL);
  assert_true(smallest_eigenvalue(sub(whole, micro)) > -1e-9 * largest_entry(whole));
  // the same direction in the frame's own axes
  assert_ok(mbd_frame_placement(t->model, t->data, frame, &X));
  assert_ok(mbd_frame_placement(m, data, frame, &Y));
  assert_ok(mbd_effective_mass(m, data, frame, point, mbdu_mat3_vec(&Y.R, axis), &stiff));
  const double soft = effective_mass(t, frame, point, mbdu_mat3_vec(&X.R, axis));
  assert_true(soft <= stiff * (1 + 1e-9));
}

// standing on other joints makes a robot softer in every direction: with these locked its
// compliance is at most as large, and the masses it shows at least         exercise 10.1
static void
locked_joints_make_it_stiffer(void ** context)
{
  (void)context;
  int checked = 0;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    locked_t locked = {t, {false}};
    const tree_link_t * top = &t->link[random_below(&state, t->nlink)];
    if (t->model->frame[top->frame].body < 0) continue;
    for (int k = link_of_frame(t, top->spec.parent); k >= 0;
         k = link_of_frame(t, t->link[k].spec.parent)) {
      locked.fixed[k] = true;
    }
    mbd_model_t * m = rebuild(t, lock_joints, &locked);
    mbd_data_t * data;
    assert_ok(mbd_data_create(m, &data));
    assert_ok(mbd_set_position(m, data, angles_of(t, m).a));
    state_at(t, 0);
    assert_softer(t, m, data, top->frame, &state);
    checked += m->frame[top->frame].body >= 0 && m->nbody < t->model->nbody;
    mbd_data_destroy(data);
    mbd_model_destroy(m);
  }
  assert_count(checked, TREES / 4);
}

//---------- mobility ----------

// rows of the immobile directions
static mat_t
immobile_of(const tree_t * t, int frame, mbd_reference_t reference, int * rank)
{
  double rows[36];
  for (int k = 0; k < 36; k++) rows[k] = 7;
  assert_ok(mbd_mobility(t->model, t->data, frame, reference, rank, rows));
  // nothing is written beyond the last of them
  for (int k = 6 * (6 - *rank); k < 36; k++) assert_true(rows[k] == 7);
  int alone;
  assert_ok(mbd_mobility(t->model, t->data, frame, reference, &alone, NULL));
  assert_int_equal(alone, *rank);
  return mat_from(6 - *rank, 6, rows);
}

// the rank is that of J, at most the joints on the way; directions are orthonormal, d J = 0
// remark 10.1
static void
mobility_is_the_rank_of_the_jacobian(void ** context)
{
  (void)context;
  int full = 0, deficient = 0;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    state_at(t, seed % 2 ? 0 : MBD_TERM_ROTORS);
    for (int f = 0; f < m->nframe; f++) {
      int dofs = 0;
      for (int k = m->frame[f].body; k >= 0; k = m->body[k].parent) dofs += m->body[k].nv;
      for (int r = 0; r < 3; r++) {
        int rank;
        const mat_t rows = immobile_of(t, f, (mbd_reference_t)r, &rank);
        const mat_t J = dense_jacobian(&d, f, (mbd_reference_t)r);
        const int expected = largest_entry(J) > 0 ? rank_of(J, 1e-7) : 0;
        if (rank != expected) fail_msg("rank %d, not %d, frame %d, %lu", rank, expected, f, seed);
        assert_true(rank <= dofs);
        const mat_t unit = eye(6 - rank), none = mat(6 - rank, d.nv);
        assert_mat_floor(PROD(rows, tr(rows)), unit, 1e-12, 1, "orthonormal, %d, %lu", f, seed);
        assert_mat_floor(
          PROD(rows, J), none, 1e-7, fmax(1, largest_entry(J)), "d J, %d, %lu", f, seed);
        full += rank == 6, deficient += rank > 0 && rank < 6;
      }
    }
  }
  assert_count(full, 100);
  assert_count(deficient, 100);
}

// joints, where the tip is, and how many directions it has
typedef struct known {
  const char * name;
  int n, rank;
  joint_by_hand_t joint[6];
  mbd_vec3_t tip;
} known_t;

#define R_ MBD_JOINT_REVOLUTE
#define P_ MBD_JOINT_PRISMATIC
#define X_  \
  {         \
    1, 0, 0 \
  }
#define Y_  \
  {         \
    0, 1, 0 \
  }
#define Z_  \
  {         \
    0, 0, 1 \
  }
#define O_  \
  {         \
    0, 0, 0 \
  }
#define A_      \
  {             \
    0.3, 0.1, 0 \
  }
static const known_t known[] = {
  {"hinge", 1, 1, {{R_, Z_, O_}}, {0.3, 0.7, 0.2}},
  {"planar arm", 3, 3, {{R_, Z_, O_}, {R_, Z_, A_}, {R_, Z_, A_}}, A_},
  {"wrist", 3, 3, {{R_, Z_, O_}, {R_, X_, O_}, {R_, Y_, O_}}, {0.3, 0.7, 0.2}},
  {"table", 2, 2, {{P_, X_, O_}, {P_, Y_, A_}}, A_},
  {"scara", 4, 4, {{R_, Z_, O_}, {R_, Z_, A_}, {R_, Z_, A_}, {P_, Z_, A_}}, {0, 0, 0.4}},
};
#undef R_
#undef P_
#undef X_
#undef Y_
#undef Z_
#undef O_
#undef A_

// arms whose freedom is known from their joints
static void
mobility_of_known_arms(void ** context)
{
  (void)context;
  uint64_t state = 31;
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    for (int turn = 0; turn < 50; turn++) {
      tree_t t = {0};
      int tip, rank;
      t.model = arm_by_hand(known[k].joint, known[k].n, known[k].tip, &state, &tip);
      double q[6], J[36];
      for (int i = 0; i < known[k].n; i++) q[i] = random_between(&state, 0.3, 1.2);
      assert_ok(mbd_data_create(t.model, &t.data));
      assert_ok(mbd_set_position(t.model, t.data, q));
      for (int r = 0; r < 3; r++) {
        const mat_t rows = immobile_of(&t, tip, (mbd_reference_t)r, &rank);
        if (rank != known[k].rank) fail_msg("%s: rank %d", known[k].name, rank);
        assert_ok(mbd_jacobian(t.model, t.data, tip, (mbd_reference_t)r, J));
        const mat_t none = mat(6 - rank, known[k].n), Jm = mat_from(6, known[k].n, J);
        assert_mat_floor(PROD(rows, Jm), none, 1e-9, 1, "%s, reference %d", known[k].name, r);
      }
      mbd_data_destroy(t.data);
      mbd_model_destroy(t.model);
      mats_free();
    }
  }
}

//---------- effective mass ----------

// rows of the velocity of a point of a frame, in world axes
static mat_t
point_jacobian(const dense_t * d, int frame, mbd_vec3_t point)
{
  const mat_t J = dense_jacobian(d, frame, MBD_LOCAL_WORLD_ALIGNED);
  const double p[3] = {point.x, point.y, point.z};
  const mat_t R = block(dense_frame(d, frame), 0, 0, 3, 3), arm = PROD(R, column(3, p));
  const mat_t turn = block(J, 0, 0, 3, d->nv), move = block(J, 3, 0, 3, d->nv);
  return sub(move, PROD(skew3(arm.a), turn));
}

// 1 / (d^T J M^-1 J^T d) at random points in random directions of any length
static void
effective_mass_is_that_of_the_jacobian(void ** context)
{
  (void)context;
  int finite = 0;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const dense_t d = dense_of(t);
    const uint32_t terms = seed % 2 ? 0 : MBD_TERM_ROTORS;
    const mat_t M_inv = inverse(mass_with(&d, terms));
    state_at(t, terms);
    for (int f = 0; f < t->model->nframe; f++) {
      const mbd_vec3_t point = random_vec3(&state, 0.5), direction = random_vec3(&state, 2);
      const double n[3] = {direction.x, direction.y, direction.z};
      const double length = mbdu_vec3_norm(direction);
      const mat_t row = scale(1 / length, PROD(tr(column(3, n)), point_jacobian(&d, f, point)));
      const double softness = scalar(PROD(row, M_inv, tr(row)));
      const double mass = effective_mass(t, f, point, direction);
      if (!(softness > 1e-9)) {
        assert_true(mass > 1e8);
        continue;
      }
      finite++;
      assert_near(mass * softness, 1, 1e-7, "frame %d, seed %lu", f, seed);
      const double lengths[4] = {1e-3, -50, 1e200, 1e-200};
      for (int k = 0; k < 4; k++) {
        const mbd_vec3_t scaled = mbdu_vec3_scale(lengths[k], direction);
        assert_near(effective_mass(t, f, point, scaled) / mass, 1, 1e-8, "%d, %lu", k, seed);
      }
    }
  }
  assert_count(finite, 500);
}

// a free body pushed at its centre of mass has its own mass, in every direction
static void
effective_mass_of_a_free_body(void ** context)
{
  (void)context;
  const tree_options_t options = {1, 1, false, true, false, false};
  FOR_TREES(50, &options)
  {
    uint64_t state = seed;
    state_at(t, 0);
    const mbd_inertia_t * M = &t->data->inertia[0];
    const mbd_frame_t * link = &t->model->frame[t->model->body[0].link_frame];
    const mbd_vec3_t com = mbdu_vec3_scale(1 / M->mass, M->h);
    const mbd_placement_t back = mbdu_placement_inverse(&link->X);
    const mbd_vec3_t point = mbdu_placement_point(&back, com);
    const double mass =
      effective_mass(t, t->model->body[0].link_frame, point, random_vec3(&state, 1));
    assert_near(mass / M->mass, 1, 1e-11, "seed %lu", seed);
  }
}

// an arm of two hinges on one axis, the second and the tip some way along it
static tree_t
arm_on_an_axis(uint64_t * state, bool far, int * tip)
{
  const mbd_vec3_t any = random_vec3(state, 1);
  const mbd_vec3_t axis = mbdu_vec3_scale(1 / mbdu_vec3_norm(any), any);
  const joint_by_hand_t joint[2] = {
    {MBD_JOINT_REVOLUTE, axis, {0, 0, 0}}, {MBD_JOINT_REVOLUTE, axis, mbdu_vec3_scale(0.7, axis)}};
  const double q[2] = {0.4, -0.8};
  tree_t t = {0};
  t.model = arm_by_hand(joint, 2, mbdu_vec3_scale(far ? 0.45 : 0, axis), state, tip);
  assert_ok(mbd_data_create(t.model, &t.data));
  assert_ok(mbd_set_position(t.model, t.data, q));
  return t;
}

// infinite where a point cannot move: on an axis, however far out, and along it anywhere
static void
effective_mass_on_an_axis(void ** context)
{
  (void)context;
  uint64_t state = 41;
  for (int turn = 0; turn < 200; turn++) {
    int frame;
    tree_t t = arm_on_an_axis(&state, turn % 2, &frame);
    const mbd_vec3_t zero = {0, 0, 0}, direction = random_vec3(&state, 1);
    const double on_axis = effective_mass(&t, frame, zero, direction);
    if (on_axis < HUGE_VAL) fail_msg("%g kg on the axis, turn %d", on_axis, turn);
    const mbd_vec3_t along = mbdu_mat3_vec(&t.data->X_world[1].R, mbdu_vec3(0, 0, 1));
    const double out = effective_mass(&t, frame, random_vec3(&state, 0.5), along);
    if (out < HUGE_VAL) fail_msg("%g kg along the axis, turn %d", out, turn);
    assert_true(effective_mass(&t, frame, mbdu_vec3(0.3, 0.2, 0.1), direction) < 1e6);
    mbd_data_destroy(t.data);
    mbd_model_destroy(t.model);
    mats_free();
  }
}

static void
effective_mass_of_the_world(void ** context)
{
  (void)context;
  int found = 0;
  FOR_TREES(TREES, NULL)
  {
    state_at(t, 0);
    for (int f = 0; f < t->model->nframe; f++) {
      if (t->model->frame[f].body >= 0) continue;
      found++;
      assert_true(effective_mass(t, f, mbdu_vec3(1, 0, 0), mbdu_vec3(0, 1, 0)) == HUGE_VAL);
    }
  }
  assert_count(found, TREES);
}

//---------- errors ----------

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(11, NULL), *other = random_tree(12, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  const mbd_reference_t L = MBD_LOCAL, none = (mbd_reference_t)3;
  const mbd_vec3_t x = {1, 0, 0}, o = {0, 0, 0}, bad = {0, (double)NAN, 0}, far = {HUGE_VAL, 0, 0};
  double C[36], mass;
  int rank;
  assert_status(mbd_compliance_between(m, d, 0, L, 0, L, C), MBD_ERROR_STAGE);
  assert_status(mbd_mobility(m, d, 0, L, &rank, C), MBD_ERROR_STAGE);
  assert_status(mbd_effective_mass(m, d, 0, o, x, &mass), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_status(mbd_compliance_between(NULL, d, 0, L, 0, L, C), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_compliance_between(m, NULL, 0, L, 0, L, C), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_compliance_between(m, d, 0, L, 0, L, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_compliance_between(other->model, d, 0, L, 0, L, C), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_compliance_between(m, d, -1, L, 0, L, C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_compliance_between(m, d, 0, L, m->nframe, L, C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_compliance_between(m, d, 0, none, 0, L, C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_compliance_between(m, d, 0, L, 0, none, C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_mobility(NULL, d, 0, L, &rank, C), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mobility(m, d, 0, L, NULL, C), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_mobility(m, d, 0, none, &rank, C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_mobility(m, d, m->nframe, L, &rank, C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_effective_mass(NULL, d, 0, o, x, &mass), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_effective_mass(m, d, 0, o, x, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_effective_mass(m, d, -1, o, x, &mass), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_effective_mass(m, d, 0, x, o, &mass), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_effective_mass(m, d, 0, bad, x, &mass), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_effective_mass(m, d, 0, o, bad, &mass), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_effective_mass(m, d, 0, o, far, &mass), MBD_ERROR_NOT_FINITE);
  tree_free(other);
  tree_free(t);
}

static void
models_that_have_no_inverse(void ** context)
{
  (void)context;
  mbd_model_t * model[2] = {mimic_by_hand(), needle_by_hand()};
  const mbd_status_t expected[2] = {MBD_ERROR_MIMIC, MBD_ERROR_MASSLESS_SUBTREE};
  for (int k = 0; k < 2; k++) {
    const double q[2] = {0.1, 0.2};
    const mbd_vec3_t x = {1, 0, 0};
    double C[36], mass;
    int rank;
    mbd_data_t * d;
    assert_ok(mbd_data_create(model[k], &d));
    assert_ok(mbd_set_position(model[k], d, q));
    assert_status(mbd_compliance_between(model[k], d, 0, MBD_LOCAL, 0, MBD_WORLD, C), expected[k]);
    assert_status(mbd_mobility(model[k], d, 0, MBD_LOCAL, &rank, C), expected[k]);
    assert_status(mbd_effective_mass(model[k], d, 0, x, x, &mass), expected[k]);
    mbd_data_destroy(d);
    mbd_model_destroy(model[k]);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(compliances_of_all_pairs),
    cmocka_unit_test(compliances_in_all_references),
    cmocka_unit_test(compliances_are_symmetric),
    cmocka_unit_test(compliances_follow_from_the_parent),
    cmocka_unit_test(compliances_project_velocities),
    cmocka_unit_test(compliance_of_a_free_base),
    cmocka_unit_test(locked_joints_make_it_stiffer),
    cmocka_unit_test(mobility_is_the_rank_of_the_jacobian),
    cmocka_unit_test(mobility_of_known_arms),
    cmocka_unit_test(effective_mass_is_that_of_the_jacobian),
    cmocka_unit_test(effective_mass_of_a_free_body),
    cmocka_unit_test(effective_mass_on_an_axis),
    cmocka_unit_test(effective_mass_of_the_world),
    cmocka_unit_test(stages_and_arguments),
    cmocka_unit_test(models_that_have_no_inverse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
