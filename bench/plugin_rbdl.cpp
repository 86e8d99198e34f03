// RBDL 3 as a plug-in. Where it differs from our conventions:
//
//  - the model is built from the links as numbers.
//  - a floating base is a translation in world axes and a spherical joint; the scalar part of its
//    quaternion is the last number of q. With T = diag(R, 1):  v' = T v,  a' = T a + (R (w x v), 0),
//    tau' = T tau,  M = T^T M' T,  J = J' T. So our bias is its inverse dynamics at
//    a' = (R (w x v), 0).
//  - external wrenches are in world axes at the world's origin; they are given so.
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include <rbdl/rbdl.h>
#include <rbdl/rbdl_utils.h>

#include "bench_plugin.h"

namespace
{

namespace rbd = RigidBodyDynamics;
using rbd::Math::MatrixNd;
using rbd::Math::SpatialVector;
using rbd::Math::Vector3d;
using rbd::Math::VectorNd;
using Vectors = std::vector<VectorNd>;
using Matrix3 = Eigen::Matrix3d;

struct Rbdl {
  const bench_robot_t * robot;
  rbd::Model model;
  std::vector<unsigned> frame;  // bodies
  std::vector<Matrix3> base;    // orientation of the base at each state
  Vectors q, v, a, tau, still;  // still: what a = 0 is here
  VectorNd zero, vector;
  MatrixNd matrix, inverse, J, stacked, response, compliance, inertia[2];
  std::vector<std::vector<SpatialVector>> wrench;  // of each state, of each body
  SpatialVector six;
  double energy;
};

//---------- loading ----------

rbd::Joint
joint_of(const bench_link_t & link)
{
  const double * a = link.axis;
  if (link.prismatic) return rbd::Joint(SpatialVector(0, 0, 0, a[0], a[1], a[2]));
  return rbd::Joint(SpatialVector(a[0], a[1], a[2], 0, 0, 0));
}

rbd::Body
body_of(const bench_link_t & link)
{
  const double * I = link.inertia;
  rbd::Math::Matrix3d moments;
  moments << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  return rbd::Body(link.mass, Vector3d(link.com[0], link.com[1], link.com[2]), moments);
}

void
build_model(Rbdl & o)
{
  const bench_robot_t & robot = *o.robot;
  std::vector<unsigned> body(static_cast<std::size_t>(robot.nlink), 0);
  o.model.gravity = Vector3d(robot.gravity[0], robot.gravity[1], robot.gravity[2]);
  for (int i = 0; i < robot.nlink; i++) {
    const bench_link_t & link = robot.link[i];
    const auto k = static_cast<std::size_t>(i);
    if (i > 0) {
      using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
      const Matrix3 R = Eigen::Map<const RowMat3>(link.R);
      const rbd::Math::SpatialTransform X(R.transpose(), Vector3d(link.p[0], link.p[1], link.p[2]));
      const auto parent = body[static_cast<std::size_t>(link.parent)];
      body[k] = o.model.AddBody(parent, X, joint_of(link), body_of(link), link.name);
    } else if (robot.floating) {
      const rbd::Joint free(rbd::JointTypeFloatingBase);
      body[k] = o.model.AddBody(0, rbd::Math::SpatialTransform(), free, body_of(link), link.name);
    }
  }
  for (int i = 0; i < robot.nframe; i++) o.frame.push_back(o.model.GetBodyId(robot.frame[i]));
}

VectorNd
position_of(const bench_robot_t & robot, int s)
{
  VectorNd q = Eigen::Map<const Eigen::VectorXd>(robot.q + s * robot.nq, robot.nq);
  if (!robot.floating) return q;
  const double w = q[6];
  q.segment(6, robot.njoint) = q.tail(robot.njoint).eval();
  q[robot.nq - 1] = w;
  return q;
}

// a vector of nv numbers with the linear part of the base turned by R, `more` added before
VectorNd
turned(const Rbdl & o, const Matrix3 & R, const double * x, const Eigen::Vector3d & more)
{
  VectorNd out = Eigen::Map<const Eigen::VectorXd>(x, o.robot->nv);
  if (o.robot->floating) out.head<3>() = R * (out.head<3>() + more).eval();
  return out;
}

void
load_states(Rbdl & o)
{
  const bench_robot_t & robot = *o.robot;
  const Eigen::Vector3d none = Eigen::Vector3d::Zero();
  const std::vector<double> rest(static_cast<std::size_t>(robot.nv), 0.0);
  for (int s = 0; s < robot.nstate; s++) {
    const double *q = robot.q + s * robot.nq, *v = robot.v + s * robot.nv;
    Matrix3 R = Matrix3::Identity();
    Eigen::Vector3d more = none;
    if (robot.floating) {
      R = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix();
      more = Eigen::Vector3d(v[3], v[4], v[5]).cross(Eigen::Vector3d(v[0], v[1], v[2]));
    }
    o.base.push_back(R);
    o.q.push_back(position_of(robot, s));
    o.v.push_back(turned(o, R, v, none));
    o.a.push_back(turned(o, R, robot.a + s * robot.nv, more));
    o.tau.push_back(turned(o, R, robot.tau + s * robot.nv, none));
    o.still.push_back(turned(o, R, rest.data(), more));
  }
}

void
load_wrenches(Rbdl & o)
{
  static const double w[6] = BENCH_WRENCH;
  for (const auto & q : o.q) {
    const Matrix3 R = rbd::CalcBodyWorldOrientation(o.model, q, o.frame[0]).transpose();
    const Eigen::Vector3d p =
      rbd::CalcBodyToBaseCoordinates(o.model, q, o.frame[0], Vector3d(0, 0, 0), false);
    const Eigen::Vector3d f = R * Eigen::Vector3d(w[3], w[4], w[5]);
    const Eigen::Vector3d n = R * Eigen::Vector3d(w[0], w[1], w[2]) + p.cross(f);
    std::vector<SpatialVector> all(o.model.mBodies.size(), SpatialVector::Zero());
    all[o.frame[0]] << n, f;
    o.wrench.push_back(all);
  }
}

Rbdl *
load_robot(const bench_robot_t * robot)
{
  auto o = std::make_unique<Rbdl>();
  const int nv = robot->nv, dense = robot->dense ? nv : 0, rows = 6 * robot->nframe;
  o->robot = robot;
  build_model(*o);
  if (static_cast<int>(o->model.qdot_size) != nv)
    throw std::runtime_error("another number of degrees of freedom");
  load_states(*o);
  load_wrenches(*o);
  o->zero = o->vector = VectorNd::Zero(nv);
  o->matrix = o->inverse = MatrixNd::Zero(dense, dense);
  o->J = MatrixNd::Zero(6, nv);
  o->stacked = o->response = MatrixNd::Zero(nv, rows);
  o->inertia[0] = MatrixNd::Zero(6, 6);
  o->inertia[1] = MatrixNd::Zero(rows, rows);
  return o.release();
}

void *
load(const bench_robot_t * robot, char * why)
{
  try {
    return load_robot(robot);
  } catch (const std::exception & e) {
    std::snprintf(why, BENCH_WHY, "%s", e.what());
    return nullptr;
  }
}

void
unload(void * loaded)
{
  delete static_cast<Rbdl *>(loaded);
}

//---------- calls ----------

#define BEGIN                              \
  auto & o = *static_cast<Rbdl *>(loaded); \
  const auto s = static_cast<std::size_t>(state)

void
forward_kinematics(void * loaded, int state)
{
  BEGIN;
  rbd::UpdateKinematicsCustom(o.model, &o.q[s], nullptr, nullptr);
}

void
inverse_dynamics(void * loaded, int state)
{
  BEGIN;
  rbd::InverseDynamics(o.model, o.q[s], o.v[s], o.a[s], o.vector);
}

void
inverse_dynamics_wrench(void * loaded, int state)
{
  BEGIN;
  rbd::InverseDynamics(o.model, o.q[s], o.v[s], o.a[s], o.vector, &o.wrench[s]);
}

void
gravity(void * loaded, int state)
{
  BEGIN;
  rbd::NonlinearEffects(o.model, o.q[s], o.zero, o.vector);
}

void
bias(void * loaded, int state)
{
  BEGIN;
  if (o.robot->floating) {
    rbd::InverseDynamics(o.model, o.q[s], o.v[s], o.still[s], o.vector);
  } else {
    rbd::NonlinearEffects(o.model, o.q[s], o.v[s], o.vector);
  }
}

void
mass_matrix(void * loaded, int state)
{
  BEGIN;
  o.matrix.setZero();
  rbd::CompositeRigidBodyAlgorithm(o.model, o.q[s], o.matrix);
}

void
forward_dynamics(void * loaded, int state)
{
  BEGIN;
  rbd::ForwardDynamics(o.model, o.q[s], o.v[s], o.tau[s], o.vector);
}

void
forward_dynamics_wrench(void * loaded, int state)
{
  BEGIN;
  rbd::ForwardDynamics(o.model, o.q[s], o.v[s], o.tau[s], o.vector, &o.wrench[s]);
}

void
mass_inverse_cholesky(void * loaded, int state)
{
  auto & o = *static_cast<Rbdl *>(loaded);
  mass_matrix(loaded, state);
  o.inverse.setIdentity();
  o.matrix.llt().solveInPlace(o.inverse);
}

void
mass_inverse_columns(void * loaded, int state)
{
  BEGIN;
  for (int i = 0; i < o.robot->nv; i++) {
    o.zero[i] = 1;
    rbd::CalcMInvTimesTau(o.model, o.q[s], o.zero, o.vector, i == 0);
    o.zero[i] = 0;
    o.inverse.col(i) = o.vector;
  }
}

void
jacobian(void * loaded, int state)
{
  BEGIN;
  rbd::CalcPointJacobian6D(o.model, o.q[s], o.frame[0], Vector3d(0, 0, 0), o.J);
}

void
jacobian_bias(void * loaded, int state)
{
  BEGIN;
  o.six = rbd::CalcPointAcceleration6D(
    o.model, o.q[s], o.v[s], o.still[s], o.frame[0], Vector3d(0, 0, 0));
}

void
inertia_of(void * loaded, int state, int all)
{
  auto & o = *static_cast<Rbdl *>(loaded);
  const int n = all ? o.robot->nframe : 1;
  const auto & q = o.q[static_cast<std::size_t>(state)];
  o.matrix.setZero();
  // the mass matrix alone would leave placements in the world as they were
  rbd::UpdateKinematicsCustom(o.model, &q, nullptr, nullptr);
  rbd::CompositeRigidBodyAlgorithm(o.model, q, o.matrix, false);
  for (int i = 0; i < n; i++) {
    const auto body = o.frame[static_cast<std::size_t>(i)];
    o.J.setZero();
    rbd::CalcPointJacobian6D(o.model, q, body, Vector3d(0, 0, 0), o.J, false);
    o.stacked.middleCols(6 * i, 6) = o.J.transpose();
  }
  o.response.leftCols(6 * n) = o.stacked.leftCols(6 * n);
  auto response = o.response.leftCols(6 * n);
  o.matrix.llt().matrixL().solveInPlace(response);
  o.compliance.noalias() = response.transpose() * response;
  o.inertia[all].setIdentity();
  o.compliance.llt().solveInPlace(o.inertia[all]);
}

void
operational_inertia(void * loaded, int state)
{
  inertia_of(loaded, state, 0);
}

void
operational_inertias(void * loaded, int state)
{
  inertia_of(loaded, state, 1);
}

void
centroidal_momentum(void * loaded, int state)
{
  BEGIN;
  double mass = 0;
  Vector3d com, velocity, angular;
  rbd::Utils::CalcCenterOfMass(
    o.model, o.q[s], o.v[s], nullptr, mass, com, &velocity, nullptr, &angular);
  o.six << angular, mass * velocity;
}

void
kinetic_energy(void * loaded, int state)
{
  BEGIN;
  o.energy = rbd::Utils::CalcKineticEnergy(o.model, o.q[s], o.v[s]);
}

const bench_variant_t variants[] = {
  {BENCH_FORWARD_KINEMATICS, nullptr, forward_kinematics},
  {BENCH_INVERSE_DYNAMICS, nullptr, inverse_dynamics},
  {BENCH_GRAVITY, nullptr, gravity},
  {BENCH_BIAS, nullptr, bias},
  {BENCH_MASS_MATRIX, nullptr, mass_matrix},
  {BENCH_FORWARD_DYNAMICS, nullptr, forward_dynamics},
  {BENCH_MASS_INVERSE, "Cholesky", mass_inverse_cholesky},
  {BENCH_MASS_INVERSE, "columns", mass_inverse_columns},
  {BENCH_JACOBIAN, nullptr, jacobian},
  {BENCH_JACOBIAN_BIAS, nullptr, jacobian_bias},
  {BENCH_OPERATIONAL_INERTIA, nullptr, operational_inertia},
  {BENCH_OPERATIONAL_INERTIAS, nullptr, operational_inertias},
  {BENCH_CENTROIDAL_MOMENTUM, nullptr, centroidal_momentum},
  {BENCH_KINETIC_ENERGY, nullptr, kinetic_energy},
  {BENCH_INVERSE_DYNAMICS_WRENCH, nullptr, inverse_dynamics_wrench},
  {BENCH_FORWARD_DYNAMICS_WRENCH, nullptr, forward_dynamics_wrench},
  {BENCH_FUNCTIONS, nullptr, nullptr},
};

//---------- results ----------

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool
result(void * loaded, int variant, int state, double * out)
{
  BEGIN;
  const int nv = o.robot->nv;
  const bench_function_t function = variants[variant].function;
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(nv, nv);
  if (o.robot->floating) T.topLeftCorner<3, 3>() = o.base[s];
  Eigen::Map<Eigen::VectorXd> vector(out, nv);
  switch (function) {
    case BENCH_FORWARD_KINEMATICS:
      for (const auto body : o.frame) {
        const auto & X = o.model.X_base[body];
        Eigen::Map<RowMajor>(out, 3, 3) = X.E.transpose();
        for (int i = 0; i < 3; i++) out[9 + i] = X.r[i];
        out += 12;
      }
      break;
    case BENCH_MASS_MATRIX:
    case BENCH_MASS_INVERSE:
      Eigen::Map<RowMajor>(out, nv, nv) =
        T.transpose() * (function == BENCH_MASS_MATRIX ? o.matrix : o.inverse) * T;
      break;
    case BENCH_FORWARD_DYNAMICS:
    case BENCH_FORWARD_DYNAMICS_WRENCH: vector = T.transpose() * (o.vector - o.still[s]); break;
    case BENCH_JACOBIAN: Eigen::Map<RowMajor>(out, 6, nv) = o.J * T; break;
    case BENCH_JACOBIAN_BIAS:
    case BENCH_CENTROIDAL_MOMENTUM:
      for (int i = 0; i < 6; i++) out[i] = o.six[i];
      break;
    case BENCH_OPERATIONAL_INERTIA: Eigen::Map<RowMajor>(out, 6, 6) = o.inertia[0]; break;
    case BENCH_OPERATIONAL_INERTIAS:
      Eigen::Map<RowMajor>(out, o.inertia[1].rows(), o.inertia[1].cols()) = o.inertia[1];
      break;
    case BENCH_KINETIC_ENERGY: out[0] = o.energy; break;
    default: vector = T.transpose() * o.vector;
  }
  return true;
}

const bench_plugin_t plugin = {
  BENCH_PLUGIN_VERSION, "RBDL", "3.3", 0, variants, load, nullptr, result, unload};

}  // namespace

const bench_plugin_t *
bench_plugin_get(void)
{
  return &plugin;
}
