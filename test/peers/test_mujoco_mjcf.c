// MJCF against MuJoCo itself: both read the same file (test/data/mjcf), and mass matrix, bias forces, inverse
// dynamics with springs and dampers, placements and Jacobians of all bodies and sites are compared at random
// states. What MuJoCo 2.2.2 does otherwise than this reader, and what is done about it:
//
//  - quaternions are w x y z; a free joint's velocity is linear in world axes, angular in body axes, ours is all
//    in body axes: v' = T v, a' = T a + (R (w x v), 0), M = T^T M' T with T = diag(R, 1).
//  - autolimits is off by default in 2.2.2: files with ranges say autolimits="true".
//  - frictionloss is a constraint: constraints are switched off, and friction is added to what is compared.
//  - inertias are turned to principal axes, found by iteration: models with full tensors or several shapes in one body
//    agree to 1e-6, all others to 1e-9.
//  - equalities: the rows of both span the same space where the loop is closed.
#define _DEFAULT_SOURCE  // mkdtemp
#include <dirent.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "close.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/mjcf.h"
#include "mbdyn/robot_write.h"

enum { STATES = 20, PATH = 512 };

// the model, by both
typedef struct both {
  const char * file;
  mbd_model_t * model;
  mbd_data_t * data;
  mjModel * m;
  mjData * d;
  int nq, nv;
  double tolerance;
  double *q, *v, *a, *T;  // ours; T: columns of our velocities in theirs [nv x nv]
  double *one, *two, *three;
} both_t;

//---------- loading ----------

static char *
read_all(const char * path)
{
  FILE * file = fopen(path, "rb");
  assert_non_null(file);
  char * text = calloc(1, 1 << 20);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

static mjModel *
load_mujoco(const char * path)
{
  char why[1000] = "";
  mjModel * m = mj_loadXML(path, NULL, why, sizeof why);
  if (!m) fail_msg("%s: %s", path, why);
  return m;
}

// does MuJoCo find principal axes by iteration
static bool
is_rough(const char * path)
{
  char * text = read_all(path);
  bool rough = strstr(text, "fullinertia") || strstr(text, "1e-6 where");
  for (const char * s = text; (s = strstr(s, "<geom")) && !rough; s++) {
    const char *next = strstr(s + 1, "<geom"), *body = strstr(s, "body");
    rough = next && body && next < body;
  }
  free(text);
  return rough;
}

static both_t
load(const char * folder, const char * file)
{
  both_t b = {.file = file};
  char path[PATH];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  mbdx_report_t * report = NULL;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false;
  const mbd_status_t status = mbdx_mjcf_load_file(path, &options, &b.model, &report);
  for (int k = 0; status != MBD_OK && k < report->n; k++)
    print_error("%s\n", report->entry[k].text);
  mbdx_report_free(report);
  assert_ok(status);
  b.tolerance = is_rough(path) ? 1e-6 : 1e-9;
  b.m = load_mujoco(path);
  b.d = mj_makeData(b.m);
  b.m->opt.disableflags |= mjDSBL_CONSTRAINT;
  assert_ok(mbd_data_create(b.model, &b.data));
  assert_ok(mbd_set_terms(b.data, MBD_TERM_FRICTION | MBD_TERM_ROTORS | MBD_TERM_ELEMENTS));
  b.nq = b.model->nq, b.nv = b.model->nv;
  assert_int_equal(b.nq, b.m->nq);
  assert_int_equal(b.nv, b.m->nv);
  const size_t n = (size_t)b.nv;
  double * block = calloc((size_t)b.nq + 2 * n + 4 * (n + 8) * (n + 64) + 64, sizeof *block);
  assert_non_null(block);
  b.q = block, b.v = b.q + b.nq, b.a = b.v + n, b.T = b.a + n;
  b.one = b.T + n * n, b.two = b.one + (n + 8) * (n + 64), b.three = b.two + (n + 8) * (n + 64);
  return b;
}

static void
unload(both_t * b)
{
  free(b->q);
  mbd_data_destroy(b->data);
  mbd_model_destroy(b->model);
  mj_deleteData(b->d);
  mj_deleteModel(b->m);
}

//---------- coordinates ----------

// joint of MuJoCo for one of our bodies: by name, or the only one
static int
joint_of(const both_t * b, int body)
{
  int j = mj_name2id(b->m, mjOBJ_JOINT, b->model->body[body].joint_name);
  if (j < 0 && b->m->njnt == 1) j = 0;
  if (j < 0) fail_msg("%s: no joint %s", b->file, b->model->body[body].joint_name);
  return j;
}

static void
set_position(both_t * b)
{
  for (int i = 0; i < b->model->nbody; i++) {
    const mbd_body_t * body = &b->model->body[i];
    double * to = b->d->qpos + b->m->jnt_qposadr[joint_of(b, i)];
    const double * from = b->q + body->q_index;
    const int at = body->type == MBD_JOINT_FREE ? 3 : 0;
    for (int k = 0; k < body->nq; k++) to[k] = from[k];
    if (body->nq < 4) continue;
    to[at] = from[at + 3];
    for (int k = 0; k < 3; k++) to[at + 1 + k] = from[at + k];
  }
}

// T: their velocity of each of ours
static void
fill_T(both_t * b)
{
  mju_zero(b->T, b->nv * b->nv);
  for (int i = 0; i < b->model->nbody; i++) {
    const mbd_body_t * body = &b->model->body[i];
    const int j = joint_of(b, i), at = b->m->jnt_dofadr[j];
    double R[9];
    mju_quat2Mat(R, b->d->qpos + b->m->jnt_qposadr[j] + 3);
    for (int k = 0; k < body->nv; k++) {
      const int column = body->v_index + k;
      if (body->type != MBD_JOINT_FREE || k >= 3) {
        b->T[(at + k) * b->nv + column] = 1;
        continue;
      }
      for (int r = 0; r < 3; r++) b->T[(at + r) * b->nv + column] = R[3 * r + k];
    }
  }
}

// their acceleration: T a, and what turns with a free body
static void
set_motion(both_t * b, const double * a)
{
  mju_mulMatVec(b->d->qvel, b->T, b->v, b->nv, b->nv);
  mju_mulMatVec(b->d->qacc, b->T, a, b->nv, b->nv);
  for (int i = 0; i < b->model->nbody; i++) {
    const mbd_body_t * body = &b->model->body[i];
    if (body->type != MBD_JOINT_FREE) continue;
    const double * v = b->v + body->v_index;
    const int j = joint_of(b, i);
    double c[3], R[9], world[3];
    mju_cross(c, v + 3, v);
    mju_quat2Mat(R, b->d->qpos + b->m->jnt_qposadr[j] + 3);
    mju_rotVecMat(world, c, R);
    mju_addTo3(b->d->qacc + b->m->jnt_dofadr[j], world);
  }
}

//---------- what is compared ----------

// torques of frictionloss, which MuJoCo has as a constraint
static void
add_friction(const both_t * b, double * tau)
{
  for (int i = 0; i < b->model->nbody; i++) {
    const mbd_body_t * body = &b->model->body[i];
    for (int k = 0; k < body->nv; k++) {
      const int dof = b->m->jnt_dofadr[joint_of(b, i)] + k;
      const double v = b->v[body->v_index + k];
      tau[body->v_index + k] +=
        b->m->dof_frictionloss[dof] * tanh(v / body->drive.coulomb_velocity);
    }
  }
}

static void
compare_torques(both_t * b, const double * a, const char * what)
{
  set_motion(b, a);
  mj_inverse(b->m, b->d);
  mju_mulMatTVec(b->one, b->T, b->d->qfrc_inverse, b->nv, b->nv);
  add_friction(b, b->one);
  assert_ok(mbd_inverse_dynamics(b->model, b->data, b->q, b->v, a, NULL, b->two));
  assert_close(b->two, b->one, b->nv, b->tolerance, "%s: %s", b->file, what);
}

static void
compare_mass_matrix(both_t * b)
{
  const int n = b->nv;
  mj_fullM(b->m, b->one, b->d->qM);
  mju_mulMatMat(b->two, b->one, b->T, n, n, n);
  mju_mulMatTMat(b->one, b->T, b->two, n, n, n);
  assert_ok(mbd_mass_matrix(b->model, b->data, b->two));
  assert_close(b->two, b->one, n * n, b->tolerance, "%s: M", b->file);
}

static void
compare_frame(both_t * b, const char * name, const double * p, const double * R, int body)
{
  const int n = b->nv;
  int frame;
  if (mbd_find_frame(b->model, name, &frame) != MBD_OK) fail_msg("%s: no frame %s", b->file, name);
  mbd_placement_t X;
  assert_ok(mbd_frame_placement(b->model, b->data, frame, &X));
  const double origin[3] = {X.p.x, X.p.y, X.p.z};
  assert_close_(origin, p, 3, 1e-9, 1, __FILE__, __LINE__, "%s: position of %s", b->file, name);
  assert_close(X.R.m, R, 9, 1e-9, "%s: axes of %s", b->file, name);
  mj_jac(b->m, b->d, b->three + 3 * n, b->three, p, body);
  mju_mulMatMat(b->one, b->three, b->T, 6, n, n);
  assert_ok(mbd_jacobian(b->model, b->data, frame, MBD_LOCAL_WORLD_ALIGNED, b->two));
  assert_close_(
    b->two, b->one, 6 * (size_t)n, 1e-9, 1, __FILE__, __LINE__, "%s: Jacobian of %s", b->file,
    name);
}

static void
compare_frames(both_t * b)
{
  for (int i = 1; i < b->m->nbody; i++)
    if (b->m->names[b->m->name_bodyadr[i]])
      compare_frame(
        b, b->m->names + b->m->name_bodyadr[i], b->d->xpos + 3 * i, b->d->xmat + 9 * i, i);
  for (int i = 0; i < b->m->nsite; i++) {
    char name[100];
    snprintf(name, sizeof name, "%s", b->m->names + b->m->name_siteadr[i]);
    if (!*name) continue;
    if (mj_name2id(b->m, mjOBJ_BODY, name) >= 0) strcat(name, "_site");
    compare_frame(b, name, b->d->site_xpos + 3 * i, b->d->site_xmat + 9 * i, b->m->site_bodyid[i]);
  }
}

// limits and names are those of MuJoCo
static void
compare_limits(const both_t * b)
{
  for (int i = 0; i < b->model->nbody; i++) {
    const mbd_body_t * body = &b->model->body[i];
    const int j = joint_of(b, i);
    if (body->nv > 1) continue;
    const double ours[2] = {body->limits.lower, body->limits.upper};
    if (b->m->jnt_limited[j])
      assert_close(ours, b->m->jnt_range + 2 * j, 2, 1e-12, "%s: limits", b->file);
    else
      assert_true(isinf(ours[0]) && isinf(ours[1]));
  }
}

//---------- equalities ----------

// rows to an orthonormal set; how many are independent
static int
orthonormalise(double * rows, int nrow, int n)
{
  int rank = 0;
  for (int i = 0; i < nrow; i++) {
    double * x = rows + rank * n;
    memmove(x, rows + i * n, (size_t)n * sizeof *x);
    const double length = mju_norm(x, n);
    for (int twice = 0; twice < 2; twice++)
      for (int k = 0; k < rank; k++) mju_addToScl(x, rows + k * n, -mju_dot(x, rows + k * n, n), n);
    const double rest = mju_norm(x, n);
    if (rest > 1e-7 * length) mju_scl(x, x, 1 / rest, n), rank++;
  }
  return rank;
}

// every row of A within the span of the orthonormal rows of B
static void
assert_spanned(const char * file, const double * A, int nA, const double * B, int nB, int n)
{
  double * x = calloc((size_t)n + 1, sizeof *x);
  double * zero = calloc((size_t)n + 1, sizeof *zero);
  for (int i = 0; i < nA; i++) {
    mju_copy(x, A + i * n, n);
    for (int k = 0; k < nB; k++) mju_addToScl(x, B + k * n, -mju_dot(A + i * n, B + k * n, n), n);
    assert_close_(x, zero, (size_t)n, 1e-8, 1, __FILE__, __LINE__, "%s: row %d", file, i);
  }
  free(x), free(zero);
}

// a configuration that closes all loops, by Gauss and Newton from a random one; false if there is none near
static bool
close_loops(both_t * b)
{
  const int n = b->nv, r = b->model->nrow;
  double d[64], S[64 * 64], *G = b->one, *next = b->three;
  assert_true(r <= 60);
  for (int step = 0; step < 60; step++) {
    assert_ok(mbd_set_position(b->model, b->data, b->q));
    assert_ok(mbd_closure_error(b->model, b->data, 0, d));
    if (mju_norm(d, r) < 1e-12) return true;
    assert_ok(mbd_closure_jacobian(b->model, b->data, G));
    for (int i = 0; i < r; i++)
      for (int j = 0; j < r; j++)
        S[i * r + j] = mju_dot(G + i * n, G + j * n, n) + (i == j ? 1e-10 : 0);
    if (mju_cholFactor(S, r, 1e-15) < r) return false;
    mju_cholSolve(d, S, d, r);
    mju_mulMatTVec(b->two, G, d, r, n);
    mju_scl(b->two, b->two, -1, n);
    assert_ok(mbd_integrate(b->model, b->q, b->two, 1, next));
    mju_copy(b->q, next, b->nq);
  }
  return false;
}

static void
compare_equalities(both_t * b)
{
  const int n = b->nv, disabled = b->m->opt.disableflags;
  int closed = 0;
  for (int s = 0; s < STATES; s++) {
    assert_ok(mbd_neutral(b->model, b->q));
    for (int i = 0; i < n; i++) b->v[i] = 0.3 * sin(1 + i + 7 * s);
    assert_ok(mbd_integrate(b->model, b->q, b->v, 1, b->three));
    mju_copy(b->q, b->three, b->nq);
    if (!close_loops(b)) continue;
    closed++;
    b->m->opt.disableflags =
      mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | (disabled & ~mjDSBL_CONSTRAINT);
    set_position(b);
    fill_T(b);
    mj_forward(b->m, b->d);
    b->m->opt.disableflags = disabled;
    assert_int_equal(b->d->nefc, b->model->nrow);
    double zero[64] = {0};
    assert_close_(
      b->d->efc_pos, zero, (size_t)b->d->nefc, 1e-9, 1, __FILE__, __LINE__, "%s: closed", b->file);
    double * ours = calloc((size_t)(3 * b->model->nrow * n), sizeof *ours);
    double *theirs = ours + b->model->nrow * n, *rows = theirs + b->model->nrow * n;
    mju_mulMatMat(theirs, b->d->efc_J, b->T, b->d->nefc, n, n);
    assert_ok(mbd_closure_jacobian(b->model, b->data, ours));
    mju_copy(rows, theirs, b->model->nrow * n);
    const int rank = orthonormalise(rows, b->model->nrow, n);
    assert_spanned(b->file, ours, b->model->nrow, rows, rank, n);
    assert_int_equal(orthonormalise(ours, b->model->nrow, n), rank);
    free(ours);
  }
  assert_true(closed >= STATES / 2);
}

//---------- all models ----------

static double
uniform(unsigned * seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

static void
compare(const char * folder, const char * file)
{
  both_t b = load(folder, file);
  unsigned seed = 1;
  compare_limits(&b);
  for (int k = 0; k < 3; k++) {
    const double g[3] = {b.model->gravity.x, b.model->gravity.y, b.model->gravity.z};
    assert_close(g, b.m->opt.gravity, 3, 1e-12, "%s: gravity", file);
  }
  double * zero = calloc((size_t)b.nv + 1, sizeof *zero);
  for (int s = 0; s < STATES; s++) {
    assert_ok(mbd_random_configuration(b.model, (uint64_t)s + 1, b.q));
    for (int i = 0; i < b.nv; i++) b.v[i] = 2 * uniform(&seed), b.a[i] = 5 * uniform(&seed);
    set_position(&b);
    fill_T(&b);
    mj_forward(b.m, b.d);
    assert_ok(mbd_set_position(b.model, b.data, b.q));
    compare_mass_matrix(&b);
    compare_frames(&b);
    compare_torques(&b, zero, "bias");
    compare_torques(&b, b.a, "inverse dynamics");
  }
  free(zero);
  if (b.model->nclosure > 0) compare_equalities(&b);
  unload(&b);
}

static void
agrees_with_mujoco(void ** state)
{
  (void)state;
  const char * folder = MBDYN_SOURCE_DIR "/test/data/mjcf";
  DIR * dir = opendir(folder);
  assert_non_null(dir);
  int n = 0;
  for (struct dirent * e; (e = readdir(dir)) != NULL;) {
    const char * dot = strrchr(e->d_name, '.');
    if (!dot || strcmp(dot, ".xml") != 0) continue;
    compare(folder, e->d_name);
    n++;
  }
  closedir(dir);
  print_message("%d models\n", n);
  assert_true(n >= 30);
}

// what is written of the URDF robots is what MuJoCo reads
static void
written_robots(void ** state)
{
  (void)state;
  const char * folder = MBDYN_SOURCE_DIR "/config/robots";
  char made[] = "/tmp/mbdyn_mjcf_XXXXXX";
  assert_non_null(mkdtemp(made));
  DIR * dir = opendir(folder);
  assert_non_null(dir);
  int n = 0;
  for (struct dirent * e; (e = readdir(dir)) != NULL;) {
    const char * dot = strrchr(e->d_name, '.');
    if (!dot || strcmp(dot, ".urdf") != 0) continue;
    for (int base = 0; base < 2; base++) {
      char path[PATH], name[300];
      snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
      mbdx_urdf_options_t options = mbdx_urdf_options_default();
      options.embed = false, options.mimic_independent = true, options.base = (mbdx_base_t)base;
      mbd_model_t * model;
      assert_ok(mbdx_urdf_load_file(path, &options, &model, NULL));
      char * text;
      assert_ok(mbdx_mjcf_write(model, &text, NULL, NULL));
      snprintf(name, sizeof name, "%s%d.xml", e->d_name, base);
      snprintf(path, sizeof path, "%s/%s", made, name);
      FILE * to = fopen(path, "wb");
      assert_non_null(to);
      fputs(text, to);
      assert_int_equal(fclose(to), 0);
      compare(made, name);
      remove(path);
      mbdx_robot_text_free(text);
      mbd_model_destroy(model);
      n++;
    }
  }
  closedir(dir);
  rmdir(made);
  print_message("%d robots\n", n);
  assert_true(n >= 10);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(agrees_with_mujoco), cmocka_unit_test(written_robots)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
