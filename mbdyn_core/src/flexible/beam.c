// Euler-Bernoulli beams: roots of the frequency equations, mode shapes, and nodes at Gauss points,
// so that modal integrals are exact to rounding.
#include <math.h>
#include <string.h>

#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/spatial.h"
#include "state/state.h"

#define PI 3.14159265358979323846

enum { MOST_POINTS = 200, MOST_MODES = 50 };

mbd_beam_spec_t
mbd_beam_spec_default(void)
{
  mbd_beam_spec_t spec = {0};
  spec.length = 1;
  spec.mass_per_length = 1;
  spec.support = MBD_BEAM_CANTILEVER;
  spec.X = mbdu_placement_identity();
  return spec;
}

//---------- modes ----------

// cos x + s / cosh x = 0 from a guess, s = 1 clamped at one end, -1 free
static double
frequency_root(double x, double s)
{
  for (int k = 0; k < 50; k++) {
    const double sech = 1 / cosh(x);
    const double step = (cos(x) + s * sech) / (-sin(x) - s * sech * tanh(x));
    x -= step;
    if (fabs(step) < 1e-15 * x) break;
  }
  return x;
}

double
mbd_beam_root(mbd_beam_support_t support, int mode)
{
  if (mode < 1) return 0;
  switch (support) {
    case MBD_BEAM_CANTILEVER: return frequency_root((mode - 0.5) * PI, 1);
    case MBD_BEAM_PINNED: return mode * PI;
    case MBD_BEAM_FREE: return frequency_root((mode + 0.5) * PI, -1);
  }
  return 0;
}

// deflection and slope of a mode at x = z / beta; the mean of its square is 1. cosh - sigma sinh is
// written without the difference of large numbers
static void
mode_shape(mbd_beam_support_t support, double root, double z, double * w, double * slope)
{
  if (support == MBD_BEAM_PINNED) {
    *w = sqrt(2) * sin(z), *slope = sqrt(2) * cos(z);
    return;
  }
  // s = -1: cosh - cos - sigma (sinh - sin); s = 1: cosh + cos - sigma (sinh + sin)
  const double s = support == MBD_BEAM_FREE ? 1 : -1;
  const double fade = exp(-root);
  // 2 exp(-root) (sinh(root) - s sin(root))
  const double below = 1 - fade * fade - 2 * s * sin(root) * fade;
  // 1 - sigma is this times exp(-root)
  const double excess = 2 * (s * cos(root) - s * sin(root) - fade) / below;
  const double sigma = 1 - excess * fade;
  const double grows = 0.5 * excess * exp(z - root), fades = 0.5 * (1 + sigma) * exp(-z);
  *w = grows + fades + s * (cos(z) - sigma * sin(z));
  *slope = grows - fades + s * (-sin(z) - sigma * cos(z));
}

//---------- quadrature ----------

// n Gauss points of [0, 1] and their weights
static void
gauss_points(int n, double * x, double * weight)
{
  for (int i = 0; i < n; i++) {
    double t = cos(PI * (i + 0.75) / (n + 0.5)), rate = 1;
    for (int k = 0; k < 50; k++) {
      double p = 1, before = 0;
      for (int j = 1; j <= n; j++) {
        const double next = ((2 * j - 1) * t * p - (j - 1) * before) / j;
        before = p, p = next;
      }
      rate = n * (t * p - before) / (t * t - 1);
      t -= p / rate;
      if (fabs(p / rate) < 1e-15) break;
    }
    x[n - 1 - i] = 0.5 * (1 + t);
    weight[n - 1 - i] = 1 / ((1 - t * t) * rate * rate);
  }
}

//---------- nodes ----------

typedef struct beam {
  const mbd_beam_spec_t * spec;
  int npoint;
  double point[MOST_POINTS], weight[MOST_POINTS];
} beam_t;

// number of mode k in its plane, from 1; true if it deflects along y
static bool
plane_of(const mbd_beam_spec_t * spec, int k, int * mode)
{
  *mode = k < spec->modes_y ? k + 1 : k - spec->modes_y + 1;
  return k < spec->modes_y;
}

static void
shape_at(const mbd_beam_spec_t * spec, int k, double x, double * w, double * slope)
{
  int mode;
  plane_of(spec, k, &mode);
  const double root = mbd_beam_root(spec->support, mode), beta = root / spec->length;
  mode_shape(spec->support, root, beta * x, w, slope);
  *slope *= beta;
}

// a deflection along y turns about z, one along z about -y
static void
put_shape(const beam_t * beam, int node, double x, mbd_modal_body_t * body)
{
  const mbd_beam_spec_t * spec = beam->spec;
  for (int k = 0; k < body->nmode; k++) {
    double w, slope;
    int mode;
    shape_at(spec, k, x, &w, &slope);
    const bool y = plane_of(spec, k, &mode);
    mbd_motion_t * shape = node < 0 ? &body->hinge[k] : &body->shape[node * body->nmode + k];
    shape->ang = mbdu_mat3_vec(&spec->X.R, mbdu_vec3(0, y ? 0 : -slope, y ? slope : 0));
    shape->lin = mbdu_mat3_vec(&spec->X.R, mbdu_vec3(0, y ? w : 0, y ? 0 : w));
  }
}

// a length of beam that has the slope w' reaches 1 - w'^2 / 2 along x
static void
put_shortening(const beam_t * beam, int node, double x, mbd_modal_body_t * body)
{
  const mbd_beam_spec_t * spec = beam->spec;
  const int m = body->nmode;
  double slope[2 * MOST_MODES];
  for (int g = 0; g < beam->npoint; g++) {
    const double at = x * beam->point[g], weight = x * beam->weight[g];
    double w;
    int mode;
    for (int k = 0; k < m; k++) shape_at(spec, k, at, &w, &slope[k]);
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < m; j++) {
        if (plane_of(spec, i, &mode) != plane_of(spec, j, &mode)) continue;
        mbd_vec3_t * bend = &body->bend[(node * m + i) * m + j];
        const mbd_vec3_t back = mbdu_vec3(-weight * (slope[i] * slope[j]), 0, 0);
        *bend = mbdu_vec3_add(*bend, mbdu_mat3_vec(&spec->X.R, back));
      }
    }
  }
}

static void
put_node(const beam_t * beam, int node, double x, double weight, mbd_modal_body_t * body)
{
  const mbd_beam_spec_t * spec = beam->spec;
  const double length = weight * spec->length;
  const mbd_sym3_t polar = {length * spec->polar, 0, 0, 0, 0, 0};
  body->position[node] = mbdu_mat3_vec(&spec->X.R, mbdu_vec3(x, 0, 0));
  body->inertia[node].mass = length * spec->mass_per_length;
  body->inertia[node].I = mbdu_sym3_rotate(&spec->X.R, &polar);
  put_shape(beam, node, x, body);
  if (body->has_bend) put_shortening(beam, node, x, body);
}

// EI times the integral of the square of w'': beta^4 L of a mode that is scaled as here
static void
put_stiffness(const mbd_beam_spec_t * spec, mbd_modal_body_t * body)
{
  for (int k = 0; k < body->nmode; k++) {
    int mode;
    const double EI = plane_of(spec, k, &mode) ? spec->bending_y : spec->bending_z;
    const double root = mbd_beam_root(spec->support, mode);
    const double stiffness = EI * pow(root, 4) / pow(spec->length, 3);
    const double mass = spec->mass_per_length * spec->length;
    body->stiffness[k * (body->nmode + 1)] = stiffness;
    body->damping[k * (body->nmode + 1)] = 2 * spec->damping_ratio * sqrt(stiffness * mass);
  }
}

//---------- the beam ----------

static int
points_of(const mbd_beam_spec_t * spec)
{
  const int most = spec->modes_y > spec->modes_z ? spec->modes_y : spec->modes_z;
  return spec->points > 0 ? spec->points : 2 * most + 10;
}

static mbd_status_t
check_spec(const mbd_beam_spec_t * spec)
{
  const double number[] = {spec->length,    spec->mass_per_length, spec->polar,
                           spec->bending_y, spec->bending_z,       spec->damping_ratio};
  if (!finite_array(number, 6) || !finite_array(spec->X.R.m, 9)) return MBD_ERROR_NOT_FINITE;
  const bool good =
    spec->length > 0 && spec->mass_per_length > 0 && spec->polar >= 0 && spec->damping_ratio >= 0 &&
    spec->modes_y >= 0 && spec->modes_z >= 0 && spec->modes_y <= MOST_MODES &&
    spec->modes_z <= MOST_MODES && spec->modes_y + spec->modes_z > 0 &&
    (spec->modes_y == 0 || spec->bending_y > 0) && (spec->modes_z == 0 || spec->bending_z > 0) &&
    spec->points >= 0 && points_of(spec) <= MOST_POINTS && (int)spec->support >= 0 &&
    (int)spec->support <= MBD_BEAM_FREE && spec->nstation >= 0 && spec->nstation <= 5000 &&
    (spec->nstation == 0 || spec->station) && mbdu_vec3_norm(spec->X.p) == 0;
  if (!good) return MBD_ERROR_BAD_ARGUMENT;
  for (int k = 0; k < spec->nstation; k++) {
    if (!(spec->station[k] >= 0 && spec->station[k] <= spec->length)) {
      return finite_array(&spec->station[k], 1) ? MBD_ERROR_BAD_ARGUMENT : MBD_ERROR_NOT_FINITE;
    }
  }
  return MBD_OK;
}

mbd_status_t
mbd_beam_create(const mbd_beam_spec_t * spec, mbd_modal_body_t ** body)
{
  if (!spec || !body) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_spec(spec));
  beam_t beam = {.spec = spec, .npoint = points_of(spec)};
  gauss_points(beam.npoint, beam.point, beam.weight);
  mbd_modal_body_t * made;
  CHECK(
    mbd_modal_body_create(spec->modes_y + spec->modes_z, beam.npoint + spec->nstation + 1, &made));
  made->has_bend = !spec->no_shortening;
  made->has_hinge = spec->support != MBD_BEAM_CANTILEVER;
  int node = 0;
  for (int k = 0; k < beam.npoint; k++) {
    put_node(&beam, node++, beam.point[k] * spec->length, beam.weight[k], made);
  }
  for (int k = 0; k < spec->nstation; k++) put_node(&beam, node++, spec->station[k], 0, made);
  put_node(&beam, node, spec->length, 0, made);
  if (made->has_hinge) put_shape(&beam, -1, 0, made);
  put_stiffness(spec, made);
  *body = made;
  return MBD_OK;
}
