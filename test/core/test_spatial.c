// Spatial algebra against plain 6x6 matrices: Jain, chapters 1 and 2, appendix B.
#include <math.h>

#include "core_test.h"

enum { CASES = 300 };

static mat_t
random6(uint64_t * state)
{
  return motion6(random_motion(state));
}

static mbd_motion_t
as_motion(mat_t z)
{
  mbd_motion_t V = {{z.a[0], z.a[1], z.a[2]}, {z.a[3], z.a[4], z.a[5]}};
  return V;
}

static mbd_force_t
as_force(mat_t z)
{
  mbd_force_t f = {{z.a[0], z.a[1], z.a[2]}, {z.a[3], z.a[4], z.a[5]}};
  return f;
}

// placement moved along a twist in its own axes
static mbd_placement_t
moved(const mbd_placement_t * X, mat_t V, double dt)
{
  const mat_t T = PROD(placement4(X), expm(scale(dt, twist4(V.a))));
  mbd_placement_t Y;
  for (int i = 0; i < 9; i++) Y.R.m[i] = *at(T, i / 3, i % 3);
  Y.p = mbdu_vec3(*at(T, 0, 3), *at(T, 1, 3), *at(T, 2, 3));
  return Y;
}

static mat_t
rotation3(const mbd_mat3_t * R)
{
  return mat_from(3, 3, R->m);
}

//---------- cross products ----------

// tilde is a Lie bracket                                                          (1.24)
static void
tilde_is_a_bracket(void ** context)
{
  (void)context;
  uint64_t state = 1;
  for (int k = 0; k < CASES; k++) {
    const mat_t A = random6(&state), B = random6(&state), C = random6(&state);
    const mat_t AB = PROD(tilde6(A.a), B);
    assert_mat(
      motion6(mbdu_motion_cross(as_motion(A), as_motion(B))), AB, 1e-14, "tilde, case %d", k);
    assert_mat_floor(PROD(tilde6(A.a), A), mat(6, 1), 1e-14, 1, "tilde A A, case %d", k);
    assert_mat(AB, scale(-1, PROD(tilde6(B.a), A)), 1e-14, "antisymmetry, case %d", k);
    const mat_t jacobi = SUM(
      PROD(tilde6(A.a), tilde6(B.a), C), PROD(tilde6(B.a), tilde6(C.a), A),
      PROD(tilde6(C.a), tilde6(A.a), B));
    assert_mat_floor(jacobi, mat(6, 1), 1e-13, 1, "Jacobi, case %d", k);
    const mat_t commutator = sub(PROD(tilde6(A.a), tilde6(B.a)), PROD(tilde6(B.a), tilde6(A.a)));
    assert_mat(commutator, tilde6(AB.a), 1e-13, "commutator, case %d", k);
    mats_free();
  }
}

// bar = -tilde^T, and the triple products                                  (1.26), (1.27)
static void
bar_is_dual_to_tilde(void ** context)
{
  (void)context;
  uint64_t state = 2;
  for (int k = 0; k < CASES; k++) {
    const mat_t A = random6(&state), B = random6(&state), C = random6(&state);
    assert_mat(bar6(A.a), scale(-1, tr(tilde6(A.a))), 1e-15, "bar, case %d", k);
    const mat_t barAB = PROD(bar6(A.a), B);
    assert_mat(
      force6(mbdu_force_cross(as_motion(A), as_force(B))), barAB, 1e-14, "bar A B, case %d", k);
    assert_mat(
      PROD(tr(tilde6(A.a)), B), PROD(hat6(B.a), A), 1e-14, "tilde^T B = hat(B) A, case %d", k);
    assert_mat(PROD(hat6(B.a), A), scale(-1, barAB), 1e-14, "hat(B) A = -bar(A) B, case %d", k);
    const double triple = scalar(PROD(tr(A), tilde6(B.a), C));
    assert_near(scalar(PROD(tr(B), bar6(C.a), A)), triple, 1e-13, "B^T bar(C) A, case %d", k);
    assert_near(scalar(PROD(tr(C), hat6(A.a), B)), triple, 1e-13, "C^T hat(A) B, case %d", k);
    assert_mat(
      PROD(tr(A), bar6(B.a)), scale(-1, PROD(tr(B), bar6(A.a))), 1e-13, "A^T bar(B), case %d", k);
    mats_free();
  }
}

// halves of spatial vectors                                                       (1.36)
static void
halves_of_spatial_vectors(void ** context)
{
  (void)context;
  uint64_t state = 3;
  for (int k = 0; k < CASES; k++) {
    const mat_t X = random6(&state), Y = random6(&state), zero = mat(6, 1);
    const mat_t Xw = half6(X.a, 0), Xv = half6(X.a, 1);
    const mat_t Yw = half6(Y.a, 0), Yv = half6(Y.a, 1);
    assert_mat(PROD(bar6(Xv.a), Yw), zero, 0, "bar(X^v) Y^w, case %d", k);
    assert_mat(PROD(tilde6(Xv.a), Yv), zero, 0, "tilde(X^v) Y^v, case %d", k);
    mat_t cross = mat(6, 1);
    set_block(cross, 3, 0, PROD(skew3(X.a), column(3, X.a + 3)));
    assert_mat_floor(PROD(bar6(X.a), X), cross, 1e-14, 1, "bar(X) X, case %d", k);
    assert_mat_floor(PROD(tilde6(Xw.a), X), cross, 1e-14, 1, "tilde(X^w) X, case %d", k);
    // shifts alone, without a turn
    mat_t shift = eye(4);
    set_block(shift, 0, 3, column(3, Y.a));
    assert_mat(PROD(phi6(shift), bar6(Xv.a)), bar6(Xv.a), 1e-15, "phi bar(X^v), case %d", k);
    assert_mat(PROD(bar6(Xv.a), phi6(shift)), bar6(Xv.a), 1e-15, "bar(X^v) phi, case %d", k);
    mats_free();
  }
}

//---------- rigid transforms ----------

// phi of placements: maps, composition, inverse                            (1.31), (1.32)
static void
phi_moves_forces_and_motions(void ** context)
{
  (void)context;
  uint64_t state = 4;
  for (int k = 0; k < CASES; k++) {
    const mbd_placement_t X = random_placement(&state), Y = random_placement(&state);
    const mat_t phiX = phi6(placement4(&X)), phiY = phi6(placement4(&Y));
    const mbd_force_t f = random_force(&state);
    const mbd_motion_t V = random_motion(&state);
    assert_mat(force6(mbdu_force_to_parent(&X, f)), PROD(phiX, force6(f)), 1e-14, "phi f, %d", k);
    assert_mat(
      motion6(mbdu_motion_to_child(&X, V)), PROD(tr(phiX), motion6(V)), 1e-14, "phi^T V, %d", k);
    assert_mat(
      force6(mbdu_force_to_child(&X, mbdu_force_to_parent(&X, f))), force6(f), 1e-14, "f, %d", k);
    assert_mat(
      motion6(mbdu_motion_to_parent(&X, mbdu_motion_to_child(&X, V))), motion6(V), 1e-14, "V, %d",
      k);
    const mbd_placement_t XY = mbdu_placement_mul(&X, &Y);
    assert_mat(
      placement4(&XY), PROD(placement4(&X), placement4(&Y)), 1e-14, "placement product, %d", k);
    assert_mat(phi6(placement4(&XY)), PROD(phiX, phiY), 1e-14, "phi(x,z), %d", k);
    const mbd_placement_t back = mbdu_placement_inverse(&X);
    assert_mat(phi6(placement4(&back)), inverse(phiX), 1e-13, "phi^-1, %d", k);
    // power does not depend on the point                                      (1.47)
    assert_near(
      mbdu_power(f, mbdu_motion_to_child(&X, V)), mbdu_power(mbdu_force_to_parent(&X, f), V), 1e-14,
      "power, %d", k);
    assert_near(mbdu_power(f, V), scalar(PROD(tr(force6(f)), motion6(V))), 1e-14, "f^T V, %d", k);
    mats_free();
  }
}

// cross matrices seen from another point                            exercises 1.5 and 1.6
static void
phi_conjugates_cross_matrices(void ** context)
{
  (void)context;
  uint64_t state = 5;
  for (int k = 0; k < CASES; k++) {
    const mbd_placement_t X = random_placement(&state);
    const mat_t phi = phi6(placement4(&X)), Z = random6(&state);
    const mat_t phiZ = PROD(phi, Z), phitZ = PROD(tr(phi), Z);
    assert_mat(hat6(phiZ.a), PROD(phi, hat6(Z.a), tr(phi)), 1e-13, "hat, case %d", k);
    assert_mat(
      tilde6(phitZ.a), PROD(tr(phi), tilde6(Z.a), inverse(tr(phi))), 1e-13, "tilde, case %d", k);
    assert_mat(
      PROD(tr(phi), tilde6(Z.a)), PROD(tilde6(phitZ.a), tr(phi)), 1e-13, "phi^T tilde, %d", k);
    assert_mat(PROD(bar6(Z.a), phi), PROD(phi, bar6(phitZ.a)), 1e-13, "bar phi, case %d", k);
    mats_free();
  }
}

// d/dt phi^T = -tilde(Delta) phi^T, and over three frames                  (1.42), (1.45)
static void
rate_of_phi(void ** context)
{
  (void)context;
  uint64_t state = 6;
  const double h = 1e-5;
  for (int k = 0; k < CASES; k++) {
    const mbd_placement_t X = random_placement(&state), Y = random_placement(&state);
    const mat_t DX = random6(&state), DY = random6(&state);
    const mbd_placement_t X1 = moved(&X, DX, h), X0 = moved(&X, DX, -h);
    const mbd_placement_t Y1 = moved(&Y, DY, h), Y0 = moved(&Y, DY, -h);
    const mat_t phi = phi6(placement4(&X));
    const mat_t slope = scale(0.5 / h, sub(phi6(placement4(&X1)), phi6(placement4(&X0))));
    assert_mat(tr(slope), scale(-1, PROD(tilde6(DX.a), tr(phi))), 1e-8, "phi^T rate, %d", k);
    const mbd_placement_t XY = mbdu_placement_mul(&X, &Y);
    const mbd_placement_t XY1 = mbdu_placement_mul(&X1, &Y1), XY0 = mbdu_placement_mul(&X0, &Y0);
    const mat_t both = SUM(PROD(tr(phi6(placement4(&Y))), DX), DY);
    const mat_t slope3 = scale(0.5 / h, sub(phi6(placement4(&XY1)), phi6(placement4(&XY0))));
    assert_mat(
      tr(slope3), scale(-1, PROD(tilde6(both.a), tr(phi6(placement4(&XY))))), 1e-8,
      "three frames, %d", k);
    mats_free();
  }
}

// phi between two points, seen from the world                                    (1.37)
static void
inertial_rate_of_phi(void ** context)
{
  (void)context;
  uint64_t state = 7;
  const double h = 1e-3;
  for (int k = 0; k < CASES; k++) {
    const mat_t x = column(3, random6(&state).a), y = column(3, random6(&state).a);
    const mat_t Vx = random6(&state), Vy = random6(&state);
    mat_t phi[2];
    for (int side = 0; side < 2; side++) {
      const double dt = side ? h : -h;
      mat_t T = eye(4);
      const mat_t motion = scale(dt, sub(column(3, Vy.a + 3), column(3, Vx.a + 3)));
      set_block(T, 0, 3, SUM(sub(y, x), motion));
      phi[side] = phi6(T);
    }
    const mat_t rate = scale(0.5 / h, sub(phi[1], phi[0]));
    assert_mat(rate, sub(bar6(half6(Vy.a, 1).a), bar6(half6(Vx.a, 1).a)), 1e-11, "case %d", k);
    mats_free();
  }
}

// velocity and acceleration of a particle that moves on a moving body      (1.18), (1.19)
static void
particle_on_a_moving_body(void ** context)
{
  (void)context;
  uint64_t state = 8;
  const double h = 1e-4;
  for (int k = 0; k < CASES; k++) {
    const mbd_placement_t X = random_placement(&state);
    const mbd_motion_t V = random_motion(&state);
    const mbd_vec3_t r = random_vec3(&state, 1), dr = random_vec3(&state, 1);
    double x[3][3];
    for (int i = 0; i < 3; i++) {
      const double t = (i - 1) * h;
      const mbd_placement_t Xt = moved(&X, motion6(V), t);
      const mbd_vec3_t p = mbdu_placement_point(&Xt, mbdu_vec3_add(r, mbdu_vec3_scale(t, dr)));
      x[i][0] = p.x, x[i][1] = p.y, x[i][2] = p.z;
    }
    // constant body twist: classical acceleration of the origin is w x v
    const mbd_vec3_t w = V.ang;
    const mbd_vec3_t point = mbdu_vec3_add(V.lin, mbdu_vec3_cross(w, r));
    const mbd_vec3_t v = mbdu_mat3_vec(&X.R, mbdu_vec3_add(point, dr));
    mbd_vec3_t a = mbdu_vec3_cross(w, point);
    a = mbdu_mat3_vec(&X.R, mbdu_vec3_add(a, mbdu_vec3_scale(2, mbdu_vec3_cross(w, dr))));
    const double expected[6] = {v.x, v.y, v.z, a.x, a.y, a.z};
    double found[6];
    for (int i = 0; i < 3; i++) {
      found[i] = (x[2][i] - x[0][i]) / (2 * h);
      found[3 + i] = (x[2][i] - 2 * x[1][i] + x[0][i]) / (h * h);
    }
    assert_close(found, expected, 6, 1e-6, "case %d", k);
    mats_free();
  }
}

//---------- attitude ----------

// R of quaternions: orthogonal, a homomorphism, two to one             (B.12) and following
static void
quaternions_and_rotations(void ** context)
{
  (void)context;
  uint64_t state = 9;
  for (int k = 0; k < CASES; k++) {
    const mbd_quat_t p = random_quat(&state), q = random_quat(&state);
    const mbd_mat3_t Rp = mbdu_quat_to_mat3(p), Rq = mbdu_quat_to_mat3(q);
    const mbd_mat3_t Rpq = mbdu_quat_to_mat3(mbdu_quat_mul(p, q));
    assert_mat(PROD(rotation3(&Rp), tr(rotation3(&Rp))), eye(3), 1e-14, "orthogonal, %d", k);
    assert_near(determinant(rotation3(&Rp)), 1, 1e-14, "determinant, %d", k);
    assert_mat(rotation3(&Rpq), PROD(rotation3(&Rp), rotation3(&Rq)), 1e-14, "R(pq), %d", k);
    const mbd_quat_t minus = {-p.x, -p.y, -p.z, -p.w};
    const mbd_mat3_t Rm = mbdu_quat_to_mat3(minus);
    assert_mat(rotation3(&Rm), rotation3(&Rp), 0, "q and -q, %d", k);
    const mbd_mat3_t Rc = mbdu_quat_to_mat3(mbdu_quat_conjugate(p));
    assert_mat(rotation3(&Rc), tr(rotation3(&Rp)), 1e-15, "conjugate, %d", k);
    const mbd_quat_t back = mbdu_quat_from_mat3(&Rp);
    const double sign = p.w < 0 ? -1 : 1;
    const double found[4] = {back.x, back.y, back.z, back.w};
    const double expected[4] = {sign * p.x, sign * p.y, sign * p.z, sign * p.w};
    assert_close(found, expected, 4, 1e-14, "from matrix, %d", k);
    mats_free();
  }
}

// half turns: w = 0, one of x, y, z largest
static void
quaternion_of_half_turns(void ** context)
{
  (void)context;
  const double axes[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {.6, .8, 0}, {0, .6, .8}, {.8, 0, .6}};
  for (size_t k = 0; k < sizeof axes / sizeof axes[0]; k++) {
    const mbd_quat_t q = {axes[k][0], axes[k][1], axes[k][2], 0};
    const mbd_mat3_t R = mbdu_quat_to_mat3(q);
    const mbd_mat3_t back = mbdu_quat_to_mat3(mbdu_quat_from_mat3(&R));
    assert_close(back.m, R.m, 9, 1e-15, "axis %zu", k);
    const mbd_vec3_t r = mbdu_quat_log(q);
    assert_near(mbdu_vec3_norm(r), acos(-1.0), 1e-15, "axis %zu", k);
  }
}

// exponential and logarithm: Rodrigues, trace, round trip, small angles    (B.4) to (B.11)
static void
exponential_of_rotations(void ** context)
{
  (void)context;
  uint64_t state = 10;
  for (int k = 0; k < CASES; k++) {
    // from 1e-12 to almost a half turn
    mbd_vec3_t r = random_vec3(&state, 1);
    const double size = k % 3 == 0 ? 3.1 : pow(10, random_between(&state, -12, 0.4));
    r = mbdu_vec3_scale(size / mbdu_vec3_norm(r), r);
    const mbd_quat_t q = mbdu_quat_exp(r);
    const mbd_mat3_t R = mbdu_quat_to_mat3(q);
    const double a[3] = {r.x, r.y, r.z};
    assert_mat(rotation3(&R), expm(skew3(a)), 1e-13, "exp, angle %g", size);
    assert_near(trace(rotation3(&R)), 1 + 2 * cos(size), 1e-14, "trace, angle %g", size);
    assert_near(mbdu_quat_norm(q), 1, 1e-15, "norm, angle %g", size);
    const mbd_vec3_t back = mbdu_quat_log(q);
    const mbd_quat_t minus = {-q.x, -q.y, -q.z, -q.w};
    const mbd_vec3_t same = mbdu_quat_log(minus);
    assert_close(&back.x, a, 3, 1e-13, "log, angle %g", size);
    assert_close(&same.x, a, 3, 1e-13, "log of -q, angle %g", size);
    mats_free();
  }
}

// the rate 1/2 q (w, 0) keeps the norm and turns R by R w~                 (B.27), (B.30)
static void
rate_of_quaternions(void ** context)
{
  (void)context;
  uint64_t state = 11;
  const double h = 1e-5;
  for (int k = 0; k < CASES; k++) {
    const mbd_quat_t q = random_quat(&state);
    const mbd_vec3_t w = random_vec3(&state, 1);
    const mbd_quat_t pure = {w.x, w.y, w.z, 0};
    const mbd_quat_t dq = mbdu_quat_mul(q, pure);
    assert_near(q.x * dq.x + q.y * dq.y + q.z * dq.z + q.w * dq.w, 0, 1e-15, "norm, %d", k);
    mat_t R[2];
    for (int side = 0; side < 2; side++) {
      const double dt = 0.5 * (side ? h : -h);
      mbd_quat_t u = {q.x + dt * dq.x, q.y + dt * dq.y, q.z + dt * dq.z, q.w + dt * dq.w};
      const mbd_mat3_t m = mbdu_quat_to_mat3(mbdu_quat_normalize(u));
      R[side] = rotation3(&m);
    }
    const mbd_mat3_t now = mbdu_quat_to_mat3(q);
    const double a[3] = {w.x, w.y, w.z};
    assert_mat(
      scale(0.5 / h, sub(R[1], R[0])), PROD(rotation3(&now), skew3(a)), 1e-8, "case %d", k);
    mats_free();
  }
}

static void
rotation_about_z(void ** context)
{
  (void)context;
  const double turn[3] = {0, 0, 0.7};
  const mbd_mat3_t R = mbdu_rotation_z(cos(0.7), sin(0.7));
  assert_mat(rotation3(&R), expm(skew3(turn)), 1e-15, "rotation about z");
  mats_free();
}

//---------- three by three ----------

static void
small_matrices(void ** context)
{
  (void)context;
  uint64_t state = 12;
  for (int k = 0; k < CASES; k++) {
    mbd_mat3_t A, B;
    for (int i = 0; i < 9; i++) A.m[i] = random_signed(&state), B.m[i] = random_signed(&state);
    const mbd_vec3_t x = random_vec3(&state, 1);
    const double xa[3] = {x.x, x.y, x.z};
    const mat_t a = rotation3(&A), b = rotation3(&B), c = column(3, xa);
    const mbd_mat3_t AB = mbdu_mat3_mul(&A, &B), AtB = mbdu_mat3_tmul(&A, &B);
    const mbd_mat3_t sum = mbdu_mat3_add(&A, &B), rot = mbdu_mat3_rotate(&A, &B);
    const mbd_mat3_t left = mbdu_mat3_cross_left(x, &A), right = mbdu_mat3_cross_right(&A, x);
    assert_mat(rotation3(&AB), PROD(a, b), 1e-14, "A B, %d", k);
    assert_mat(rotation3(&AtB), PROD(tr(a), b), 1e-14, "A^T B, %d", k);
    assert_mat(rotation3(&sum), SUM(a, b), 1e-14, "A + B, %d", k);
    assert_mat(rotation3(&rot), PROD(a, b, tr(a)), 1e-14, "A B A^T, %d", k);
    assert_mat(rotation3(&left), PROD(skew3(xa), a), 1e-14, "x~ A, %d", k);
    assert_mat(rotation3(&right), PROD(a, skew3(xa)), 1e-14, "A x~, %d", k);
    const mbd_vec3_t Ax = mbdu_mat3_vec(&A, x), Atx = mbdu_mat3_tvec(&A, x);
    assert_mat(column(3, &Ax.x), PROD(a, c), 1e-14, "A x, %d", k);
    assert_mat(column(3, &Atx.x), PROD(tr(a), c), 1e-14, "A^T x, %d", k);
    // symmetric ones
    const mbd_sym3_t s = mbdu_sym3_from_mat3(&A), t = mbdu_sym3_rotate(&B, &s);
    const mbd_mat3_t S = mbdu_sym3_to_mat3(&s), T = mbdu_sym3_to_mat3(&t);
    const mbd_vec3_t Sx = mbdu_sym3_vec(&s, x);
    assert_mat(rotation3(&S), scale(0.5, SUM(a, tr(a))), 1e-15, "symmetric part, %d", k);
    assert_mat(rotation3(&T), PROD(b, rotation3(&S), tr(b)), 1e-14, "B S B^T, %d", k);
    assert_mat(column(3, &Sx.x), PROD(rotation3(&S), c), 1e-14, "S x, %d", k);
    const mbd_sym3_t point = mbdu_sym3_point_mass(2.5, x);
    const mbd_mat3_t I = mbdu_sym3_to_mat3(&point);
    assert_mat(rotation3(&I), scale(-2.5, PROD(skew3(xa), skew3(xa))), 1e-14, "-m x~x~, %d", k);
    mats_free();
  }
}

//---------- inertia ----------

// shifts of inertia, momentum and energy                         (2.11) to (2.17), (6.24)
static void
inertia_moves_between_frames(void ** context)
{
  (void)context;
  uint64_t state = 13;
  for (int k = 0; k < CASES; k++) {
    const mbd_inertia_t M = random_inertia(&state), N = random_inertia(&state);
    const mbd_placement_t X = random_placement(&state);
    const mat_t phi = phi6(placement4(&X)), m = inertia6(&M);
    const mbd_inertia_t P = mbdu_inertia_to_parent(&X, &M), sum = mbdu_inertia_add(&M, &N);
    assert_mat(inertia6(&P), PROD(phi, m, tr(phi)), 1e-14, "phi M phi^T, %d", k);
    assert_mat(inertia6(&sum), SUM(m, inertia6(&N)), 1e-15, "sum, %d", k);
    const mbd_motion_t V = random_motion(&state), Vc = mbdu_motion_to_child(&X, V);
    const mat_t h = force6(mbdu_inertia_mul(&M, Vc));
    assert_mat(h, PROD(m, motion6(Vc)), 1e-14, "momentum, %d", k);
    assert_mat(force6(mbdu_inertia_mul(&P, V)), PROD(phi, h), 1e-13, "momentum shifted, %d", k);
    assert_near(
      mbdu_power(mbdu_inertia_mul(&P, V), V), mbdu_power(mbdu_inertia_mul(&M, Vc), Vc), 1e-13,
      "energy, %d", k);
    assert_true(smallest_eigenvalue(m) > 0);
    mats_free();
  }
}

// about the centre of mass and back; J(x) - J(C) is positive semidefinite         exercise 2.3
static void
inertia_about_the_centre(void ** context)
{
  (void)context;
  uint64_t state = 14;
  for (int k = 0; k < CASES; k++) {
    const mbd_inertia_t M = random_inertia(&state);
    const mbd_vec3_t com = mbdu_vec3_scale(1 / M.mass, M.h);
    const mbd_sym3_t J = mbdu_inertia_about_com(&M);
    const mbd_inertia_t back = mbdu_inertia_from_com(M.mass, com, J);
    assert_mat(inertia6(&back), inertia6(&M), 1e-14, "round trip, %d", k);
    const mbd_mat3_t at_com = mbdu_sym3_to_mat3(&J), at_origin = mbdu_sym3_to_mat3(&M.I);
    const mat_t more = sub(rotation3(&at_origin), rotation3(&at_com));
    assert_true(smallest_eigenvalue(more) > -1e-14);
    // the shift to the centre takes the first moment away
    mbd_placement_t X = mbdu_placement_identity();
    X.p = mbdu_vec3_neg(com);
    const mbd_inertia_t C = mbdu_inertia_to_parent(&X, &M);
    assert_near(mbdu_vec3_norm(C.h), 0, 1e-15, "first moment, %d", k);
    mats_free();
  }
}

// 21-number matrices against full ones                                  (6.24), (10.22)
static void
symmetric_six_by_six(void ** context)
{
  (void)context;
  uint64_t state = 15;
  for (int k = 0; k < CASES; k++) {
    double g[36];
    for (int i = 0; i < 36; i++) g[i] = random_signed(&state);
    const mat_t A = PROD(mat_from(6, 6, g), tr(mat_from(6, 6, g)));
    mbd_sym6_t P = {
      {*at(A, 0, 0), *at(A, 0, 1), *at(A, 0, 2), *at(A, 1, 1), *at(A, 1, 2), *at(A, 2, 2)},
      {{0}},
      {*at(A, 3, 3), *at(A, 3, 4), *at(A, 3, 5), *at(A, 4, 4), *at(A, 4, 5), *at(A, 5, 5)}};
    for (int i = 0; i < 9; i++) P.H.m[i] = *at(A, i / 3, 3 + i % 3);
    double full[36];
    mbdu_sym6_full(&P, full);
    assert_close(full, A.a, 36, 0, "full, %d", k);
    const mbd_motion_t V = random_motion(&state);
    const mbd_force_t f = random_force(&state);
    assert_mat(force6(mbdu_sym6_mul_motion(&P, V)), PROD(A, motion6(V)), 1e-14, "P V, %d", k);
    assert_mat(motion6(mbdu_sym6_mul_force(&P, f)), PROD(A, force6(f)), 1e-14, "Y f, %d", k);
    const mbd_placement_t X = random_placement(&state);
    const mat_t phi = phi6(placement4(&X));
    const mbd_sym6_t up = mbdu_sym6_to_parent(&X, &P), down = mbdu_sym6_to_child(&X, &P);
    assert_mat(sym6(&up), PROD(phi, A, tr(phi)), 1e-14, "phi P phi^T, %d", k);
    assert_mat(sym6(&down), PROD(tr(phi), A, phi), 1e-14, "phi^T Y phi, %d", k);
    // A + s (a b^T + b a^T)
    mbd_sym6_t outer = P;
    mbdu_sym6_add_outer(&outer, 0.7, V.ang, V.lin, f.ang, f.lin);
    const mat_t ab = PROD(motion6(V), tr(force6(f)));
    assert_mat(sym6(&outer), SUM(A, scale(0.7, SUM(ab, tr(ab)))), 1e-14, "outer, %d", k);
    const mbd_inertia_t M = random_inertia(&state);
    const mbd_sym6_t m = mbdu_sym6_from_inertia(&M), sum = mbdu_sym6_add(&P, &m);
    assert_mat(sym6(&sum), SUM(A, inertia6(&M)), 1e-14, "P + M, %d", k);
    mats_free();
  }
}

//---------- one body ----------

// the gyroscopic force does no work; the other formulations    (2.19), (2.26), (2.28), (2.29)
static void
gyroscopic_force_does_no_work(void ** context)
{
  (void)context;
  uint64_t state = 16;
  for (int k = 0; k < CASES; k++) {
    const mbd_inertia_t M = random_inertia(&state);
    const mbd_motion_t V = random_motion(&state);
    const mat_t m = inertia6(&M), v6 = motion6(V), w6 = half6(v6.a, 0);
    const mbd_force_t b = mbdu_force_cross(V, mbdu_inertia_mul(&M, V));
    assert_mat(force6(b), PROD(bar6(v6.a), m, v6), 1e-13, "bar(V) M V, %d", k);
    assert_near(mbdu_power(b, V), 0, 1e-14, "V^T b, %d", k);
    // inertial derivatives at the body's origin: no linear velocity in it
    const mat_t bJ = PROD(tilde6(w6.a), m, w6);
    const mat_t w = skew3(v6.a), J = block(m, 0, 0, 3, 3);
    mat_t parts = mat(6, 1);
    set_block(parts, 0, 0, PROD(w, J, column(3, v6.a)));
    set_block(parts, 3, 0, PROD(w, w, column(3, &M.h.x)));
    assert_mat(bJ, parts, 1e-13, "bJ by parts, %d", k);
    const mat_t rate = sub(PROD(tilde6(w6.a), m), PROD(m, tilde6(w6.a)));
    assert_mat(bJ, PROD(rate, w6), 1e-13, "bJ by the rate of M, %d", k);
    mat_t cross = mat(6, 1);
    set_block(cross, 3, 0, PROD(w, column(3, v6.a + 3)));
    assert_mat(sub(force6(b), bJ), PROD(m, cross), 1e-13, "b - bJ, %d", k);
    // at the centre of mass it does no work either; elsewhere it does
    mbd_inertia_t C = M;
    C.h = mbdu_vec3(0, 0, 0);
    assert_near(
      scalar(PROD(tr(v6), tilde6(w6.a), inertia6(&C), w6)), 0, 1e-14, "V^T bJ at com, %d", k);
    assert_true(fabs(scalar(PROD(tr(v6), bJ))) > 0);
    mats_free();
  }
}

// inertia of a moving body in world axes: about itself, about the world   (2.22), (2.33), (2.38)
static void
rate_of_inertia(void ** context)
{
  (void)context;
  uint64_t state = 17;
  const double h = 1e-5;
  for (int k = 0; k < CASES; k++) {
    const mbd_inertia_t M = random_inertia(&state);
    const mbd_placement_t X = random_placement(&state);
    const mat_t V = random6(&state);
    mat_t turned[3], in_world[3];
    for (int i = 0; i < 3; i++) {
      mbd_placement_t Xt = moved(&X, V, (i - 1) * h);
      const mbd_inertia_t MI = mbdu_inertia_to_parent(&Xt, &M);
      Xt.p = mbdu_vec3(0, 0, 0);
      const mbd_inertia_t MR = mbdu_inertia_to_parent(&Xt, &M);
      turned[i] = inertia6(&MR), in_world[i] = inertia6(&MI);
    }
    mat_t wR = mat(6, 1);
    set_block(wR, 0, 0, PROD(rotation3(&X.R), column(3, V.a)));
    assert_mat(
      scale(0.5 / h, sub(turned[2], turned[0])),
      sub(PROD(tilde6(wR.a), turned[1]), PROD(turned[1], tilde6(wR.a))), 1e-8, "Mdot, %d", k);
    // velocity of the body's point at the world's origin
    const mat_t VI = PROD(inverse(tr(phi6(placement4(&X)))), V);
    const mat_t rate = sub(PROD(bar6(VI.a), in_world[1]), PROD(in_world[1], tilde6(VI.a)));
    assert_mat(scale(0.5 / h, sub(in_world[2], in_world[0])), rate, 1e-8, "Mdot_I, %d", k);
    assert_mat(PROD(rate, VI), PROD(bar6(VI.a), in_world[1], VI), 1e-12, "Mdot_I V_I, %d", k);
    mats_free();
  }
}

// the velocity at the world's origin is the same from whichever point of the body  exercise 2.12
static void
world_velocity_of_any_point(void ** context)
{
  (void)context;
  uint64_t state = 18;
  for (int k = 0; k < CASES; k++) {
    const mbd_placement_t X = random_placement(&state), Y = random_placement(&state);
    const mbd_motion_t V = random_motion(&state);
    const mbd_placement_t XY = mbdu_placement_mul(&X, &Y);
    const mbd_motion_t from_point = mbdu_motion_to_parent(&XY, mbdu_motion_to_child(&Y, V));
    assert_mat(motion6(from_point), motion6(mbdu_motion_to_parent(&X, V)), 1e-14, "case %d", k);
    mats_free();
  }
}

//---------- order of six-vectors ----------

static void
linear_first_and_back(void ** context)
{
  (void)context;
  uint64_t state = 19;
  const mbd_motion_t V = random_motion(&state);
  const mbd_force_t f = random_force(&state);
  double v[6], w[6], J[6 * 5], A[36], A0[36];
  mbdu_motion_to_linear_first(&V, v);
  mbdu_force_to_linear_first(&f, w);
  const double expected[6] = {V.lin.x, V.lin.y, V.lin.z, V.ang.x, V.ang.y, V.ang.z};
  assert_close(v, expected, 6, 0, "motion");
  assert_mat(motion6(mbdu_motion_from_linear_first(v)), motion6(V), 0, "motion back");
  assert_mat(force6(mbdu_force_from_linear_first(w)), force6(f), 0, "force back");
  for (int i = 0; i < 30; i++) J[i] = i;
  for (int i = 0; i < 36; i++) A0[i] = A[i] = i;
  mbdu_rows_swap(J, 5);
  for (int i = 0; i < 6; i++) assert_true(J[5 * i + 2] == 5 * ((i + 3) % 6) + 2);
  mbdu_blocks_swap(A);
  for (int i = 0; i < 36; i++) {
    assert_true(A[i] == 6 * ((i / 6 + 3) % 6) + (i % 6 + 3) % 6);
  }
  mbdu_blocks_swap(A);
  assert_close(A, A0, 36, 0, "twice is nothing");
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(tilde_is_a_bracket),
    cmocka_unit_test(bar_is_dual_to_tilde),
    cmocka_unit_test(halves_of_spatial_vectors),
    cmocka_unit_test(phi_moves_forces_and_motions),
    cmocka_unit_test(phi_conjugates_cross_matrices),
    cmocka_unit_test(rate_of_phi),
    cmocka_unit_test(inertial_rate_of_phi),
    cmocka_unit_test(particle_on_a_moving_body),
    cmocka_unit_test(quaternions_and_rotations),
    cmocka_unit_test(quaternion_of_half_turns),
    cmocka_unit_test(exponential_of_rotations),
    cmocka_unit_test(rate_of_quaternions),
    cmocka_unit_test(rotation_about_z),
    cmocka_unit_test(small_matrices),
    cmocka_unit_test(inertia_moves_between_frames),
    cmocka_unit_test(inertia_about_the_centre),
    cmocka_unit_test(symmetric_six_by_six),
    cmocka_unit_test(gyroscopic_force_does_no_work),
    cmocka_unit_test(rate_of_inertia),
    cmocka_unit_test(world_velocity_of_any_point),
    cmocka_unit_test(linear_first_and_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
