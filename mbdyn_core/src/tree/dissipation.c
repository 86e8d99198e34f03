// Friction of joints as the gradient of a dissipation function.
#include "mbdyn/dynamics/dissipation.h"

#include <math.h>

#include "state/state.h"

mbd_dissipation_t
mbd_dissipation_default(void)
{
  const mbd_dissipation_t none = {0};
  return none;
}

// |v|, smoothed for |v| of the order of s; its derivative
static double
smooth_size(double v, double s, double * slope)
{
  const double root = hypot(v, s);
  *slope = root > 0 ? v / root : 0;
  // cancellation in the difference for v << s
  return root > 0 ? v * v / (root + s) : 0;
}

static double
force_of(const mbd_dissipation_t * f, double v)
{
  double slope;
  const double r = smooth_size(v, f->smooth, &slope);
  return -f->viscous * v - (f->coulomb + f->stribeck * exp(-f->decay * r)) * slope;
}

static double
function_of(const mbd_dissipation_t * f, double v)
{
  double slope;
  const double r = smooth_size(v, f->smooth, &slope);
  const double low = f->decay > 0 ? -expm1(-f->decay * r) / f->decay : r;
  return 0.5 * f->viscous * v * v + f->coulomb * r + f->stribeck * low;
}

static mbd_status_t
check_friction(int n, const mbd_dissipation_t * friction, const double * v, const double * out)
{
  if (!friction || !v || !out) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  for (int i = 0; i < n; i++) {
    const mbd_dissipation_t * f = &friction[i];
    const double numbers[5] = {f->viscous, f->coulomb, f->stribeck, f->decay, f->smooth};
    if (!finite_array(numbers, 5)) return MBD_ERROR_NOT_FINITE;
    for (int k = 0; k < 5; k++) {
      if (numbers[k] < 0) return MBD_ERROR_BAD_ARGUMENT;
    }
  }
  return finite_array(v, n) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbd_dissipation_force(int n, const mbd_dissipation_t * friction, const double * v, double * delta)
{
  CHECK(check_friction(n, friction, v, delta));
  for (int i = 0; i < n; i++) {
    if (!isfinite(force_of(&friction[i], v[i]))) return MBD_ERROR_NOT_FINITE;
  }
  for (int i = 0; i < n; i++) delta[i] = force_of(&friction[i], v[i]);
  return MBD_OK;
}

// a sum over the joints, if it is finite
static mbd_status_t
sum_of(
  int n, const mbd_dissipation_t * friction, const double * v,
  double (*term)(const mbd_dissipation_t *, double), double * out)
{
  CHECK(check_friction(n, friction, v, out));
  double sum = 0;
  for (int i = 0; i < n; i++) sum += term(&friction[i], v[i]);
  if (!isfinite(sum)) return MBD_ERROR_NOT_FINITE;
  *out = sum;
  return MBD_OK;
}

mbd_status_t
mbd_rayleigh_function(int n, const mbd_dissipation_t * friction, const double * v, double * D)
{
  return sum_of(n, friction, v, function_of, D);
}

static double
power_of(const mbd_dissipation_t * f, double v)
{
  return -force_of(f, v) * v;
}

mbd_status_t
mbd_dissipation_power(int n, const mbd_dissipation_t * friction, const double * v, double * power)
{
  return sum_of(n, friction, v, power_of, power);
}
