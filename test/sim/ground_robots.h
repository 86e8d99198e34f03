/// \file ground_robots.h
/// Robots on the ground.
///
///   standing_robot   one of config/robots on a free base, with the contacts of its URDF
///   stance_torques   static torques of a stance, by a dense solution of its own
#ifndef GROUND_ROBOTS_H_
#define GROUND_ROBOTS_H_

#include <stdlib.h>

#include "contacts.h"
#include "robots.h"

/// |a - b| <= tolerance
static inline void
near_to(const char * what, double a, double b, double tolerance)
{
  if (!(fabs(a - b) <= tolerance))
    fail_msg("%s: %.12g instead of %.12g, by %.3g", what, a, b, a - b);
}

static inline char *
read_text(const char * path, size_t * size)
{
  FILE * file = fopen(path, "rb");
  assert_non_null(file);
  char * text = calloc(1 << 20, 1);
  *size = fread(text, 1, 1 << 20, file);
  fclose(file);
  return text;
}

/// Contacts of a URDF's shapes; to be freed.
static inline int
contacts_of_file(const mbd_model_t * model, const char * path, plant_contact_t ** contact)
{
  size_t size;
  char why[256] = "", *text = read_text(path, &size);
  mbdx_shapes_t * shapes;
  assert_ok(mbdx_shapes_load_string(text, size, path, &shapes, NULL));
  const int n = contacts_create(model, shapes, NULL, 0, contact, why, sizeof why);
  if (n < 0) fail_msg("%s", why);
  mbdx_shapes_free(shapes);
  free(text);
  return n;
}

/// Base free, ground on, base placed on it at each reset.
static inline plant_t *
standing_robot(const char * name)
{
  char path[512];
  snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/config/robots/%s.urdf", name);
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(path, &options, &model, NULL));
  plant_t * plant = plant_create(model);
  assert_non_null(plant);
  plant_contact_t * contact;
  const int n = contacts_of_file(model, path, &contact);
  assert_true(n > 0 && plant_set_contacts(plant, n, contact));
  free(contact);
  plant_options_t o = plant_options_default(model);
  o.ground.on = true;
  o.ground.clearance = 0;
  plant_set_options(plant, &o);
  return plant;
}

/// x = A^-1 b by elimination with pivots, n <= 8.
static inline void
solve_small(int n, double * A, double * b, double * x)
{
  for (int i = 0; i < n; i++) {
    int p = i;
    for (int r = i + 1; r < n; r++) {
      if (fabs(A[r * n + i]) > fabs(A[p * n + i])) p = r;
    }
    assert_true(fabs(A[p * n + i]) > 1e-12);
    for (int c = 0; c < n; c++) {
      const double t = A[i * n + c];
      A[i * n + c] = A[p * n + c], A[p * n + c] = t;
    }
    const double t = b[i];
    b[i] = b[p], b[p] = t;
    for (int r = i + 1; r < n; r++) {
      const double f = A[r * n + i] / A[i * n + i];
      for (int c = i; c < n; c++) A[r * n + c] -= f * A[i * n + c];
      b[r] -= f * b[i];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] = b[i];
    for (int c = i + 1; c < n; c++) x[i] -= A[i * n + c] * x[c];
    x[i] /= A[i * n + i];
  }
}

/// Torques that hold q with forces at the contacts nearer to the ground than 1e-6 m, of least norm: rows of the free
/// base say g = sum of J^T f, f = A^T (A A^T)^-1 g.
static inline void
stance_torques(plant_t * plant, const double * q, double * tau)
{
  enum { MOST = 64 };
  const mbd_model_t * m = plant->model;
  mbd_data_t * data;
  double *J = calloc(6 * (size_t)m->nv, sizeof *J), *g = calloc((size_t)m->nv, sizeof *g);
  double(*rows)[3][64] = calloc(MOST, sizeof *rows);
  int n = 0;
  assert_true(m->nv <= 64);
  assert_ok(mbd_data_create(m, &data));
  assert_ok(mbd_set_position(m, data, q));
  assert_ok(mbd_gravity(m, data, g));
  for (int k = 0; k < plant->ncontact; k++) {
    const plant_contact_t * c = &plant->contact[k];
    mbd_placement_t X;
    assert_ok(mbd_frame_placement(m, data, c->frame, &X));
    mbd_vec3_t p = mbdu_vec3_add(X.p, mbdu_mat3_vec(&X.R, c->centre));
    p.z -= c->radius;
    if (c->rim > 0 || p.z > 1e-6) continue;
    assert_ok(mbd_jacobian(m, data, c->frame, MBD_WORLD, J));
    for (int j = 0; j < m->nv; j++) {
      const mbd_vec3_t w = {J[j], J[m->nv + j], J[2 * m->nv + j]};
      const mbd_vec3_t v = mbdu_vec3_add(
        mbdu_vec3(J[3 * m->nv + j], J[4 * m->nv + j], J[5 * m->nv + j]), mbdu_vec3_cross(w, p));
      rows[n][0][j] = v.x, rows[n][1][j] = v.y, rows[n][2][j] = v.z;
    }
    n++;
  }
  assert_true(n >= 3);
  double A[36] = {0}, b[6], y[6];
  for (int i = 0; i < 6; i++) {
    b[i] = g[i];
    for (int j = 0; j < 6; j++) {
      for (int k = 0; k < 3 * n; k++) A[6 * i + j] += rows[k / 3][k % 3][i] * rows[k / 3][k % 3][j];
    }
  }
  solve_small(6, A, b, y);
  for (int j = 0; j < m->nv; j++) tau[j] = j < 6 ? 0 : g[j];
  for (int k = 0; k < 3 * n; k++) {
    double f = 0;
    for (int i = 0; i < 6; i++) f += rows[k / 3][k % 3][i] * y[i];
    for (int j = 6; j < m->nv; j++) tau[j] -= rows[k / 3][k % 3][j] * f;
  }
  free(J), free(g), free(rows);
  mbd_data_destroy(data);
}

static inline double
weight_of(const mbd_model_t * m)
{
  double mass = 0;
  for (int i = 0; i < m->nbody; i++) mass += m->body[i].inertia.mass;
  return 9.81 * mass;
}

#endif  // GROUND_ROBOTS_H_
