/// \file arm.h
/// arm.urdf in closed form: a planar arm of two links, hanging down along -z, joints about y.
///
/// With u(q) = (-sin q, 0, -cos q), the direction of a link at angle q:
///   elbow = SHOULDER + L1 u(q1), tool = elbow + L2 u(q1 + q2)
/// The tool is turned by 90 degrees about z of the second link.
#ifndef ARM_H_
#define ARM_H_

#include <math.h>

// shoulder above the origin; lengths, masses, centres of mass, inertias about y
#define HEIGHT 0.5
#define L1     0.7
#define L2     0.4
#define C1     0.3
#define C2     0.25
#define MASS1  3.5
#define MASS2  1.75
#define INERT1 0.15
#define INERT2 0.04
#define DAMP1  0.3
#define GRAV   9.81

#define ARM_URDF                                                                                \
  "<robot name='arm'>\n"                                                                        \
  "  <link name='base'><inertial><mass value='2'/><origin xyz='0 0 0.1'/>\n"                    \
  "    <inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"    \
  "  <link name='upper'><inertial><mass value='3.5'/><origin xyz='0 0.02 -0.3'/>\n"             \
  "    <inertia ixx='0.15' iyy='0.15' izz='0.02' ixy='0' ixz='0' iyz='0'/></inertial></link>\n" \
  "  <link name='lower'><inertial><mass value='1.75'/><origin xyz='0 -0.01 -0.25'/>\n"          \
  "    <inertia ixx='0.04' iyy='0.04' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>\n" \
  "  <link name='tool'/>\n"                                                                     \
  "  <joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/>\n"       \
  "    <origin xyz='0 0 0.5'/><axis xyz='0 1 0'/><dynamics damping='0.3'/>\n"                   \
  "    <limit lower='-2' upper='2.5' effort='40' velocity='3'/></joint>\n"                      \
  "  <joint name='elbow' type='continuous'><parent link='upper'/><child link='lower'/>\n"       \
  "    <origin xyz='0 0 -0.7'/><axis xyz='0 1 0'/></joint>\n"                                   \
  "  <joint name='flange' type='fixed'><parent link='lower'/><child link='tool'/>\n"            \
  "    <origin xyz='0 0 -0.4' rpy='0 0 1.5707963267948966'/></joint>\n"                         \
  "</robot>\n"

typedef struct arm {
  double M[4], C[4], gravity[2], bias[2];
  double kinetic, potential;  // potential is zero at the origin of the world
  double jacobian[12];        // of the tool, local_world_aligned, linear first
  double tool[3];
} arm_t;

static inline arm_t
arm_at(const double q[2], const double v[2])
{
  const double q12 = q[0] + q[1];
  arm_t arm;

  // mass matrix and Christoffel symbols
  const double coupling = MASS2 * L1 * C2;
  const double m22 = INERT2 + MASS2 * C2 * C2;
  const double m12 = m22 + coupling * cos(q[1]);
  const double m11 = INERT1 + MASS1 * C1 * C1 + MASS2 * L1 * L1 + m22 + 2 * coupling * cos(q[1]);
  const double h = -coupling * sin(q[1]);
  arm.M[0] = m11, arm.M[1] = arm.M[2] = m12, arm.M[3] = m22;
  arm.C[0] = h * v[1], arm.C[1] = h * (v[0] + v[1]), arm.C[2] = -h * v[0], arm.C[3] = 0;

  // derivative of the potential energy
  const double first = (MASS1 * C1 + MASS2 * L1) * GRAV, second = MASS2 * C2 * GRAV;
  arm.gravity[1] = second * sin(q12);
  arm.gravity[0] = first * sin(q[0]) + arm.gravity[1];
  arm.potential = (MASS1 + MASS2) * GRAV * HEIGHT - first * cos(q[0]) - second * cos(q12);
  for (int i = 0; i < 2; i++) {
    arm.bias[i] = arm.C[2 * i] * v[0] + arm.C[2 * i + 1] * v[1] + arm.gravity[i];
  }
  arm.kinetic = 0.5 * (m11 * v[0] * v[0] + 2 * m12 * v[0] * v[1] + m22 * v[1] * v[1]);

  // tool: u' = (-cos, 0, sin)
  arm.tool[0] = -L1 * sin(q[0]) - L2 * sin(q12);
  arm.tool[1] = 0;
  arm.tool[2] = HEIGHT - L1 * cos(q[0]) - L2 * cos(q12);
  for (int k = 0; k < 12; k++) arm.jacobian[k] = 0;
  arm.jacobian[1] = -L2 * cos(q12), arm.jacobian[0] = arm.jacobian[1] - L1 * cos(q[0]);
  arm.jacobian[5] = L2 * sin(q12), arm.jacobian[4] = arm.jacobian[5] + L1 * sin(q[0]);
  arm.jacobian[8] = arm.jacobian[9] = 1;
  return arm;
}

#endif  // ARM_H_
