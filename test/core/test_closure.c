// Closures: rows, their velocities and accelerations, on random trees of all joint types.
#include <math.h>
#include <string.h>

#include "closed_tree.h"
#include "core_test.h"
#include "mbdyn/constraints/closure.h"
#include "surfaces.h"

//---------- robots with closures ----------

// s = sin(a t) and its derivatives
static void
wave(void * ctx, double t, double * value, double * rate, double * second)
{
  const double a = *(const double *)ctx;
  *value = sin(a * t);
  *rate = a * cos(a * t);
  *second = -a * a * sin(a * t);
}

// a coupling of up to three joints of one degree of freedom; false if there is none
static bool
random_coupling(const tree_t * t, uint64_t * state, mbd_closure_spec_t * spec)
{
  spec->ncoupled = 0;
  for (int i = 0; i < t->model->nbody && spec->ncoupled < 3; i++) {
    if (!can_couple(&t->model->body[i]) || random_below(state, 4) == 0) continue;
    spec->joint[spec->ncoupled] = lasting_name(t, t->model->body[i].joint_name);
    spec->coefficient[spec->ncoupled++] = random_between(state, 0.5, 2);
  }
  spec->offset = random_signed(state);
  return spec->ncoupled > 0;
}

static int
random_frame(const tree_t * t, uint64_t * state)
{
  return random_below(state, t->nlink + 1) == 0 ? MBD_WORLD_BODY
                                                : t->link[random_below(state, t->nlink)].frame;
}

static int
body_of(const tree_t * t, int frame)
{
  return frame < 0 ? MBD_WORLD_BODY : t->model->frame[frame].body;
}

static bool
random_frames(const tree_t * t, uint64_t * state, mbd_closure_spec_t * spec)
{
  spec->X_a = random_placement(state);
  spec->X_b = random_placement(state);
  spec->distance = random_between(state, 0.1, 1);
  random_surfaces(state, spec);
  for (int tries = 0; tries < 20; tries++) {
    spec->frame_a = random_frame(t, state);
    spec->frame_b = random_frame(t, state);
    const int a = body_of(t, spec->frame_a), b = body_of(t, spec->frame_b);
    const bool velocity = spec->type == MBD_CLOSURE_NO_SLIP || spec->type == MBD_CLOSURE_ROLLING;
    if (velocity ? b >= 0 : a != b) return true;
  }
  return false;
}

// one closure of each type where the robot has room for it, some with drivers
static void
random_loops(const tree_t * t, uint64_t * state, double * pace, loops_t * list)
{
  list->n = 0;
  for (int type = 0; type < MBD_CLOSURE_TYPES; type++) {
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.type = (mbd_closure_type_t)type;
    const bool good = type == MBD_CLOSURE_COUPLING ? random_coupling(t, state, &spec)
                                                   : random_frames(t, state, &spec);
    if (!good) continue;
    spec.driver.row = random_below(state, mbd_closure_rows(spec.type));
    switch (random_below(state, 3)) {
      case 0: spec.driver.at = wave, spec.driver.ctx = pace; break;
      case 1: spec.driver.value = random_signed(state), spec.driver.rate = random_signed(state);
      default: break;
    }
    loops_add(list, &spec);
  }
}

#define PACE 1.7
#define WHEN 0.4

static loops_t loops;

// the robot with closures made from its seed; true
static bool
close_randomly(tree_t * t, uint64_t seed)
{
  static double pace = PACE;
  uint64_t state = seed ^ 0xc105edu;
  random_loops(t, &state, &pace, &loops);
  close_tree(t, &loops);
  return true;
}

// t and seed in scope; loops has the closures
#define FOR_CLOSED(n) \
  FOR_TREES(n, NULL)  \
  for (bool once_ = close_randomly(t, seed); once_; once_ = false)

static mat_t
error_at(const tree_t * t, const double * q, double time)
{
  mat_t d = mat(t->model->nrow, 1);
  assert_ok(mbd_set_position(t->model, t->data, q));
  assert_ok(mbd_closure_error(t->model, t->data, time, d.a));
  return d;
}

static mat_t
jacobian_at(const tree_t * t, const double * q)
{
  mat_t G = mat(t->model->nrow, t->model->nv);
  assert_ok(mbd_set_position(t->model, t->data, q));
  assert_ok(mbd_closure_jacobian(t->model, t->data, G.a));
  return G;
}

static mat_t
target_at(const tree_t * t, double time)
{
  mat_t U = mat(t->model->nrow, 1);
  assert_ok(mbd_closure_target(t->model, time, U.a));
  return U;
}

static mat_t
frame4(const dense_t * d, int body, const mbd_placement_t * X)
{
  return body < 0 ? placement4(X) : PROD(d->X_world[body], placement4(X));
}

// value of a driver
static double
driven(const mbd_closure_t * c, double time)
{
  return c->driver.at ? sin(PACE * time) : c->driver.value + c->driver.rate * time;
}

//---------- values ----------

// 4x4 matrices of A and B by the oracle; what each type is to mean, written again
static void
values_say_how_far_the_frames_are_off(void ** context)
{
  (void)context;
  int seen[MBD_CLOSURE_TYPES] = {0};
  FOR_CLOSED(TREES)
  {
    const dense_t dense = dense_of(t);
    const mat_t d = error_at(t, t->q, WHEN);
    for (int k = 0; k < t->model->nclosure; k++) {
      const mbd_closure_t * c = &t->model->closure[k];
      double row[6];
      for (int r = 0; r < c->nrow; r++) row[r] = d.a[c->row + r];
      // screws are driven within a turn: below
      if (c->nposition > 0 && c->type != MBD_CLOSURE_SCREW) row[c->driver.row] += driven(c, WHEN);
      seen[c->type]++;
      if (c->type == MBD_CLOSURE_COUPLING) {
        double sum = c->offset;
        for (int j = 0; j < c->ncoupled; j++) {
          int body;
          assert_ok(mbd_find_joint(t->model, loops.spec[k].joint[j], &body));
          sum += c->coefficient[j] * t->q[t->model->body[body].q_index];
        }
        assert_near(row[0], sum, 1e-14, "coupling, seed %lu", seed);
        continue;
      }
      const mat_t A = frame4(&dense, c->body_a, &c->X_a), B = frame4(&dense, c->body_b, &c->X_b);
      const mat_t X = PROD(inverse4(A), B);
      const double p[3] = {*at(X, 0, 3), *at(X, 1, 3), *at(X, 2, 3)};
      const double n[3] = {*at(X, 0, 2), *at(X, 1, 2), *at(X, 2, 2)};
      const double turn =
        acos(fmax(-1, fmin(1, (*at(X, 0, 0) + *at(X, 1, 1) + *at(X, 2, 2) - 1) / 2)));
      const double tilt = 2 * sin(0.5 * acos(n[2]));
      const double *point = p, *angle = NULL, *turned = NULL;
      int npoint = 0;
      switch (c->type) {
        case MBD_CLOSURE_WELD: npoint = 3, turned = row + 3; break;
        case MBD_CLOSURE_REVOLUTE: npoint = 3, angle = row + 3; break;
        case MBD_CLOSURE_PRISMATIC: npoint = 2, turned = row + 2; break;
        case MBD_CLOSURE_CYLINDRICAL: npoint = 2, angle = row + 2; break;
        case MBD_CLOSURE_UNIVERSAL:
          npoint = 3;
          assert_near(row[3], *at(X, 0, 1), 1e-12, "universal, seed %lu", seed);
          break;
        case MBD_CLOSURE_SPHERICAL: npoint = 3; break;
        case MBD_CLOSURE_PLANAR: npoint = 1, point = p + 2, angle = row + 1; break;
        case MBD_CLOSURE_ON_LINE: npoint = 2; break;
        case MBD_CLOSURE_ON_PLANE: npoint = 1, point = p + 2; break;
        case MBD_CLOSURE_DISTANCE: {
          const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
          assert_near(row[0], length - c->distance, 1e-11, "distance, seed %lu", seed);
          break;
        }
        case MBD_CLOSURE_SCREW: {
          npoint = 2, angle = row + 2;
          // B turned back by the shortest rotation of its axis to z: what is left is about z
          const double f = 1 / (1 + n[2]);
          const double back[9] = {
            1 - f * n[0] * n[0],
            -f * n[0] * n[1],
            -n[0],
            -f * n[0] * n[1],
            1 - f * n[1] * n[1],
            -n[1],
            n[0],
            n[1],
            n[2]};
          double x[2] = {0, 0};
          for (int i = 0; i < 6; i++) x[i / 3] += back[i] * *at(X, i % 3, 0);
          const double driver = c->driver.row == 4 ? driven(c, WHEN) : 0;
          const double turn_length = 2 * acos(-1.0) * c->pitch;
          const double off = row[4] - (p[2] - c->pitch * atan2(x[1], x[0]) - driver);
          assert_near(remainder(off, turn_length), 0, 1e-12, "screw, seed %lu", seed);
          assert_true(fabs(row[4]) <= 0.5000001 * fabs(turn_length));
          if (c->driver.row < 4) row[c->driver.row] += driven(c, WHEN);
          break;
        }
        // test_surface
        case MBD_CLOSURE_ON_SURFACE:
        case MBD_CLOSURE_TOUCH: break;
        default: assert_true(row[0] == 0 && (c->nrow == 1 || row[1] == 0)); break;
      }
      assert_close_floor(row, point, npoint, 1e-12, 10, "point of %d, seed %lu", c->type, seed);
      if (angle) {
        assert_near(hypot(angle[0], angle[1]), tilt, 1e-9, "tilt of %d, seed %lu", c->type, seed);
        assert_near(angle[0] * n[1], angle[1] * n[0], 1e-12, "direction, seed %lu", seed);
        assert_true(angle[0] * n[0] >= 0 && angle[1] * n[1] >= 0);
      }
      if (turned) {
        // along the axis of the rotation, which R leaves alone
        const mat_t axis = column(3, turned);
        const double size = sqrt(scalar(PROD(tr(axis), axis)));
        assert_near(size, 2 * sin(turn / 2), 1e-8, "turn of %d, seed %lu", c->type, seed);
        assert_mat_floor(PROD(block(X, 0, 0, 3, 3), axis), axis, 1e-12, 1, "axis, %lu", seed);
        const mat_t R = block(X, 0, 0, 3, 3), skew = scale(0.5, sub(R, tr(R)));
        const double along =
          *at(skew, 2, 1) * turned[0] + *at(skew, 0, 2) * turned[1] + *at(skew, 1, 0) * turned[2];
        assert_true(along >= -1e-12);
      }
    }
  }
  for (int k = 0; k < MBD_CLOSURE_TYPES; k++) assert_count(seen[k], TREES / 2);
}

//---------- G and U ----------

// the point of B's body that is at A's origin, moved along v for h, by the oracle
static mat_t
material_point(const tree_t * t, const mbd_closure_t * c, double h)
{
  const dense_t here = dense_of(t);
  mat_t q = mat(t->model->nq, 1);
  dense_step_all(t->model, t->q, t->v, h, q.a);
  const dense_t later = dense_at(t->model, NULL, q.a, NULL, t->model->gravity);
  const mat_t A = frame4(&here, c->body_a, &c->X_a), x = block(A, 0, 3, 4, 1);
  return PROD(later.X_world[c->body_b], inverse4(here.X_world[c->body_b]), x);
}

// d/dt of f at h = 0, by central differences of fourth order: rows bend much near half a turn
static mat_t
difference(const tree_t * t, double h, mat_t (*f)(const tree_t * t, double h))
{
  const mat_t wide = scale(0.25 / h, sub(f(t, 2 * h), f(t, -2 * h)));
  const mat_t narrow = scale(0.5 / h, sub(f(t, h), f(t, -h)));
  return sub(scale(4.0 / 3, narrow), scale(1.0 / 3, wide));
}

static mat_t
error_later(const tree_t * t, double h)
{
  mat_t q = mat(t->model->nq, 1);
  dense_step_all(t->model, t->q, t->v, h, q.a);
  return error_at(t, q.a, WHEN + h);
}

// d/dt d = G v - U, by differences along the motion; rows of velocity by those of a point
static void
jacobian_is_the_derivative_of_the_error(void ** context)
{
  (void)context;
  FOR_CLOSED(TREES)
  {
    const double h = 1e-5;
    mat_t rate = difference(t, h, &error_later);
    const mat_t U = target_at(t, WHEN);
    for (int k = 0; k < t->model->nclosure; k++) {
      const mbd_closure_t * c = &t->model->closure[k];
      if (c->nposition > 0) continue;
      // of roll: test_surface
      for (int r = 0; r < c->nrow && c->type == MBD_CLOSURE_ROLL; r++) {
        const mat_t G = jacobian_at(t, t->q);
        rate.a[c->row + r] =
          scalar(PROD(block(G, c->row + r, 0, 1, t->model->nv), column(t->model->nv, t->v))) -
          U.a[c->row + r];
      }
      if (c->type == MBD_CLOSURE_ROLL) continue;
      const mat_t x = scale(0.5 / h, sub(material_point(t, c, h), material_point(t, c, -h)));
      const dense_t dense = dense_of(t);
      const mat_t v = PROD(tr(frame4(&dense, c->body_a, &c->X_a)), x);
      for (int r = 0; r < c->nrow; r++) rate.a[c->row + r] = v.a[r] - U.a[c->row + r];
    }
    const mat_t Gv = PROD(jacobian_at(t, t->q), column(t->model->nv, t->v));
    assert_mat_floor(sub(Gv, U), rate, 1e-7, 10, "seed %lu", seed);
  }
}

// what carries both ends does not enter, exactly
static void
common_joints_do_not_enter(void ** context)
{
  (void)context;
  int found = 0;
  FOR_CLOSED(TREES)
  {
    const mat_t G = jacobian_at(t, t->q);
    for (int k = 0; k < t->model->nclosure; k++) {
      const mbd_closure_t * c = &t->model->closure[k];
      const bool over_world = c->type == MBD_CLOSURE_NO_SLIP || c->type == MBD_CLOSURE_ROLLING;
      if (over_world || c->type == MBD_CLOSURE_COUPLING) continue;
      for (int j = 0; j < t->model->nv; j++) {
        const int i = t->model->dof_body[j];
        const bool a = c->body_a >= 0 && dense_is_ancestor(t->model, i, c->body_a);
        const bool b = c->body_b >= 0 && dense_is_ancestor(t->model, i, c->body_b);
        if (a != b) continue;
        found += a;
        for (int r = 0; r < c->nrow; r++) assert_true(*at(G, c->row + r, j) == 0);
      }
    }
  }
  assert_count(found, 100);
}

//---------- gamma ----------

static mat_t
velocity_rows_later(const tree_t * t, double h)
{
  const mat_t G = jacobian_at(t, q_later(t, h).a);
  return sub(PROD(G, v_later(t, h)), target_at(t, WHEN + h));
}

// d/dt (G v - U) = G qdd - gamma, by differences along a motion with acceleration
static void
bias_is_the_derivative_of_the_velocity_rows(void ** context)
{
  (void)context;
  FOR_CLOSED(TREES)
  {
    const mat_t expected = difference(t, 1e-5, &velocity_rows_later);
    mat_t gamma = mat(t->model->nrow, 1);
    const mat_t G = jacobian_at(t, t->q);
    set_state(t);
    assert_ok(mbd_closure_bias(t->model, t->data, WHEN, gamma.a));
    const mat_t ours = sub(PROD(G, column(t->model->nv, t->qdd)), gamma);
    assert_mat_floor(ours, expected, 2e-7, 30, "seed %lu", seed);
  }
}

// upside down: no row passes for closed, and nothing is infinite
static void
half_a_turn_is_not_closed(void ** context)
{
  (void)context;
  for (int type = 0; type < MBD_CLOSURE_COUPLING; type++) {
    mbd_model_t * model;
    mbd_data_t * data;
    assert_ok(mbd_model_create("half", &model));
    mbd_body_spec_t link = mbd_body_spec_default();
    int frame;
    link.name = "link", link.joint_name = "joint", link.type = MBD_JOINT_REVOLUTE;
    link.axis = mbdu_vec3(1, 0, 0);
    assert_ok(mbd_model_add_body(model, &link, &frame));
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.name = "loop", spec.frame_b = frame, spec.type = (mbd_closure_type_t)type;
    spec.distance = 1;
    assert_ok(mbd_model_add_closure(model, &spec, NULL));
    assert_ok(mbd_model_finalize(model));
    assert_ok(mbd_data_create(model, &data));
    const double turns[3] = {acos(-1.0), acos(-1.0) - 1e-9, 0}, v = 1;
    for (int k = 0; k < 3; k++) {
      double d[6], G[6], gamma[6], size = 0;
      assert_ok(mbd_set_position(model, data, &turns[k]));
      assert_ok(mbd_set_velocity(model, data, &v));
      assert_ok(mbd_closure_error(model, data, 0, d));
      assert_ok(mbd_closure_jacobian(model, data, G));
      assert_ok(mbd_closure_bias(model, data, 0, gamma));
      for (int r = 0; r < model->nrow; r++) {
        assert_true(isfinite(d[r]) && isfinite(G[r]) && isfinite(gamma[r]));
        size = hypot(size, d[r]);
      }
      const bool turned = type <= MBD_CLOSURE_CYLINDRICAL || type == MBD_CLOSURE_PLANAR;
      if (turned) assert_near(size, k < 2 ? 2 : 0, 1e-9, "type %d at %g", type, turns[k]);
      if (type == MBD_CLOSURE_DISTANCE) assert_near(size, 1, 1e-15, "distance");
    }
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }
}

//---------- mimic joints ----------

static void
mimic_joints_are_couplings(void ** context)
{
  (void)context;
  mbd_model_t * model;
  mbd_data_t * data;
  assert_ok(mbd_model_create("gripper", &model));
  mbd_body_spec_t link = mbd_body_spec_default();
  int frame;
  link.type = MBD_JOINT_PRISMATIC, link.inertia.mass = 1;
  link.name = "left", link.joint_name = "left_joint";
  assert_ok(mbd_model_add_body(model, &link, &frame));
  link.name = "right", link.joint_name = "right_joint";
  link.mimic.joint = "left_joint", link.mimic.multiplier = -2, link.mimic.offset = 0.25;
  assert_ok(mbd_model_add_body(model, &link, &frame));
  link.name = "held", link.joint_name = "held_joint", link.mimic.multiplier = 0;
  assert_ok(mbd_model_add_body(model, &link, &frame));
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "plate", spec.frame_a = frame, spec.type = MBD_CLOSURE_ON_PLANE;
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
  assert_ok(mbd_model_finalize(model));
  assert_ok(mbd_data_create(model, &data));
  assert_int_equal(model->nclosure, 3);
  assert_int_equal(model->nrow, 3);
  int right, held, left_body, right_body, held_body;
  assert_ok(mbd_find_closure(model, "right_joint", &right));
  assert_ok(mbd_find_closure(model, "held_joint", &held));
  assert_ok(mbd_find_joint(model, "left_joint", &left_body));
  assert_ok(mbd_find_joint(model, "right_joint", &right_body));
  assert_ok(mbd_find_joint(model, "held_joint", &held_body));
  assert_true(model->closure[right].from_mimic && !model->closure[0].from_mimic);
  double q[3] = {0}, d[3], G[9];
  q[left_body] = 0.1, q[right_body] = 0.5, q[held_body] = 0.3;
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_closure_error(model, data, 0, d));
  assert_ok(mbd_closure_jacobian(model, data, G));
  assert_near(d[model->closure[right].row], 0.5 + 2 * 0.1 - 0.25, 1e-15, "right");
  assert_near(d[model->closure[held].row], 0.3 - 0.25, 1e-15, "held");
  assert_near(G[3 * model->closure[right].row + left_body], 2, 0, "left column");
  assert_near(G[3 * model->closure[right].row + right_body], 1, 0, "right column");
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

//---------- refusals ----------

// two links on the world, one fixed to the first, a ball joint
static mbd_model_t *
small_model(int * a, int * b, int * on_a)
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("small", &model));
  mbd_body_spec_t link = mbd_body_spec_default();
  int ball;
  link.type = MBD_JOINT_REVOLUTE;
  link.name = "a", link.joint_name = "ja";
  assert_ok(mbd_model_add_body(model, &link, a));
  link.name = "b", link.joint_name = "jb";
  assert_ok(mbd_model_add_body(model, &link, b));
  link.name = "ball", link.joint_name = "jball", link.type = MBD_JOINT_SPHERICAL;
  assert_ok(mbd_model_add_body(model, &link, &ball));
  link.name = "on_a", link.joint_name = "fixed", link.type = MBD_JOINT_FIXED, link.parent = *a;
  assert_ok(mbd_model_add_body(model, &link, on_a));
  return model;
}

static void
bad_surfaces_are_refused(mbd_model_t * model, const mbd_closure_spec_t * good)
{
  static const struct {
    mbd_surface_t a, b;
    mbd_status_t status;
  } bad[] = {
    {{MBD_SURFACE_POINT, {0}, false}, {MBD_SURFACE_SPHERE, {1}, false}, MBD_ERROR_BAD_CLOSURE},
    {{MBD_SURFACE_DISK, {1}, false}, {MBD_SURFACE_SPHERE, {1}, false}, MBD_ERROR_BAD_CLOSURE},
    {{MBD_SURFACE_PLANE, {0}, true}, {MBD_SURFACE_SPHERE, {1}, false}, MBD_ERROR_BAD_CLOSURE},
    {{MBD_SURFACE_PLANE, {0}, false}, {MBD_SURFACE_POINT, {0}, false}, MBD_ERROR_BAD_CLOSURE},
    {{MBD_SURFACE_PLANE, {0}, false}, {MBD_SURFACE_CYLINDER, {1}, false}, MBD_ERROR_BAD_CLOSURE},
    {{MBD_SURFACE_PLANE, {0}, false}, {MBD_SURFACE_SPHERE, {1}, true}, MBD_ERROR_BAD_CLOSURE},
    {{MBD_SURFACE_PLANE, {0}, false}, {MBD_SURFACE_SPHERE, {0}, false}, MBD_ERROR_BAD_CLOSURE},
    {{MBD_SURFACE_PLANE, {0}, false},
     {MBD_SURFACE_ELLIPSOID, {1, 1}, false},
     MBD_ERROR_BAD_CLOSURE},
    {{MBD_SURFACE_CYLINDER, {-1}, true}, {MBD_SURFACE_SPHERE, {1}, false}, MBD_ERROR_BAD_CLOSURE},
    {{MBD_SURFACE_PARABOLOID, {1, HUGE_VAL}, false},
     {MBD_SURFACE_SPHERE, {1}, false},
     MBD_ERROR_NOT_FINITE},
    {{MBD_SURFACE_TYPES, {0}, false}, {MBD_SURFACE_SPHERE, {1}, false}, MBD_ERROR_BAD_ARGUMENT}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    for (int roll = 0; roll < 2; roll++) {
      mbd_closure_spec_t spec = *good;
      spec.type = roll ? MBD_CLOSURE_ROLL : MBD_CLOSURE_TOUCH;
      spec.surface_a = bad[k].a, spec.surface_b = bad[k].b;
      assert_status(mbd_model_add_closure(model, &spec, NULL), bad[k].status);
    }
  }
  // on itself
  mbd_closure_spec_t spec = *good;
  spec.type = MBD_CLOSURE_ROLL, spec.frame_b = spec.frame_a;
  assert_status(mbd_model_add_closure(model, &spec, NULL), MBD_ERROR_BAD_CLOSURE);
  assert_string_equal(mbd_surface_type_name(MBD_SURFACE_TYPES), "unknown");
  assert_int_equal(mbd_surface_sizes((mbd_surface_type_t)-1), 0);
}

static void
bad_closures_are_refused(void ** context)
{
  (void)context;
  int a, b, on_a;
  mbd_model_t * model = small_model(&a, &b, &on_a);
  mbd_closure_spec_t good = mbd_closure_spec_default();
  good.name = "loop", good.frame_a = a, good.frame_b = b;
#define REFUSED(change, expected)                                       \
  do {                                                                  \
    mbd_closure_spec_t spec = good;                                     \
    change;                                                             \
    assert_status(mbd_model_add_closure(model, &spec, NULL), expected); \
    assert_string_equal(model->error_name, "loop");                     \
  } while (0)
  REFUSED(spec.frame_a = 99, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(spec.frame_b = -2, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(spec.type = (mbd_closure_type_t)MBD_CLOSURE_TYPES, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(spec.type = (mbd_closure_type_t)-1, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(spec.frame_b = a, MBD_ERROR_BAD_CLOSURE);
  REFUSED(spec.X_a.p.x = (double)NAN, MBD_ERROR_NOT_FINITE);
  REFUSED(spec.X_b.R.m[0] = 2, MBD_ERROR_BAD_ARGUMENT);
  REFUSED(spec.type = MBD_CLOSURE_DISTANCE, MBD_ERROR_BAD_CLOSURE);
  REFUSED((spec.type = MBD_CLOSURE_DISTANCE, spec.distance = HUGE_VAL), MBD_ERROR_NOT_FINITE);
  REFUSED((spec.type = MBD_CLOSURE_ROLLING, spec.frame_b = -1), MBD_ERROR_BAD_CLOSURE);
  REFUSED(spec.type = MBD_CLOSURE_SCREW, MBD_ERROR_BAD_CLOSURE);
  REFUSED((spec.type = MBD_CLOSURE_SCREW, spec.pitch = HUGE_VAL), MBD_ERROR_NOT_FINITE);
  bad_surfaces_are_refused(model, &good);
  REFUSED(spec.driver.row = 6, MBD_ERROR_BAD_CLOSURE);
  REFUSED(spec.driver.row = -1, MBD_ERROR_BAD_CLOSURE);
  REFUSED(spec.driver.rate = (double)NAN, MBD_ERROR_NOT_FINITE);
  good.type = MBD_CLOSURE_COUPLING;
  REFUSED((void)spec, MBD_ERROR_BAD_CLOSURE);
  good.ncoupled = 1, good.joint[0] = "ja", good.coefficient[0] = 1;
  REFUSED(spec.ncoupled = MBD_COUPLED_MAX + 1, MBD_ERROR_BAD_CLOSURE);
  REFUSED(spec.ncoupled = 2, MBD_ERROR_NULL_ARGUMENT);
  REFUSED(spec.coefficient[0] = 0, MBD_ERROR_BAD_CLOSURE);
  REFUSED(spec.coefficient[0] = (double)NAN, MBD_ERROR_NOT_FINITE);
  REFUSED(spec.offset = HUGE_VAL, MBD_ERROR_NOT_FINITE);
  assert_ok(mbd_model_add_closure(model, &good, NULL));
  REFUSED((void)spec, MBD_ERROR_DUPLICATE_NAME);
  assert_status(mbd_model_add_closure(NULL, &good, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_add_closure(model, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  good.name = NULL;
  assert_status(mbd_model_add_closure(model, &good, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_ok(mbd_model_finalize(model));
  good.name = "late";
  assert_status(mbd_model_add_closure(model, &good, NULL), MBD_ERROR_FINALIZED);
  mbd_model_destroy(model);
}

// what only finalize can see; the model is unchanged and may be finalized without it
static void
bad_closures_are_refused_at_finalize(void ** context)
{
  (void)context;
  static const char * const joints[4][2] = {
    {"nobody", NULL}, {"jball", NULL}, {"fixed", NULL}, {"ja", "ja"}};
  for (int k = 0; k < 6; k++) {
    int a, b, on_a;
    mbd_model_t * model = small_model(&a, &b, &on_a);
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.name = "loop", spec.frame_a = a, spec.frame_b = k == 4 ? on_a : b;
    if (k < 4) {
      spec.type = MBD_CLOSURE_COUPLING;
      spec.ncoupled = joints[k][1] ? 2 : 1;
      spec.joint[0] = joints[k][0], spec.joint[1] = joints[k][1];
      spec.coefficient[0] = spec.coefficient[1] = 1;
    }
    assert_ok(mbd_model_add_closure(model, &spec, NULL));
    if (k < 5) {
      assert_status(mbd_model_finalize(model), MBD_ERROR_BAD_CLOSURE);
      assert_string_equal(model->error_name, "loop");
      assert_int_equal(model->nclosure + model->nrow + model->nbody, 0);
    } else {
      assert_ok(mbd_model_finalize(model));
    }
    mbd_model_destroy(model);
  }
}

static void
stages_and_arguments_are_checked(void ** context)
{
  (void)context;
  int a, b, on_a, index;
  mbd_data_t * data;
  mbd_model_t * model = small_model(&a, &b, &on_a);
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "loop", spec.frame_a = a, spec.frame_b = b;
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
  double x[64] = {0};
  assert_status(mbd_find_closure(model, "loop", &index), MBD_ERROR_NOT_FINALIZED);
  assert_status(mbd_closure_target(model, 0, x), MBD_ERROR_NOT_FINALIZED);
  assert_ok(mbd_model_finalize(model));
  assert_ok(mbd_data_create(model, &data));
  assert_status(mbd_closure_error(model, data, 0, x), MBD_ERROR_STAGE);
  assert_status(mbd_closure_jacobian(model, data, x), MBD_ERROR_STAGE);
  x[5] = 1;
  assert_ok(mbd_set_position(model, data, x));
  assert_status(mbd_closure_bias(model, data, 0, x), MBD_ERROR_STAGE);
  assert_ok(mbd_set_velocity(model, data, x));
  assert_ok(mbd_closure_bias(model, data, 0, x));
  assert_status(mbd_closure_bias(model, data, (double)NAN, x), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_closure_error(model, data, (double)NAN, x), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_closure_target(model, HUGE_VAL, x), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_closure_error(model, data, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_closure_jacobian(model, data, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_closure_bias(model, data, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_closure_target(NULL, 0, x), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_find_closure(model, "none", &index), MBD_ERROR_NOT_FOUND);
  assert_status(mbd_find_closure(model, NULL, &index), MBD_ERROR_NULL_ARGUMENT);
  assert_string_equal(mbd_closure_type_name((mbd_closure_type_t)99), "unknown");
  assert_int_equal(mbd_closure_rows((mbd_closure_type_t)-1), 0);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_say_how_far_the_frames_are_off),
    cmocka_unit_test(jacobian_is_the_derivative_of_the_error),
    cmocka_unit_test(common_joints_do_not_enter),
    cmocka_unit_test(bias_is_the_derivative_of_the_velocity_rows),
    cmocka_unit_test(half_a_turn_is_not_closed),
    cmocka_unit_test(mimic_joints_are_couplings),
    cmocka_unit_test(bad_closures_are_refused),
    cmocka_unit_test(bad_closures_are_refused_at_finalize),
    cmocka_unit_test(stages_and_arguments_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
