// Flexible links: identities on random trees, equations of Lagrange by differences, and modes that
// are joints in disguise against the rigid tree.
#include "mbdyn/flexible/flexible_links.h"

#include <math.h>
#include <string.h>

#include "by_hand.h"
#include "random_modes.h"

#define FOR_FLEXIBLE(n, options)                                            \
  FOR_TREES(n, options)                                                     \
  for (uint64_t state = seed, once = 1; once; once = 0)                     \
    for (flexible_robot_t b = random_flexible_robot(t, &state); b.flexible; \
         flexible_robot_free(&b), b.flexible = NULL)

static const mbd_vec3_t NO_GRAVITY = {0, 0, 0};

//---------- random trees ----------

// M column by column: torques of unit accelerations at rest, without gravity and springs
static mat_t
mass_by_inverse_dynamics(const flexible_robot_t * b)
{
  const int nv = b->flexible->nv;
  mat_t M = mat(nv, nv), at_rest = mat(nv, 1), tau = mat(nv, 1), e = mat(nv, 1);
  assert_ok(mbd_set_gravity(b->data, NO_GRAVITY));
  assert_ok(flexible_state(b->flexible, b->data, b->q, NULL));
  assert_ok(mbd_inverse_dynamics(b->flexible, b->data, NULL, NULL, NULL, NULL, at_rest.a));
  for (int k = 0; k < nv; k++) {
    memset(e.a, 0, (size_t)nv * sizeof *e.a);
    e.a[k] = 1;
    assert_ok(mbd_inverse_dynamics(b->flexible, b->data, NULL, NULL, e.a, NULL, tau.a));
    for (int i = 0; i < nv; i++) *at(M, i, k) = tau.a[i] - at_rest.a[i];
  }
  assert_ok(mbd_set_gravity(b->data, b->flexible->flexible->rigid->gravity));
  return M;
}

// the two ways to the mass matrix, and kinetic energy                          (Alg 13.1), (Alg 13.2)
static void
mass_matrix_is_that_of_inverse_dynamics(void ** context)
{
  (void)context;
  FOR_FLEXIBLE(TREES, NULL)
  {
    const int nv = b.flexible->nv;
    if (seed % 2) assert_ok(mbd_set_terms(b.data, MBD_TERM_ROTORS));
    mat_t expected = mass_by_inverse_dynamics(&b), M = mat(nv, nv), v = column(nv, b.v);
    assert_ok(mbd_set_state(b.flexible, b.data, b.q, NULL));
    assert_ok(mbd_mass_matrix(b.flexible, b.data, M.a));
    assert_close(M.a, expected.a, nv * nv, 1e-11, "M, seed %d", (int)seed);
    assert_true(smallest_eigenvalue(M) > 0);
    assert_ok(flexible_state(b.flexible, b.data, b.q, b.v));
    const double T = 0.5 * scalar(PROD(tr(v), M, v));
    double kinetic;
    assert_ok(flexible_energy(b.flexible, b.data, &kinetic, NULL, NULL));
    assert_close(&kinetic, &T, 1, 1e-11, "kinetic energy, seed %d", (int)seed);
  }
}

// two stages against M^-1 (tau - h) by Gauss-Jordan                              (Lemma 13.2)
static void
forward_dynamics_is_the_dense_solution(void ** context)
{
  (void)context;
  FOR_FLEXIBLE(TREES, NULL)
  {
    const int nv = b.flexible->nv;
    assert_ok(mbd_set_terms(b.data, seed % 2 ? MBD_TERM_ROTORS | MBD_TERM_FRICTION : 0));
    mat_t M = mass_by_inverse_dynamics(&b), h = mat(nv, 1), qdd = mat(nv, 1), back = mat(nv, 1);
    assert_ok(mbd_inverse_dynamics(b.flexible, b.data, b.q, b.v, NULL, &t->f_ext, h.a));
    mat_t expected = PROD(inverse(M), sub(column(nv, b.tau), h));
    assert_ok(mbd_forward_dynamics(b.flexible, b.data, b.q, b.v, b.tau, &t->f_ext, qdd.a));
    assert_close(qdd.a, expected.a, nv, 1e-8, "qdd, seed %d", (int)seed);
    assert_ok(mbd_inverse_dynamics(b.flexible, b.data, NULL, NULL, qdd.a, &t->f_ext, back.a));
    assert_close(back.a, b.tau, nv, 1e-8, "tau, seed %d", (int)seed);
  }
}

// no link bends: the rigid tree
static void
without_modes_it_is_the_rigid_tree(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    const uint32_t terms = seed % 2 ? MBD_TERM_ROTORS | MBD_TERM_FRICTION : 0;
    mbd_model_t * flexible;
    mbd_data_t * data;
    assert_ok(mbd_model_with_flexible_links(t->model, 0, NULL, &flexible, NULL));
    assert_ok(mbd_data_create(flexible, &data));
    assert_ok(mbd_set_terms(data, terms));
    assert_ok(mbd_set_terms(t->data, terms));
    mat_t one = mat(nv, 1), other = mat(nv, 1), M = mat(nv, nv), N = mat(nv, nv);
    assert_ok(mbd_inverse_dynamics(flexible, data, t->q, t->v, t->qdd, &t->f_ext, one.a));
    assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, &t->f_ext, other.a));
    assert_close(one.a, other.a, nv, 1e-11, "tau, seed %d", (int)seed);
    assert_ok(mbd_forward_dynamics(flexible, data, t->q, t->v, t->tau, &t->f_ext, one.a));
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, &t->f_ext, other.a));
    assert_close(one.a, other.a, nv, 1e-8, "qdd, seed %d", (int)seed);
    assert_ok(mbd_set_state(flexible, data, t->q, NULL));
    assert_ok(mbd_mass_matrix(flexible, data, M.a));
    assert_ok(mbd_set_state(t->model, t->data, t->q, NULL));
    assert_ok(mbd_mass_matrix(t->model, t->data, N.a));
    assert_close(M.a, N.a, nv * nv, 1e-11, "M, seed %d", (int)seed);
    mbd_data_destroy(data);
    mbd_model_destroy(flexible);
  }
}

// a link that bends, with its own inertia at its frame and places to attach to
static mbd_modal_body_t *
flexible_link(const tree_t * t, int frame, uint64_t * state)
{
  mbd_modal_body_t * body;
  const int modes = 1 + random_below(state, 3), places = 3;
  assert_ok(mbd_modal_body_create(modes, 1 + places, &body));
  for (int k = 0; k < t->nlink; k++) {
    if (t->link[k].frame == frame) body->inertia[0] = t->link[k].spec.inertia;
  }
  for (int k = 0; k <= places; k++) {
    if (k > 0) body->position[k] = random_vec3(state, 0.5);
    for (int i = 0; i < modes; i++) body->shape[k * modes + i] = random_motion(state);
  }
  body->has_hinge = random_below(state, 2);
  for (int i = 0; i < modes && body->has_hinge; i++) body->hinge[i] = random_motion(state);
  // a link need not have a mass
  body->has_mass = true;
  random_positive(state, modes, 1, body->mass);
  for (int i = 0; i < modes; i++) {
    body->mass[i * (modes + 1)] += 1000;
    body->stiffness[i * (modes + 1)] = 1;
  }
  return body;
}

// not bent, every link is where it was with all that it carries: joints feel the rigid robot   (13.27)
static void
undeformed_it_is_the_rigid_tree(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    enum { MOST = 6 };
    mbd_flexible_link_t link[MOST] = {{0}};
    uint64_t state = seed;
    int n = 0;
    for (int f = 0; f < t->model->nframe && n < MOST; f++) {
      if (!t->model->frame[f].is_link || random_below(&state, 2)) continue;
      link[n++] = (mbd_flexible_link_t){f, flexible_link(t, f, &state), 0, NULL};
    }
    mbd_model_t * flexible;
    mbd_data_t * data;
    assert_ok(mbd_model_with_flexible_links(t->model, n, link, &flexible, NULL));
    assert_ok(mbd_data_create(flexible, &data));
    const int nv = t->model->nv, all = flexible->nv;
    double * q = extend(&state, t->q, t->model->nq, flexible->flexible->nmode, 0);
    double * v = extend(&state, t->v, nv, flexible->flexible->nmode, 0);
    double * qdd = extend(&state, t->qdd, nv, flexible->flexible->nmode, 0);
    mat_t M = mat(all, all), rigid = mat(nv, nv), tau = mat(all, 1), expected = mat(nv, 1);
    assert_ok(mbd_set_state(flexible, data, q, NULL));
    assert_ok(mbd_mass_matrix(flexible, data, M.a));
    assert_ok(mbd_set_state(t->model, t->data, t->q, NULL));
    assert_ok(mbd_mass_matrix(t->model, t->data, rigid.a));
    assert_close(block(M, 0, 0, nv, nv).a, rigid.a, nv * nv, 1e-10, "M, seed %d", (int)seed);
    assert_ok(mbd_inverse_dynamics(flexible, data, q, v, qdd, &t->f_ext, tau.a));
    assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, &t->f_ext, expected.a));
    assert_close(tau.a, expected.a, nv, 1e-10, "tau, seed %d", (int)seed);
    free(q);
    free(v);
    free(qdd);
    for (int k = 0; k < n; k++) mbd_modal_body_destroy((mbd_modal_body_t *)(uintptr_t)link[k].body);
    mbd_data_destroy(data);
    mbd_model_destroy(flexible);
  }
}

//---------- Lagrange ----------

static const double STEP = 1e-5;

// M and potential energy with q_k moved by x
static mat_t
mass_at(const flexible_robot_t * b, int k, double x, double * potential)
{
  const int nv = b->flexible->nv;
  const double kept = b->q[k];
  mat_t M = mat(nv, nv);
  double weight = 0, strain = 0;
  b->q[k] += x;
  assert_ok(mbd_set_state(b->flexible, b->data, b->q, NULL));
  assert_ok(mbd_mass_matrix(b->flexible, b->data, M.a));
  assert_ok(flexible_energy(b->flexible, b->data, NULL, &weight, &strain));
  b->q[k] = kept;
  *potential = weight + strain;
  return M;
}

static double
damping_force(const mbd_model_t * f, const double * v, int row)
{
  for (int p = 0; p < f->flexible->npart; p++) {
    const mbd_modal_body_t * body = f->flexible->part[p].body;
    const int first = f->flexible->part[p].v_index, m = body->nmode;
    if (row < first || row >= first + m) continue;
    double sum = 0;
    for (int j = 0; j < m; j++) sum += body->damping[(row - first) * m + j] * v[first + j];
    return sum;
  }
  return 0;
}

// h_k = sum_i dM/dq_i v v_i - 1/2 v^T dM/dq_k v + dU/dq_k: nothing is missing in the velocity terms,
// so that energy is conserved
static void
velocity_terms_are_those_of_lagrange(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.one_dof_only = true;
  options.max_bodies = 5;
  FOR_FLEXIBLE(100, &options)
  {
    const int nv = b.flexible->nv;
    mat_t h = mat(nv, 1), expected = mat(nv, 1), v = column(nv, b.v);
    mat_t rate = mat(nv, nv);
    for (int k = 0; k < nv; k++) {
      double above, below;
      mat_t d = sub(mass_at(&b, k, STEP, &above), mass_at(&b, k, -STEP, &below));
      d = scale(0.5 / STEP, d);
      expected.a[k] += 0.5 * (above - below) / STEP - 0.5 * scalar(PROD(tr(v), d, v));
      expected.a[k] += damping_force(b.flexible, b.v, k);
      rate = SUM(rate, scale(b.v[k], d));
    }
    expected = SUM(expected, PROD(rate, v));
    assert_ok(mbd_inverse_dynamics(b.flexible, b.data, b.q, b.v, NULL, NULL, h.a));
    assert_close(h.a, expected.a, nv, 1e-6, "h, seed %d", (int)seed);
  }
}

//---------- frames ----------

// velocities of all frames are the rates of their placements, and wrenches do their work on them
static void
frames_move_as_they_are_placed(void ** context)
{
  (void)context;
  FOR_FLEXIBLE(100, NULL)
  {
    const double step = 1e-6;
    const int nq = b.flexible->nq;
    // q here, back and forth along v
    mat_t q[3] = {mat(nq, 1), mat(nq, 1), mat(nq, 1)};
    for (int f = 0; f < t->model->nframe; f++) {
      mbd_placement_t X[3];
      mbd_motion_t V;
      for (int k = 0; k < 3; k++) {
        const double h = k == 0 ? 0 : k == 1 ? -step : step;
        assert_ok(mbd_integrate(b.flexible, b.q, b.v, h, q[k].a));
        assert_ok(flexible_state(b.flexible, b.data, q[k].a, b.v));
        assert_ok(flexible_frame(b.flexible, b.data, f, &X[k], k == 0 ? &V : NULL));
      }
      // X^-1 dX/dt
      mat_t rate = PROD(
        inverse4(placement4(&X[0])), scale(0.5 / step, sub(placement4(&X[2]), placement4(&X[1]))));
      const double expected[6] = {*at(rate, 2, 1), *at(rate, 0, 2), *at(rate, 1, 0),
                                  *at(rate, 0, 3), *at(rate, 1, 3), *at(rate, 2, 3)};
      assert_close(motion6(V).a, expected, 6, 1e-6, "frame %d, seed %d", f, (int)seed);
    }
  }
}

// -tau of wrenches is J^T f, J from velocities
static void
wrenches_do_virtual_work(void ** context)
{
  (void)context;
  FOR_FLEXIBLE(100, NULL)
  {
    const int nv = b.flexible->nv;
    mat_t with = mat(nv, 1), without = mat(nv, 1), expected = mat(nv, 1), e = mat(nv, 1);
    assert_ok(mbd_inverse_dynamics(b.flexible, b.data, b.q, b.v, b.qdd, NULL, without.a));
    assert_ok(mbd_inverse_dynamics(b.flexible, b.data, NULL, NULL, b.qdd, &t->f_ext, with.a));
    for (int k = 0; k < nv; k++) {
      memset(e.a, 0, (size_t)nv * sizeof *e.a);
      e.a[k] = 1;
      assert_ok(flexible_state(b.flexible, b.data, b.q, e.a));
      for (int i = 0; i < t->f_ext.n; i++) {
        const mbd_wrench_t * w = &t->f_ext.w[i];
        mbd_placement_t X, R = mbdu_placement_identity();
        mbd_motion_t V;
        assert_ok(flexible_frame(b.flexible, b.data, w->frame, &X, &V));
        // to the reference: same point and world axes, or the point of the world
        if (w->reference != MBD_LOCAL) R.R = X.R;
        if (w->reference == MBD_WORLD) R.p = X.p;
        expected.a[k] -= mbdu_power(w->f, mbdu_motion_to_parent(&R, V));
      }
    }
    mat_t difference = sub(with, without);
    assert_close(difference.a, expected.a, nv, 1e-10, "J^T f, seed %d", (int)seed);
  }
}

//---------- modes that are joints ----------

// a link on a hinge, whose only moving node slides along two axes and turns about a third, and a
// child on that node: a flexible robot of two joints, or a rigid one of five
typedef struct disguise {
  mbd_vec3_t axis[3], place;
  mbd_inertia_t link, node, child;
  mbd_placement_t hinge, X_child;
} disguise_t;

static disguise_t
random_disguise(uint64_t * state)
{
  disguise_t d;
  for (int k = 0; k < 3; k++) {
    d.axis[k] = random_vec3(state, 1);
    d.axis[k] = mbdu_vec3_scale(1 / mbdu_vec3_norm(d.axis[k]), d.axis[k]);
  }
  d.place = random_vec3(state, 1);
  d.link = random_inertia(state);
  d.node = random_inertia(state);
  d.child = random_inertia(state);
  d.hinge = random_placement(state);
  d.X_child = random_placement(state);
  return d;
}

static int
add(
  mbd_model_t * model, const char * name, int parent, mbd_joint_type_t type, mbd_vec3_t axis,
  mbd_placement_t X, mbd_inertia_t inertia)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  spec.name = spec.joint_name = name;
  spec.parent = parent, spec.type = type, spec.axis = axis, spec.placement = X;
  spec.inertia = inertia;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  return frame;
}

static const mbd_inertia_t NOTHING = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};

static mbd_model_t *
rigid_disguise(const disguise_t * d)
{
  mbd_model_t * model;
  const mbd_vec3_t z = {0.3, -0.2, 1}, y = {0, 1, 0.1};
  const mbd_placement_t here = mbdu_placement_identity();
  mbd_placement_t X = here;
  X.p = d->place;
  assert_ok(mbd_model_create("rigid", &model));
  int f = add(model, "a", MBD_WORLD_BODY, MBD_JOINT_REVOLUTE, z, d->hinge, d->link);
  f = add(model, "b", f, MBD_JOINT_PRISMATIC, d->axis[0], X, NOTHING);
  f = add(model, "c", f, MBD_JOINT_PRISMATIC, d->axis[1], here, NOTHING);
  f = add(model, "d", f, MBD_JOINT_REVOLUTE, d->axis[2], here, d->node);
  add(model, "e", f, MBD_JOINT_REVOLUTE, y, d->X_child, d->child);
  assert_ok(mbd_model_finalize(model));
  return model;
}

// the child is `steps` fixed links away from the bending one
static mbd_model_t *
bending_disguise(const disguise_t * d, bool further, mbd_model_t ** flexible)
{
  mbd_model_t * model;
  const mbd_vec3_t z = {0.3, -0.2, 1}, y = {0, 1, 0.1};
  mbd_placement_t X = mbdu_placement_identity();
  X.p = d->place;
  assert_ok(mbd_model_create("bending", &model));
  const int a = add(model, "a", MBD_WORLD_BODY, MBD_JOINT_REVOLUTE, z, d->hinge, d->child);
  // the node's inertia may be that of a link that is fixed to it
  const int n = add(model, "n", a, MBD_JOINT_FIXED, z, X, further ? d->node : NOTHING);
  add(model, "e", n, MBD_JOINT_REVOLUTE, y, d->X_child, d->child);
  assert_ok(mbd_model_finalize(model));
  mbd_modal_body_t * body;
  assert_ok(mbd_modal_body_create(3, 2, &body));
  body->inertia[0] = d->link;
  body->position[1] = d->place;
  if (!further) body->inertia[1] = d->node;
  // the masses must be seen to move
  if (further) body->has_mass = true;
  body->shape[3].lin = d->axis[0];
  body->shape[4].lin = d->axis[1];
  body->shape[5].ang = d->axis[2];
  for (int k = 0; k < 3; k++) {
    body->stiffness[4 * k] = 3 + k, body->damping[4 * k] = 0.5;
    body->mass[4 * k] = 0.01;
  }
  const mbd_flexible_attachment_t attachment = {n, 1};
  const mbd_flexible_link_t link = {a, body, further, &attachment};
  assert_ok(mbd_model_with_flexible_links(model, 1, &link, flexible, NULL));
  mbd_modal_body_destroy(body);
  return model;
}

static void
modes_that_are_joints_are_joints(void ** context)
{
  (void)context;
  FOR_SEEDS(100)
  {
    uint64_t state = seed;
    const disguise_t d = random_disguise(&state);
    const bool further = seed % 2;
    // as the rigid robot has them, and as the bending one
    static const int ORDER[5] = {0, 4, 1, 2, 3};
    double q[5], v[5], qdd[5], tau[5], p[5], u[5], acc[5], force[5], back[5];
    for (int k = 0; k < 5; k++) {
      q[k] = 2 * random_signed(&state), v[k] = random_signed(&state),
      qdd[k] = random_signed(&state);
    }
    for (int k = 0; k < 5; k++) p[k] = q[ORDER[k]], u[k] = v[ORDER[k]], acc[k] = qdd[ORDER[k]];
    mbd_model_t * rigid = rigid_disguise(&d);
    mbd_model_t * flexible;
    mbd_model_t * model = bending_disguise(&d, further, &flexible);
    mbd_data_t * data;
    mbd_data_t * flexible_data;
    assert_ok(mbd_data_create(rigid, &data));
    assert_ok(mbd_data_create(flexible, &flexible_data));
    assert_ok(mbd_inverse_dynamics(rigid, data, q, v, qdd, NULL, tau));
    // springs, dampers and the modal mass beside the nodes
    for (int k = 0; k < 3; k++) {
      tau[1 + k] += (3 + k) * q[1 + k] + 0.5 * v[1 + k] + (further ? 0.01 * qdd[1 + k] : 0);
    }
    for (int k = 0; k < 5; k++) force[k] = tau[ORDER[k]];
    assert_ok(mbd_inverse_dynamics(flexible, flexible_data, p, u, acc, NULL, back));
    assert_close(back, force, 5, 1e-11, "tau, seed %d", (int)seed);
    assert_ok(mbd_forward_dynamics(flexible, flexible_data, p, u, force, NULL, back));
    assert_close(back, acc, 5, 1e-9, "qdd, seed %d", (int)seed);
    int frame, other;
    mbd_placement_t X, Y;
    assert_ok(mbd_find_frame(rigid, "e", &frame));
    assert_ok(mbd_find_frame(model, "e", &other));
    assert_ok(mbd_frame_placement(rigid, data, frame, &X));
    assert_ok(flexible_frame(flexible, flexible_data, other, &Y, NULL));
    assert_close(placement4(&Y).a, placement4(&X).a, 16, 1e-12, "placement, seed %d", (int)seed);
    mats_free();
    mbd_data_destroy(data);
    mbd_data_destroy(flexible_data);
    mbd_model_destroy(flexible);
    mbd_model_destroy(model);
    mbd_model_destroy(rigid);
  }
}

//---------- refusals ----------

typedef struct spoilt {
  void (*spoil)(mbd_modal_body_t * body);
  mbd_status_t status;
  mbd_modal_fault_t fault;
  int index;
} spoilt_t;

#define SPOIL(name, statement)                   \
  static void spoil_##name(mbd_modal_body_t * b) \
  {                                              \
    statement;                                   \
  }

SPOIL(nan, b->shape[3].lin.y = (double)NAN)
SPOIL(hinge, b->hinge[1].ang.x = HUGE_VAL)
SPOIL(inertia, b->inertia[1].mass = -1)
SPOIL(bend, (b->has_bend = true, b->bend[5].x = 1))
SPOIL(stiffness, b->stiffness[1] = 1)
SPOIL(soft, b->stiffness[3] = -2)
SPOIL(coupled, b->stiffness[1] = b->stiffness[2] = 5)
SPOIL(damping, b->damping[2] = 1)
SPOIL(pushing, b->damping[0] = -0.1)
SPOIL(mass, (b->has_mass = true, b->mass[0] = b->mass[3] = 3, b->mass[2] = 1))
SPOIL(massless, b->inertia[1].mass = 0)
SPOIL(light, (b->has_mass = true, b->mass[0] = 3, b->mass[3] = -1))

static void
bad_modes_are_refused(void ** context)
{
  (void)context;
  static const spoilt_t CASES[] = {
    {spoil_nan, MBD_ERROR_NOT_FINITE, MBD_MODAL_NOT_FINITE, 1},
    {spoil_hinge, MBD_ERROR_NOT_FINITE, MBD_MODAL_NOT_FINITE, 0},
    {spoil_inertia, MBD_ERROR_BAD_MODES, MBD_MODAL_NODE_INERTIA, 1},
    {spoil_bend, MBD_ERROR_BAD_MODES, MBD_MODAL_BEND_NOT_SYMMETRIC, 1},
    {spoil_stiffness, MBD_ERROR_BAD_MODES, MBD_MODAL_STIFFNESS_NOT_SYMMETRIC, 1},
    {spoil_soft, MBD_ERROR_BAD_MODES, MBD_MODAL_STIFFNESS_NEGATIVE, 1},
    {spoil_coupled, MBD_ERROR_BAD_MODES, MBD_MODAL_STIFFNESS_NEGATIVE, 1},
    {spoil_damping, MBD_ERROR_BAD_MODES, MBD_MODAL_DAMPING_NOT_SYMMETRIC, 1},
    {spoil_pushing, MBD_ERROR_BAD_MODES, MBD_MODAL_DAMPING_NEGATIVE, 0},
    {spoil_mass, MBD_ERROR_BAD_MODES, MBD_MODAL_MASS_NOT_SYMMETRIC, 1},
    {spoil_massless, MBD_ERROR_BAD_MODES, MBD_MODAL_MASS_NOT_POSITIVE, 0},
    {spoil_light, MBD_ERROR_BAD_MODES, MBD_MODAL_MASS_NOT_POSITIVE, 1}};
  mbd_model_t * model;
  assert_ok(mbd_model_create("one", &model));
  const int a = add(
    model, "a", MBD_WORLD_BODY, MBD_JOINT_REVOLUTE, mbdu_vec3(0, 0, 1), mbdu_placement_identity(),
    NOTHING);
  assert_ok(mbd_model_finalize(model));
  for (size_t k = 0; k <= sizeof CASES / sizeof *CASES; k++) {
    mbd_modal_body_t * body;
    assert_ok(mbd_modal_body_create(2, 2, &body));
    body->position[1].x = 1;
    body->inertia[1].mass = 2;
    body->shape[2].lin.y = body->shape[3].lin.z = 1;
    body->stiffness[0] = body->stiffness[3] = 4;
    const bool spoil = k < sizeof CASES / sizeof *CASES;
    if (spoil) CASES[k].spoil(body);
    mbd_modal_fault_t fault;
    int index, which;
    mbd_model_t * flexible = NULL;
    const mbd_flexible_link_t link = {a, body, 0, NULL};
    const mbd_status_t expected = spoil ? CASES[k].status : MBD_OK;
    assert_int_equal(mbd_modal_body_check(body, &fault, &index), expected);
    assert_int_equal(mbd_model_with_flexible_links(model, 1, &link, &flexible, &which), expected);
    assert_int_equal(which, spoil ? 0 : -1);
    if (spoil) {
      assert_int_equal(fault, CASES[k].fault);
      assert_int_equal(index, CASES[k].index);
      assert_true(strlen(mbd_modal_fault_text(fault)) > 10);
    }
    mbd_model_destroy(flexible);
    mbd_modal_body_destroy(body);
  }
  mbd_model_destroy(model);
}

static void
bad_calls_are_refused(void ** context)
{
  (void)context;
  tree_t * t = random_tree(3, NULL);
  uint64_t state = 3;
  flexible_robot_t b = random_flexible_robot(t, &state), other = random_flexible_robot(t, &state);
  const int nv = b.flexible->nv;
  mat_t out = mat(nv, 1), kept = mat(nv, 1);
  mbd_data_t * fresh;
  assert_ok(mbd_data_create(b.flexible, &fresh));
  assert_int_equal(
    mbd_forward_dynamics(b.flexible, fresh, NULL, NULL, b.tau, NULL, out.a), MBD_ERROR_STAGE);
  assert_int_equal(
    mbd_forward_dynamics(b.flexible, other.data, b.q, b.v, b.tau, NULL, out.a),
    MBD_ERROR_MODEL_MISMATCH);
  assert_ok(flexible_state(other.flexible, other.data, other.q, other.v));
  assert_int_equal(
    flexible_energy(b.flexible, other.data, out.a, NULL, NULL), MBD_ERROR_MODEL_MISMATCH);
  b.v[nv - 1] = (double)NAN;
  assert_int_equal(
    mbd_inverse_dynamics(b.flexible, fresh, b.q, b.v, b.qdd, NULL, out.a), MBD_ERROR_NOT_FINITE);
  assert_int_equal(
    flexible_step(b.flexible, fresh, b.q, b.v, NULL, NULL, 0.01), MBD_ERROR_NOT_FINITE);
  b.v[nv - 1] = 0;
  assert_int_equal(
    flexible_step(b.flexible, fresh, b.q, b.v, NULL, NULL, HUGE_VAL), MBD_ERROR_NOT_FINITE);
  assert_memory_equal(out.a, kept.a, (size_t)nv * sizeof *out.a);
  assert_int_equal(flexible_frame(b.flexible, fresh, 0, NULL, NULL), MBD_ERROR_STAGE);
  assert_int_equal(mbd_set_terms(fresh, 64), MBD_ERROR_BAD_ARGUMENT);
  char small[16];
  assert_int_equal(mbd_data_init(b.flexible, small, sizeof small, &fresh), MBD_ERROR_TOO_SMALL);
  mbd_modal_body_t * body = random_modal_body(&state);
  mbd_model_t * made;
  mbd_flexible_link_t twice[2] = {{0, body, 0, NULL}, {0, body, 0, NULL}};
  int which;
  assert_int_equal(
    mbd_model_with_flexible_links(t->model, 2, twice, &made, &which), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(which, 1);
  twice[0].frame = t->model->nframe;
  assert_int_equal(
    mbd_model_with_flexible_links(t->model, 1, twice, &made, &which), MBD_ERROR_BAD_ARGUMENT);
  mbd_modal_body_destroy(body);
  mbd_data_destroy(fresh);
  flexible_robot_free(&b);
  flexible_robot_free(&other);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mass_matrix_is_that_of_inverse_dynamics),
    cmocka_unit_test(forward_dynamics_is_the_dense_solution),
    cmocka_unit_test(without_modes_it_is_the_rigid_tree),
    cmocka_unit_test(undeformed_it_is_the_rigid_tree),
    cmocka_unit_test(velocity_terms_are_those_of_lagrange),
    cmocka_unit_test(frames_move_as_they_are_placed),
    cmocka_unit_test(wrenches_do_virtual_work),
    cmocka_unit_test(modes_that_are_joints_are_joints),
    cmocka_unit_test(bad_modes_are_refused),
    cmocka_unit_test(bad_calls_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
