// Robots that stand on frames: equations of motion by the dense oracle, supports at rest by elimination, and
// the conditions of Karush, Kuhn and Tucker for the forces, whose multipliers are found from the forces alone.
#include "mbdyn/dynamics/support.h"

#include <math.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/urdf.h"
#include "null_space.h"

enum { MOST_SUPPORTS = 5, MOST_POINTS = 4 * MOST_SUPPORTS };

static tree_options_t
floating(void)
{
  tree_options_t options = tree_options_default();
  options.plain = options.floating_base = true;
  options.min_bodies = 8;
  options.max_bodies = 20;
  return options;
}

typedef struct stand {
  const tree_t * t;
  dense_t d;
  int n, base;
  mbd_support_t support[MOST_SUPPORTS];
  mat_t M, wanted, qdd;
  mat_t Jc, bias;  // rows at rest, of the oracle
  int npoint;
  mat_t J[MOST_POINTS];  // of the points, 3 x nv
  mbd_vec3_t normal[MOST_POINTS];
  double friction[MOST_POINTS];
  // results
  double * work;
  mat_t tau, a;
  mbd_support_info_t info;
} stand_t;

static mat_t
offset(const stand_t * s, const mbd_support_t * p, int k)
{
  const double corner[4][2] = {
    {p->x[0], p->y[0]}, {p->x[1], p->y[0]}, {p->x[1], p->y[1]}, {p->x[0], p->y[1]}};
  mat_t o = mat(3, 1);
  const mat_t R = block(dense_frame(&s->d, p->frame), 0, 0, 3, 3);
  if (p->x[1] > p->x[0]) {
    o.a[0] = corner[k][0], o.a[1] = corner[k][1];
    return PROD(R, o);
  }
  o.a[0] = -p->radius * p->normal.x, o.a[1] = -p->radius * p->normal.y;
  o.a[2] = -p->radius * p->normal.z;
  return o;
}

// v + w x o of the frame's Jacobian
static mat_t
point_rows(mat_t J, mat_t o)
{
  return sub(block(J, 3, 0, 3, J.c), PROD(skew3(o.a), block(J, 0, 0, 3, J.c)));
}

// the oracle's rows at rest and points
static void
look_at_contacts(stand_t * s)
{
  int rows = 0;
  s->npoint = 0;
  s->Jc = mat(6 * s->n, s->d.nv);
  s->bias = mat(6 * s->n, 1);
  for (int k = 0; k < s->n; k++) {
    const mbd_support_t * p = &s->support[k];
    const mat_t J = dense_jacobian(&s->d, p->frame, MBD_LOCAL_WORLD_ALIGNED);
    // along the oracle's motion, the offset of a ball does not turn with it
    mat_t q[2] = {mat(s->t->model->nq, 1), mat(s->t->model->nq, 1)}, V[2];
    const double h = 1e-5;
    const mat_t o = offset(s, p, 0);
    const bool sole = p->x[1] > p->x[0];
    for (int i = 0; i < 2; i++) {
      dense_step_all(s->t->model, s->t->q, s->t->v, i ? h : -h, q[i].a);
      const dense_t later = dense_at(s->t->model, NULL, q[i].a, s->t->v, s->t->model->gravity);
      const mat_t Jl = dense_jacobian(&later, p->frame, MBD_LOCAL_WORLD_ALIGNED);
      V[i] = PROD(sole ? Jl : point_rows(Jl, o), later.v);
    }
    set_block(s->Jc, rows, 0, sole ? J : point_rows(J, o));
    set_block(s->bias, rows, 0, scale(1 / (2 * h), sub(V[1], V[0])));
    rows += sole ? 6 : 3;
    for (int i = 0; i < mbd_support_points(p); i++, s->npoint++) {
      s->J[s->npoint] = point_rows(J, offset(s, p, i));
      s->normal[s->npoint] = p->normal;
      s->friction[s->npoint] = p->friction;
    }
  }
  s->Jc = block(s->Jc, 0, 0, rows, s->d.nv);
  s->bias = block(s->bias, 0, 0, rows, 1);
}

static mbd_vec3_t
unit(mbd_vec3_t x)
{
  const double length = sqrt(x.x * x.x + x.y * x.y + x.z * x.z);
  return (mbd_vec3_t){x.x / length, x.y / length, x.z / length};
}

// on some of its frames, normals upwards; forces in the cones that give the base's rows if `feasible`
static stand_t
stand_of(const tree_t * t, uint64_t seed, bool feasible)
{
  uint64_t state = seed * 77 + 5;
  stand_t s = {.t = t, .d = dense_of(t), .n = 1 + random_below(&state, MOST_SUPPORTS)};
  const mbd_model_t * m = t->model;
  while (m->body[s.base].parent >= 0 || m->body[s.base].type != MBD_JOINT_FREE) s.base++;
  for (int k = 0; k < s.n; k++) {
    mbd_support_t * p = &s.support[k];
    *p = mbd_support_default();
    do {
      p->frame = random_below(&state, m->nframe);
    } while (m->frame[p->frame].body < 0 || !dense_is_ancestor(m, s.base, m->frame[p->frame].body));
    const bool sole = random_below(&state, 3) == 0;
    for (int i = 0; sole && i < 2; i++) {
      p->x[i] = random_between(&state, -0.1, 0.05) + 0.2 * i;
      p->y[i] = random_between(&state, -0.1, 0) + 0.1 * i;
    }
    p->radius = sole || random_below(&state, 2) ? 0 : 0.1;
    p->friction = random_between(&state, 0.1, 1.2);
    const mbd_vec3_t tilt = random_vec3(&state, 0.3);
    p->normal = unit((mbd_vec3_t){tilt.x, tilt.y, 1 + tilt.z});
  }
  look_at_contacts(&s);
  s.M = dense_mass(&s.d);
  s.qdd = column(m->nv, t->qdd);
  s.wanted = dense_inverse_dynamics(&s.d, s.qdd, NULL);
  const int first = m->body[s.base].v_index;
  for (int k = 0; feasible && k < 6; k++) s.wanted.a[first + k] = 0;
  for (int i = 0; feasible && i < s.npoint; i++) {
    const mbd_vec3_t side = unit(random_vec3(&state, 1));
    const double along = side.x * s.normal[i].x + side.y * s.normal[i].y + side.z * s.normal[i].z;
    const double size = random_between(&state, 1, 20);
    const double part = 0.95 * random_between(&state, 0, 1) * s.friction[i] * size;
    mat_t f = mat(3, 1);
    f.a[0] = size * s.normal[i].x + part * (side.x - along * s.normal[i].x);
    f.a[1] = size * s.normal[i].y + part * (side.y - along * s.normal[i].y);
    f.a[2] = size * s.normal[i].z + part * (side.z - along * s.normal[i].z);
    const mat_t x = PROD(tr(s.J[i]), f);
    for (int k = 0; k < 6; k++) s.wanted.a[first + k] += x.a[first + k];
  }
  s.tau = mat(m->nv, 1);
  s.a = mat(m->nv, 1);
  s.work = mat((int)mbd_support_work(m, s.n), 1).a;
  return s;
}

static mat_t
force_at(const stand_t * s, int point)
{
  for (int k = 0; k < s->n; k++) {
    const int count = mbd_support_points(&s->support[k]);
    if (point < count) {
      const mbd_vec3_t f = s->support[k].force[point];
      const double x[3] = {f.x, f.y, f.z};
      return mat_from(3, 1, x);
    }
    point -= count;
  }
  fail();
  return mat(3, 1);
}

static mat_t
contact_torques(const stand_t * s)
{
  mat_t sum = mat(s->d.nv, 1);
  for (int i = 0; i < s->npoint; i++) sum = SUM(sum, PROD(tr(s->J[i]), force_at(s, i)));
  return sum;
}

static mat_t
base_columns(const stand_t * s, mat_t J)
{
  return block(J, 0, s->t->model->body[s->base].v_index, J.r, 6);
}

static mat_t
base_rows(const stand_t * s, mat_t x)
{
  return block(x, s->t->model->body[s->base].v_index, 0, 6, x.c);
}

static double
length_of(mat_t x)
{
  return sqrt(scalar(PROD(tr(x), x)));
}

// parts of z along the normal of point i and beside it
static double
part_of(const stand_t * s, int i, mat_t z, mat_t * beside)
{
  const double n[3] = {s->normal[i].x, s->normal[i].y, s->normal[i].z};
  const mat_t normal = mat_from(3, 1, n);
  const double along = scalar(PROD(tr(normal), z));
  *beside = sub(z, scale(along, normal));
  return along;
}

//---------- the equations ----------

// M a + h = tau + J^T f whatever was reached, and the base has no torque
static void
motion_is_that_of_torques_and_forces(void ** context)
{
  (void)context;
  tally_t cases = {0};
  const tree_options_t options = floating();
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    stand_t s = stand_of(t, seed, seed % 2 == 0);
    set_state(t);
    for (int with = 0; with < 2; with++) {
      assert_ok(mbd_support_torques(
        m, t->data, s.base, s.wanted.a, with ? s.qdd.a : NULL, s.n, s.support, s.work, s.tau.a,
        s.a.a, &s.info));
      for (int k = 0; k < 6; k++) assert_true(base_rows(&s, s.tau).a[k] == 0);
      const mat_t change = with ? sub(s.a, s.qdd) : s.a;
      const mat_t left = SUM(PROD(s.M, change), s.wanted), right = SUM(s.tau, contact_torques(&s));
      const double size =
        fmax(largest_entry(s.wanted), largest_entry(s.M) * fmax(1, largest_entry(change)));
      assert_mat_floor(left, right, 1e-8, size, "seed %lu", seed);
      double normal = 0;
      mat_t side;
      for (int i = 0; i < s.npoint; i++) normal += part_of(&s, i, force_at(&s, i), &side);
      assert_near(s.info.normal, normal, 1e-9 * (1 + normal), "normal, seed %lu", seed);
      tally(&cases, true);
    }
    // what wants no acceleration is not moved
    assert_ok(mbd_support_torques(
      m, t->data, s.base, s.wanted.a, NULL, s.n, s.support, s.work, s.tau.a, s.a.a, &s.info));
    if (s.info.reached) {
      assert_mat_floor(s.a, mat(m->nv, 1), 1e-7, largest_entry(s.wanted), "seed %lu", seed);
    }
    assert_true(!(seed % 2 == 0) || s.info.reached);
  }
  assert_count(cases.compared, 400);
}

// reached: the nearest acceleration with supports at rest, by elimination            (11.36)
static void
supports_are_at_rest(void ** context)
{
  (void)context;
  tally_t cases = {0};
  const tree_options_t options = floating();
  FOR_TREES(TREES, &options)
  {
    stand_t s = stand_of(t, seed, false);
    set_state(t);
    // forces of any size and direction: only the cones are not asked for
    for (int k = 0; k < s.n; k++) s.support[k].friction = 1e9;
    if (rank_of(s.Jc, 1e-6) < s.Jc.r || s.Jc.r > 12) continue;
    const double smallest =
      smallest_eigenvalue(PROD(s.Jc, inverse(s.M), tr(s.Jc))) / largest_entry(s.Jc);
    const mat_t expected = constrained_acceleration(s.M, PROD(s.M, s.qdd), s.Jc, scale(-1, s.bias));
    assert_ok(mbd_support_torques(
      t->model, t->data, s.base, s.wanted.a, s.qdd.a, s.n, s.support, s.work, s.tau.a, s.a.a,
      &s.info));
    if (tally(&cases, s.info.reached && smallest > 1e-4)) {
      assert_mat_floor(s.a, expected, 1e-6, 1 / smallest, "seed %lu", seed);
      const mat_t motion = SUM(PROD(s.Jc, s.a), s.bias);
      assert_mat_floor(
        motion, mat(s.Jc.r, 1), 1e-6, fmax(1, largest_entry(s.bias)), "at rest, seed %lu", seed);
    }
  }
  assert_enough(&cases, 0.1);
  assert_count(cases.compared, 15);
}

//---------- the forces ----------

// Multipliers y with f_i = P(J_i y): equations of the points with force, least squares. False if these do
// not say what y is.
static bool
multipliers(const stand_t * s, mat_t * y, mat_t * A, mat_t * b)
{
  int rows = 0;
  mat_t side;
  *A = mat(3 * s->npoint, 6);
  *b = mat(3 * s->npoint, 1);
  for (int i = 0; i < s->npoint; i++) {
    const mat_t f = force_at(s, i), J = base_columns(s, s->J[i]);
    const double along = part_of(s, i, f, &side), t = length_of(side);
    if (!(along > 0)) continue;
    if (t < s->friction[i] * along * (1 - 1e-9)) {
      set_block(*A, rows, 0, J);
      set_block(*b, rows, 0, f);
      rows += 3;
      continue;
    }
    // along the edge of the cone, and across it
    const mat_t edge = scale(1 / length_of(f), f);
    const double n[3] = {s->normal[i].x, s->normal[i].y, s->normal[i].z};
    const mat_t across = PROD(skew3(n), scale(1 / t, side));
    const mat_t two[2] = {edge, across};
    for (int k = 0; k < 2; k++, rows++) {
      set_block(*A, rows, 0, PROD(tr(two[k]), J));
      set_block(*b, rows, 0, PROD(tr(two[k]), f));
    }
  }
  if (rows < 6) return false;
  *A = block(*A, 0, 0, rows, 6);
  *b = block(*b, 0, 0, rows, 1);
  if (rank_of(*A, 1e-4) < 6) return false;
  *y = PROD(inverse(PROD(tr(*A), *A)), tr(*A), *b);
  return true;
}

// forces in their cones; of least norm: of the multipliers, each cone's nearest point
static void
assert_least(const stand_t * s, double tolerance, tally_t * cases, uint64_t seed)
{
  double size = 0;
  mat_t side, y, A, b;
  for (int i = 0; i < s->npoint; i++) {
    const mat_t f = force_at(s, i);
    const double along = part_of(s, i, f, &side);
    assert_true(along >= 0);
    assert_true(length_of(side) <= s->friction[i] * along * (1 + 1e-9) + 1e-12);
    size = fmax(size, length_of(f));
  }
  if (!tally(cases, multipliers(s, &y, &A, &b))) return;
  assert_mat_floor(PROD(A, y), b, tolerance, size, "f = P(J y), seed %lu", seed);
  for (int i = 0; i < s->npoint; i++) {
    const mat_t f = force_at(s, i), z = PROD(base_columns(s, s->J[i]), y);
    // z - f is normal to the cone at f: in the polar cone, and normal to f
    const mat_t rest = sub(z, f);
    const double along = part_of(s, i, rest, &side);
    assert_true(along + s->friction[i] * length_of(side) <= tolerance * fmax(size, length_of(z)));
    assert_true(fabs(scalar(PROD(tr(rest), f))) <= tolerance * fmax(size, length_of(z)) * size);
  }
}

static void
forces_are_the_least(void ** context)
{
  (void)context;
  tally_t cases = {0};
  int on_cone = 0;
  mat_t side;
  const tree_options_t options = floating();
  FOR_TREES(TREES, &options)
  {
    stand_t s = stand_of(t, seed, true);
    set_state(t);
    assert_ok(mbd_support_torques(
      t->model, t->data, s.base, s.wanted.a, NULL, s.n, s.support, s.work, s.tau.a, NULL, &s.info));
    assert_true(s.info.reached);
    const mat_t w = base_rows(&s, s.wanted);
    assert_mat_floor(
      base_rows(&s, contact_torques(&s)), w, 1e-9, largest_entry(w), "G f, seed %lu", seed);
    assert_least(&s, 1e-6, &cases, seed);
    for (int i = 0; i < s.npoint; i++) {
      const double along = part_of(&s, i, force_at(&s, i), &side);
      on_cone += along > 0 && length_of(side) > s.friction[i] * along * (1 - 1e-9);
    }
  }
  assert_enough(&cases, 0.5);
  assert_count(on_cone, 50);
}

// w out of reach: the missing part, in accelerations of the base with supports at rest, is normal to
// the cone of wrenches
static void
missing_wrench_is_the_least(void ** context)
{
  (void)context;
  tally_t cases = {0};
  int slow = 0;
  const tree_options_t options = floating();
  FOR_TREES(TREES, &options)
  {
    stand_t s = stand_of(t, seed, false);
    set_state(t);
    assert_ok(mbd_support_torques(
      t->model, t->data, s.base, s.wanted.a, NULL, s.n, s.support, s.work, s.tau.a, NULL, &s.info));
    if (!tally(&cases, !s.info.reached)) continue;
    assert_true(s.info.iterations <= 100);
    slow += s.info.iterations == 100;
    const double tolerance = s.info.iterations < 100 ? 2e-6 : 1e-3;
    const mat_t N = null_space(s.Jc, 1e-9),
                P = N.c == 0 ? mat(s.d.nv, s.d.nv)
                             : PROD(s.M, N, inverse(PROD(tr(N), s.M, N)), tr(N), s.M);
    const int first = t->model->body[s.base].v_index;
    const mat_t X = SUM(block(P, first, first, 6, 6), scale(1e-3, block(s.M, first, first, 6, 6)));
    const mat_t w = base_rows(&s, s.wanted), G = base_rows(&s, contact_torques(&s));
    const mat_t missing = sub(w, G), r = PROD(inverse(X), missing);
    const double energy = sqrt(scalar(PROD(tr(missing), r)));
    // of forces of one newton, in the same measure
    for (int i = 0; i < s.npoint; i++) {
      const mat_t J = base_columns(&s, s.J[i]), z = PROD(J, r);
      mat_t side;
      const double along = part_of(&s, i, z, &side);
      const double unit_energy = sqrt(trace(PROD(J, inverse(X), tr(J))));
      assert_true(along + s.friction[i] * length_of(side) <= tolerance * unit_energy * energy);
    }
    const double reached = sqrt(scalar(PROD(tr(G), inverse(X), G)));
    assert_true(fabs(scalar(PROD(tr(r), G))) <= tolerance * energy * fmax(reached, energy));
    // the same at the base's origin, world axes
    const mat_t R = block(s.d.X_world[s.base], 0, 0, 3, 3);
    const mbd_force_t f = s.info.missing;
    const double world[6] = {f.lin.x, f.lin.y, f.lin.z, f.ang.x, f.ang.y, f.ang.z};
    const mat_t lin = PROD(R, block(missing, 0, 0, 3, 1)),
                ang = PROD(R, block(missing, 3, 0, 3, 1));
    assert_mat_floor(lin, mat_from(3, 1, world), 1e-8, largest_entry(w), "force, seed %lu", seed);
    assert_mat_floor(ang, mat_from(3, 1, world + 3), 1e-8, largest_entry(w), "seed %lu", seed);
  }
  assert_enough(&cases, 0.2);
  assert_true(slow <= cases.compared / 50);
}

// by Dykstra's alternating projections from zero
static mat_t
dykstra(const stand_t * s, int rounds)
{
  const int n = 3 * s->npoint;
  mat_t G = mat(6, n), x = mat(n, 1), p = mat(n, 1);
  for (int i = 0; i < s->npoint; i++) set_block(G, 0, 3 * i, tr(base_columns(s, s->J[i])));
  const mat_t w = base_rows(s, s->wanted);
  const mat_t back = PROD(tr(G), inverse(PROD(G, tr(G))));
  double * z = mat(n, 1).a;
  for (int round = 0; round < rounds; round++) {
    // onto the plane G x = w, which needs no correction
    double miss[6];
    for (int r = 0; r < 6; r++) {
      miss[r] = w.a[r];
      for (int k = 0; k < n; k++) miss[r] -= *at(G, r, k) * x.a[k];
    }
    for (int k = 0; k < n; k++) {
      for (int r = 0; r < 6; r++) x.a[k] += *at(back, k, r) * miss[r];
    }
    // onto the cones
    for (int k = 0; k < n; k++) z[k] = x.a[k] + p.a[k];
    for (int i = 0; i < s->npoint; i++) {
      const double mu = s->friction[i], *c = z + 3 * i;
      const double e[3] = {s->normal[i].x, s->normal[i].y, s->normal[i].z};
      const double along = c[0] * e[0] + c[1] * e[1] + c[2] * e[2];
      const double t[3] = {c[0] - along * e[0], c[1] - along * e[1], c[2] - along * e[2]};
      const double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
      const bool inside = length <= mu * along, none = mu * length <= -along;
      const double size = (along + mu * length) / (1 + mu * mu);
      for (int k = 0; k < 3; k++) {
        x.a[3 * i + k] = inside ? c[k] : none ? 0 : size * (e[k] + mu * t[k] / length);
        p.a[3 * i + k] = c[k] - x.a[3 * i + k];
      }
    }
  }
  return x;
}

static void
forces_are_those_of_alternating_projections(void ** context)
{
  (void)context;
  tally_t cases = {0};
  const tree_options_t options = floating();
  FOR_TREES(TREES / 4, &options)
  {
    stand_t s = stand_of(t, seed, true);
    set_state(t);
    mat_t G = mat(6, 3 * s.npoint);
    for (int i = 0; i < s.npoint; i++) set_block(G, 0, 3 * i, tr(base_columns(&s, s.J[i])));
    if (!tally(&cases, s.npoint >= 3 && rank_of(G, 1e-2) == 6)) continue;
    assert_ok(mbd_support_torques(
      t->model, t->data, s.base, s.wanted.a, NULL, s.n, s.support, s.work, s.tau.a, NULL, &s.info));
    const mat_t x = dykstra(&s, 20000);
    for (int i = 0; i < s.npoint; i++) {
      assert_mat_floor(
        force_at(&s, i), block(x, 3 * i, 0, 3, 1), 2e-5, largest_entry(x), "seed %lu", seed);
    }
  }
  assert_enough(&cases, 0.4);
}

// a robot with a loop, in independent coordinates
static void
loops_are_closed(void ** context)
{
  (void)context;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * m;
  mbd_data_t * data;
  double q[64], v[64], a[64], wanted[64], tau[64], expected[64];
  mbd_support_t s[2] = {mbd_support_default(), mbd_support_default()};
  mbd_support_info_t info;
  options.base = MBDX_BASE_FLOATING;
  options.embed = true;
  options.loops_file = MBDYN_SOURCE_DIR "/config/robots/finger.loops.yaml";
  assert_ok(mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/config/robots/finger.urdf", &options, &m, NULL));
  assert_non_null(m->tree);
  assert_ok(mbd_data_create(m, &data));
  double * work = mat((int)mbd_support_work(m, 2), 1).a;
  assert_ok(mbd_neutral(m, q));
  for (int k = 0; k < m->nv; k++) v[k] = 0.1 * (k % 3 - 1), a[k] = 0.2 * (k % 4 - 1);
  assert_ok(mbd_inverse_dynamics(m, data, q, v, a, NULL, wanted));
  assert_ok(mbd_find_frame(m, "rod", &s[0].frame));
  s[1].frame = m->nframe - 1;
  assert_ok(mbd_set_position(m, data, q));
  assert_ok(mbd_set_velocity(m, data, v));
  assert_ok(mbd_support_torques(m, data, 0, wanted, a, 2, s, work, tau, a, &info));
  assert_true(info.normal > 0.1);
  mbd_wrench_t wrench[2];
  for (int k = 0; k < 2; k++) {
    wrench[k] = (mbd_wrench_t){s[k].frame, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, s[k].force[0]}};
  }
  const mbd_wrenches_t wrenches = {2, wrench};
  assert_ok(mbd_inverse_dynamics(m, data, NULL, NULL, a, &wrenches, expected));
  assert_close_floor(tau, expected, m->nv, 1e-9, 1, "torques");
  mbd_data_destroy(data);
  mbd_model_destroy(m);
  mats_free();
}

//---------- refusals ----------

// one that no joint moves
static int
fixed_frame(const mbd_model_t * m)
{
  int frame = 0;
  while (frame < m->nframe && m->frame[frame].body >= 0) frame++;
  return frame;
}

static void
bad_arguments_are_refused(void ** context)
{
  (void)context;
  const tree_options_t options = floating();
  tree_t * t = random_tree(3, &options);
  const mbd_model_t * m = t->model;
  stand_t s = stand_of(t, 3, true);
  mbd_support_t good = s.support[0];
  good.x[0] = good.x[1] = good.y[0] = good.y[1] = 0;
#define REFUSED(status, base, change)                                                              \
  do {                                                                                             \
    mbd_support_t p = good;                                                                        \
    change;                                                                                        \
    for (int k = 0; k < m->nv; k++) s.tau.a[k] = 7;                                                \
    assert_status(                                                                                 \
      mbd_support_torques(m, t->data, base, s.wanted.a, NULL, 1, &p, s.work, s.tau.a, NULL, NULL), \
      status);                                                                                     \
    for (int k = 0; k < m->nv; k++) assert_true(s.tau.a[k] == 7);                                  \
  } while (0)
  assert_ok(mbd_set_position(m, t->data, t->q));
  REFUSED(MBD_ERROR_BAD_JOINT, -1, (void)0);
  REFUSED(MBD_ERROR_BAD_JOINT, m->nbody, (void)0);
  REFUSED(MBD_ERROR_BAD_JOINT, s.base + 1, (void)0);
  REFUSED(MBD_ERROR_BAD_ARGUMENT, s.base, p.frame = m->nframe);
  REFUSED(MBD_ERROR_BAD_ARGUMENT, s.base, p.frame = -1);
  REFUSED(MBD_ERROR_BAD_ARGUMENT, s.base, p.frame = fixed_frame(m));
  REFUSED(MBD_ERROR_BAD_ARGUMENT, s.base, p.friction = -0.1);
  REFUSED(MBD_ERROR_NOT_FINITE, s.base, p.friction = NAN);
  REFUSED(MBD_ERROR_BAD_ARGUMENT, s.base, p.x[1] = 0.1);
  REFUSED(MBD_ERROR_BAD_ARGUMENT, s.base, p.normal.z = 3);
  REFUSED(MBD_ERROR_NOT_FINITE, s.base, p.normal.z = NAN);
  REFUSED(MBD_ERROR_NOT_FINITE, s.base, s.wanted.a[0] = HUGE_VAL);
  s.wanted.a[0] = 0;
  assert_true(mbd_support_work(NULL, 1) == 0);
  assert_true(mbd_support_work(m, -1) == 0);
  mbd_vec3_t at;
  assert_status(mbd_support_point(m, t->data, &good, 1, &at), MBD_ERROR_BAD_ARGUMENT);
  tree_free(t);
  mats_free();
}

// in the air nothing is reached: the robot falls with its joints as they are wanted
static void
no_support_is_free_fall(void ** context)
{
  (void)context;
  const tree_options_t options = floating();
  FOR_TREES(TREES / 10, &options)
  {
    stand_t s = stand_of(t, seed, false);
    set_state(t);
    assert_ok(mbd_support_torques(
      t->model, t->data, s.base, s.wanted.a, s.qdd.a, 0, NULL, s.work, s.tau.a, s.a.a, &s.info));
    assert_true(!s.info.reached && s.info.normal == 0);
    const mat_t expected = dense_inverse_dynamics(&s.d, s.a, NULL);
    assert_mat_floor(s.tau, expected, 1e-8, largest_entry(s.wanted), "seed %lu", seed);
    for (int k = 0; k < s.d.nv; k++) {
      const int first = t->model->body[s.base].v_index;
      if (k >= first && k < first + 6) continue;
      assert_near(s.a.a[k], s.qdd.a[k], 1e-7 * (1 + largest_entry(s.a)), "seed %lu", seed);
    }
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(motion_is_that_of_torques_and_forces),
    cmocka_unit_test(supports_are_at_rest),
    cmocka_unit_test(forces_are_the_least),
    cmocka_unit_test(missing_wrench_is_the_least),
    cmocka_unit_test(forces_are_those_of_alternating_projections),
    cmocka_unit_test(no_support_is_free_fall),
    cmocka_unit_test(loops_are_closed),
    cmocka_unit_test(bad_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
