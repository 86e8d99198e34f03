// What can be measured, by name.
#include "functions.h"

#include <string.h>

const bench_function_info_t bench_functions[BENCH_FUNCTIONS] = {
  [BENCH_FORWARD_KINEMATICS] =
    {"fk", "forward kinematics", false, false, false, BENCH_FORWARD_KINEMATICS},
  [BENCH_INVERSE_DYNAMICS] =
    {"id", "inverse dynamics", false, false, false, BENCH_INVERSE_DYNAMICS},
  [BENCH_GRAVITY] = {"gravity", "gravity torque", false, false, false, BENCH_GRAVITY},
  [BENCH_BIAS] = {"bias", "bias", false, false, false, BENCH_BIAS},
  [BENCH_MASS_MATRIX] = {"mass", "mass matrix", true, false, false, BENCH_MASS_MATRIX},
  [BENCH_FORWARD_DYNAMICS] =
    {"fd", "forward dynamics", false, false, false, BENCH_FORWARD_DYNAMICS},
  [BENCH_MASS_INVERSE] = {"minv", "M inverse", true, false, false, BENCH_MASS_INVERSE},
  [BENCH_JACOBIAN] = {"jacobian", "Jacobian of one frame", false, false, false, BENCH_JACOBIAN},
  [BENCH_JACOBIAN_BIAS] = {"jdotv", "Jdot v", false, false, false, BENCH_JACOBIAN_BIAS},
  [BENCH_OPERATIONAL_INERTIA] =
    {"opspace", "operational-space inertia", false, false, false, BENCH_OPERATIONAL_INERTIA},
  [BENCH_OPERATIONAL_INERTIAS] =
    {"opspaces", "operational-space inertia, several frames", false, false, false,
     BENCH_OPERATIONAL_INERTIAS},
  [BENCH_CENTROIDAL_MOMENTUM] =
    {"momentum", "centroidal momentum", false, false, false, BENCH_CENTROIDAL_MOMENTUM},
  [BENCH_BATCH_INVERSE_DYNAMICS] =
    {"batch_id", "batch inverse dynamics", false, true, false, BENCH_INVERSE_DYNAMICS},
  [BENCH_BATCH_FORWARD_DYNAMICS] =
    {"batch_fd", "batch forward dynamics", false, true, false, BENCH_FORWARD_DYNAMICS},
  [BENCH_BATCH_MASS_MATRIX] =
    {"batch_mass", "batch mass matrix", true, true, false, BENCH_MASS_MATRIX},
  [BENCH_BATCH_BIAS] = {"batch_bias", "batch bias", false, true, false, BENCH_BIAS},
  [BENCH_BATCH_GRAVITY] =
    {"batch_gravity", "batch gravity torque", false, true, false, BENCH_GRAVITY},
  [BENCH_BATCH_KINEMATICS] =
    {"batch_fk", "batch forward kinematics", false, true, false, BENCH_FORWARD_KINEMATICS},
  [BENCH_BATCH_JACOBIAN] = {"batch_jacobian", "batch Jacobian", false, true, false, BENCH_JACOBIAN},
  [BENCH_SOA_INVERSE_DYNAMICS] =
    {"soa_id", "inverse dynamics, SoA", false, true, false, BENCH_INVERSE_DYNAMICS},
  [BENCH_SOA_FORWARD_DYNAMICS] =
    {"soa_fd", "forward dynamics, SoA", false, true, false, BENCH_FORWARD_DYNAMICS},
  [BENCH_SOA_MASS_MATRIX] = {"soa_mass", "mass matrix, SoA", true, true, false, BENCH_MASS_MATRIX},
  [BENCH_INVERSE_DERIVATIVES] =
    {"id_derivatives", "derivatives of inverse dynamics", true, false, false,
     BENCH_INVERSE_DERIVATIVES},
  [BENCH_FORWARD_DERIVATIVES] =
    {"fd_derivatives", "derivatives of forward dynamics", true, false, false,
     BENCH_FORWARD_DERIVATIVES},
  [BENCH_KINETIC_ENERGY] = {"kinetic", "kinetic energy", false, false, false, BENCH_KINETIC_ENERGY},
  [BENCH_INVERSE_DYNAMICS_WRENCH] =
    {"id_wrench", "inverse dynamics, one wrench", false, false, false,
     BENCH_INVERSE_DYNAMICS_WRENCH},
  [BENCH_FORWARD_DYNAMICS_WRENCH] =
    {"fd_wrench", "forward dynamics, one wrench", false, false, false,
     BENCH_FORWARD_DYNAMICS_WRENCH},
  [BENCH_INTEGRATE] = {"integrate", "integrate q", false, false, false, BENCH_INTEGRATE},
  [BENCH_CONTACT_STEP] =
    {"contact_step", "step without contact", false, false, false, BENCH_CONTACT_STEP},
  [BENCH_BATCH_INVERSE_DERIVATIVES] =
    {"batch_id_derivatives", "batch derivatives of inverse dynamics", true, true, false,
     BENCH_INVERSE_DERIVATIVES},
  [BENCH_BATCH_FORWARD_DERIVATIVES] =
    {"batch_fd_derivatives", "batch derivatives of forward dynamics", true, true, false,
     BENCH_FORWARD_DERIVATIVES},
  [BENCH_F32_INVERSE_DYNAMICS] =
    {"f32_id", "inverse dynamics, SoA, float32", false, true, true, BENCH_INVERSE_DYNAMICS},
  [BENCH_F32_FORWARD_DYNAMICS] =
    {"f32_fd", "forward dynamics, SoA, float32", false, true, true, BENCH_FORWARD_DYNAMICS},
  [BENCH_F32_MASS_MATRIX] =
    {"f32_mass", "mass matrix, SoA, float32", true, true, true, BENCH_MASS_MATRIX},
  [BENCH_SOA_INVERSE_DERIVATIVES] =
    {"soa_id_derivatives", "derivatives of inverse dynamics, SoA", true, true, false,
     BENCH_INVERSE_DERIVATIVES},
  [BENCH_SOA_FORWARD_DERIVATIVES] =
    {"soa_fd_derivatives", "derivatives of forward dynamics, SoA", true, true, false,
     BENCH_FORWARD_DERIVATIVES},
  [BENCH_F32_INVERSE_DERIVATIVES] =
    {"f32_id_derivatives", "derivatives of inverse dynamics, SoA, float32", true, true, true,
     BENCH_INVERSE_DERIVATIVES},
  [BENCH_F32_FORWARD_DERIVATIVES] =
    {"f32_fd_derivatives", "derivatives of forward dynamics, SoA, float32", true, true, true,
     BENCH_FORWARD_DERIVATIVES},
};

size_t
bench_result_size(const bench_robot_t * robot, bench_function_t function)
{
  const size_t nv = (size_t)robot->nv, nframe = (size_t)robot->nframe;
  if (bench_functions[function].batch) {
    return (size_t)robot->batch * bench_result_size(robot, bench_functions[function].single);
  }
  switch (function) {
    case BENCH_FORWARD_KINEMATICS: return 12 * nframe;
    case BENCH_MASS_MATRIX:
    case BENCH_MASS_INVERSE: return nv * nv;
    case BENCH_INVERSE_DERIVATIVES:
    case BENCH_FORWARD_DERIVATIVES: return 3 * nv * nv;
    case BENCH_JACOBIAN: return 6 * nv;
    case BENCH_KINETIC_ENERGY: return 1;
    case BENCH_INTEGRATE: return (size_t)robot->nq;
    case BENCH_JACOBIAN_BIAS:
    case BENCH_CENTROIDAL_MOMENTUM: return 6;
    case BENCH_OPERATIONAL_INERTIA: return 36;
    case BENCH_OPERATIONAL_INERTIAS: return 36 * nframe * nframe;
    default: return nv;
  }
}

int
bench_states_per_call(const bench_robot_t * robot, bench_function_t function)
{
  return bench_functions[function].batch ? robot->batch : 1;
}

static int
find_function(const char * key, size_t length)
{
  for (int i = 0; i < BENCH_FUNCTIONS; i++) {
    const char * name = bench_functions[i].key;
    if (strlen(name) == length && strncmp(name, key, length) == 0) return i;
  }
  return -1;
}

bool
bench_select_functions(const char * keys, uint64_t * bits, const char ** wrong)
{
  *bits = 0;
  for (const char * key = keys;;) {
    const size_t length = strcspn(key, ",");
    const int function = find_function(key, length);
    if (function < 0) return *wrong = key, false;
    *bits |= BENCH_BIT(function);
    if (key[length] == 0) return true;
    key += length + 1;
  }
}
