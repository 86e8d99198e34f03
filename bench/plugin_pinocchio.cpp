// Pinocchio 3 as a plug-in: its headers are enough. Where it differs from our conventions:
//
//  - the model is built from the links as numbers, with a joint type of its own for axes x, y and z.
//  - six-vectors are linear first.
//  - symmetric matrices have their upper triangle only.
//  - constraint compliances are in axes of the joint; ours are in world axes.
// q, v, a and tau of a free joint are as ours.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/delassus.hpp>
#include <pinocchio/algorithm/energy.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include "bench_plugin.h"

namespace
{

namespace pin = pinocchio;
using Vectors = std::vector<Eigen::VectorXd>;
using Forces = pin::container::aligned_vector<pin::Force>;
using Jacobian = pin::Data::Matrix6x;

struct Pinocchio {
  const bench_robot_t * robot;
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  std::vector<pin::JointIndex> frame;  // joints that carry the frames
  Vectors q, v, a, tau, step;          // of all states; step = v dt
  Eigen::VectorXd zero, q_out, vector;
  Eigen::MatrixXd dq, dv, matrix;
  Forces wrench;  // of each joint, in its axes
  Jacobian J;
  Eigen::MatrixXd stacked, response;       // Jacobians of all frames, transposed; M^-1 times them
  Eigen::MatrixXd compliance, inertia[2];  // of one frame, of all
  std::vector<pin::RigidConstraintModel> constraint[2];
  std::vector<pin::RigidConstraintData> constraint_data[2];
  pin::Motion bias;
  double energy;
};

//---------- loading ----------

using Vec3Map = Eigen::Map<const Eigen::Vector3d>;
using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// constants of the type speed up its joint: x, y and z have one
pin::JointModel
joint_of(const bench_link_t & link)
{
  const Eigen::Vector3d axis = Vec3Map(link.axis);
  if (link.prismatic) {
    if (axis == Eigen::Vector3d::UnitX()) return pin::JointModelPX();
    if (axis == Eigen::Vector3d::UnitY()) return pin::JointModelPY();
    if (axis == Eigen::Vector3d::UnitZ()) return pin::JointModelPZ();
    return pin::JointModelPrismaticUnaligned(axis);
  }
  if (axis == Eigen::Vector3d::UnitX()) return pin::JointModelRX();
  if (axis == Eigen::Vector3d::UnitY()) return pin::JointModelRY();
  if (axis == Eigen::Vector3d::UnitZ()) return pin::JointModelRZ();
  return pin::JointModelRevoluteUnaligned(axis);
}

pin::Inertia
inertia_of(const bench_link_t & link)
{
  const double * I = link.inertia;
  Eigen::Matrix3d moments;
  moments << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  return pin::Inertia(link.mass, Vec3Map(link.com), moments);
}

void
build_model(Pinocchio & o)
{
  const bench_robot_t & robot = *o.robot;
  std::vector<pin::JointIndex> joint(static_cast<std::size_t>(robot.nlink), 0);
  o.model.gravity.linear() = Vec3Map(robot.gravity);
  for (int i = 0; i < robot.nlink; i++) {
    const bench_link_t & link = robot.link[i];
    const auto k = static_cast<std::size_t>(i);
    if (i == 0 && !robot.floating) continue;
    if (i == 0) {
      joint[k] = o.model.addJoint(0, pin::JointModelFreeFlyer(), pin::SE3::Identity(), "root");
    } else {
      const pin::SE3 X(Eigen::Map<const RowMat3>(link.R), Vec3Map(link.p));
      const auto parent = joint[static_cast<std::size_t>(link.parent)];
      joint[k] = o.model.addJoint(parent, joint_of(link), X, link.joint);
    }
    o.model.appendBodyToJoint(joint[k], inertia_of(link), pin::SE3::Identity());
    o.model.addFrame(pin::Frame(link.name, joint[k], 0, pin::SE3::Identity(), pin::BODY), false);
  }
}

// joints must have the order of the states
void
check_order(const Pinocchio & o)
{
  const bench_robot_t & robot = *o.robot;
  const int first = robot.floating ? 6 : 0;
  if (o.model.nv != robot.nv) throw std::runtime_error("another number of degrees of freedom");
  for (int i = 0; i < robot.njoint; i++)
    if (o.model.joints[o.model.getJointId(robot.joint[i])].idx_v() != first + i)
      throw std::runtime_error("joints are out of order");
}

Vectors
states_of(const double * x, int n, int nstate)
{
  Vectors out;
  for (int s = 0; s < nstate; s++) out.push_back(Eigen::Map<const Eigen::VectorXd>(x + s * n, n));
  return out;
}

void
load_frames(Pinocchio & o)
{
  const bench_robot_t & robot = *o.robot;
  static const double w[6] = BENCH_WRENCH;
  for (int i = 0; i < robot.nframe; i++) {
    const auto joint = o.model.frames[o.model.getFrameId(robot.frame[i])].parentJoint;
    o.frame.push_back(joint);
    for (int all = i > 0; all < 2; all++)
      o.constraint[all].emplace_back(pin::CONTACT_6D, o.model, joint, pin::LOCAL);
  }
  for (int all = 0; all < 2; all++)
    for (const auto & c : o.constraint[all]) o.constraint_data[all].emplace_back(c);
  o.wrench.assign(static_cast<std::size_t>(o.model.njoints), pin::Force::Zero());
  o.wrench[o.frame[0]] = pin::Force(Vec3Map(w + 3), Vec3Map(w));
}

Pinocchio *
load_robot(const bench_robot_t * robot)
{
  auto o = std::make_unique<Pinocchio>();
  const int nv = robot->nv, dense = robot->dense ? nv : 0;
  o->robot = robot;
  build_model(*o);
  check_order(*o);
  o->data = std::make_unique<pin::Data>(o->model);
  o->q = states_of(robot->q, robot->nq, robot->nstate);
  o->v = states_of(robot->v, nv, robot->nstate);
  o->a = states_of(robot->a, nv, robot->nstate);
  o->tau = states_of(robot->tau, nv, robot->nstate);
  for (const auto & v : o->v) o->step.push_back(v * BENCH_TIME_STEP);
  o->zero = o->vector = Eigen::VectorXd::Zero(nv);
  o->q_out = Eigen::VectorXd::Zero(robot->nq);
  o->dq = o->dv = o->matrix = Eigen::MatrixXd::Zero(dense, dense);
  o->J = Jacobian::Zero(6, nv);
  o->stacked = o->response = Eigen::MatrixXd::Zero(nv, 6 * robot->nframe);
  o->inertia[0] = Eigen::MatrixXd::Zero(6, 6);
  o->inertia[1] = Eigen::MatrixXd::Zero(6 * robot->nframe, 6 * robot->nframe);
  load_frames(*o);
  return o.release();
}

// pin::Data has four tensors of nv^3 numbers for second derivatives, and sets them to zero
#ifndef BENCH_PINOCCHIO_TENSORS  // 0: headers from which they were removed
#define BENCH_PINOCCHIO_TENSORS 4
#endif

void
check_memory(int nv)
{
  const double memory =
    static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double needed = BENCH_PINOCCHIO_TENSORS * sizeof(double) * std::pow(nv, 3);
  if (needed > memory / 2)
    throw std::runtime_error(
      "its workspace of " + std::to_string(static_cast<int>(needed / 1e9)) + " GB is too large");
}

void *
load(const bench_robot_t * robot, char * why)
{
  try {
    // and matrices of 6 nv x nv numbers
    if (!robot->dense) throw std::runtime_error("its workspace grows with the square of nv");
    check_memory(robot->nv);
    return load_robot(robot);
  } catch (const std::exception & e) {
    std::snprintf(why, BENCH_WHY, "%s", e.what());
    return nullptr;
  }
}

void
unload(void * loaded)
{
  delete static_cast<Pinocchio *>(loaded);
}

//---------- calls ----------

#define BEGIN                                   \
  auto & o = *static_cast<Pinocchio *>(loaded); \
  const auto s = static_cast<std::size_t>(state)

void
forward_kinematics(void * loaded, int state)
{
  BEGIN;
  pin::forwardKinematics(o.model, *o.data, o.q[s]);
}

void
inverse_dynamics(void * loaded, int state)
{
  BEGIN;
  pin::rnea(o.model, *o.data, o.q[s], o.v[s], o.a[s]);
}

void
inverse_dynamics_wrench(void * loaded, int state)
{
  BEGIN;
  pin::rnea(o.model, *o.data, o.q[s], o.v[s], o.a[s], o.wrench);
}

void
gravity(void * loaded, int state)
{
  BEGIN;
  pin::computeGeneralizedGravity(o.model, *o.data, o.q[s]);
}

void
bias(void * loaded, int state)
{
  BEGIN;
  pin::nonLinearEffects(o.model, *o.data, o.q[s], o.v[s]);
}

void
mass_matrix_local(void * loaded, int state)
{
  BEGIN;
  pin::crba(o.model, *o.data, o.q[s], pin::Convention::LOCAL);
}

void
mass_matrix_world(void * loaded, int state)
{
  BEGIN;
  pin::crba(o.model, *o.data, o.q[s], pin::Convention::WORLD);
}

void
mass_inverse(void * loaded, int state)
{
  BEGIN;
  pin::computeMinverse(o.model, *o.data, o.q[s]);
}

void
forward_dynamics_local(void * loaded, int state)
{
  BEGIN;
  pin::aba(o.model, *o.data, o.q[s], o.v[s], o.tau[s], pin::Convention::LOCAL);
}

void
forward_dynamics_world(void * loaded, int state)
{
  BEGIN;
  pin::aba(o.model, *o.data, o.q[s], o.v[s], o.tau[s], pin::Convention::WORLD);
}

void
forward_dynamics_wrench(void * loaded, int state)
{
  BEGIN;
  pin::aba(o.model, *o.data, o.q[s], o.v[s], o.tau[s], o.wrench, pin::Convention::LOCAL);
}

void
inverse_derivatives(void * loaded, int state)
{
  BEGIN;
  pin::computeRNEADerivatives(o.model, *o.data, o.q[s], o.v[s], o.a[s], o.dq, o.dv, o.matrix);
}

void
forward_derivatives(void * loaded, int state)
{
  BEGIN;
  pin::computeABADerivatives(o.model, *o.data, o.q[s], o.v[s], o.tau[s]);
}

void
jacobian_frame(void * loaded, int state)
{
  BEGIN;
  const auto frame = o.model.getFrameId(o.robot->frame[0]);
  pin::computeFrameJacobian(o.model, *o.data, o.q[s], frame, pin::LOCAL_WORLD_ALIGNED, o.J);
}

// in axes of the joint, then turned; iMf[0] is the joint in the world
void
jacobian_joint(void * loaded, int state)
{
  BEGIN;
  const auto joint = o.frame[0];
  pin::computeJointJacobian(o.model, *o.data, o.q[s], joint, o.J);
  const Eigen::Matrix3d R = o.data->iMf[0].rotation();
  for (const auto i : o.model.supports[joint]) {
    if (i == 0) continue;
    for (int k = o.model.idx_vs[i]; k < o.model.idx_vs[i] + o.model.nvs[i]; k++) {
      o.J.col(k).head<3>() = R * o.J.col(k).head<3>();
      o.J.col(k).tail<3>() = R * o.J.col(k).tail<3>();
    }
  }
}

void
jacobian_bias(void * loaded, int state)
{
  BEGIN;
  pin::forwardKinematics(o.model, *o.data, o.q[s], o.v[s], o.zero);
  o.bias = pin::getClassicalAcceleration(o.model, *o.data, o.frame[0], pin::LOCAL_WORLD_ALIGNED);
}

// J M^-1 J^T by the sparse Cholesky factor of M
void
inertia_by_cholesky(Pinocchio & o, std::size_t s, int all)
{
  const int n = all ? o.robot->nframe : 1;
  pin::crba(o.model, *o.data, o.q[s], pin::Convention::WORLD);
  pin::cholesky::decompose(o.model, *o.data);
  for (int i = 0; i < n; i++) {
    const auto joint = o.frame[static_cast<std::size_t>(i)];
    pin::getJointJacobian(o.model, *o.data, joint, pin::LOCAL_WORLD_ALIGNED, o.J);
    o.stacked.middleCols(6 * i, 6) = o.J.transpose();
    for (int k = 0; k < 6; k++) {
      o.vector = o.stacked.col(6 * i + k);
      pin::cholesky::solve(o.model, *o.data, o.vector);
      o.response.col(6 * i + k) = o.vector;
    }
    o.J.setZero();
  }
  o.compliance.noalias() = o.stacked.leftCols(6 * n).transpose() * o.response.leftCols(6 * n);
  o.inertia[all].setIdentity();
  o.compliance.llt().solveInPlace(o.inertia[all]);
}

void
operational_inertia_cholesky(void * loaded, int state)
{
  BEGIN;
  inertia_by_cholesky(o, s, 0);
}

void
operational_inertias_cholesky(void * loaded, int state)
{
  BEGIN;
  inertia_by_cholesky(o, s, 1);
}

// J M^-1 J^T by articulated bodies, in axes of the joints; result() turns it
void
inertia_by_sweeps(Pinocchio & o, std::size_t s, int all)
{
  const auto rows = o.inertia[all].rows();
  o.compliance.resize(rows, rows);
  pin::computeDelassusMatrix(
    o.model, *o.data, o.q[s], o.constraint[all], o.constraint_data[all], o.compliance, 0.0);
  o.inertia[all].setIdentity();
  o.compliance.llt().solveInPlace(o.inertia[all]);
}

void
operational_inertia_sweeps(void * loaded, int state)
{
  BEGIN;
  inertia_by_sweeps(o, s, 0);
}

void
centroidal_momentum(void * loaded, int state)
{
  BEGIN;
  pin::computeCentroidalMomentum(o.model, *o.data, o.q[s], o.v[s]);
}

void
kinetic_energy(void * loaded, int state)
{
  BEGIN;
  o.energy = pin::computeKineticEnergy(o.model, *o.data, o.q[s], o.v[s]);
}

void
integrate(void * loaded, int state)
{
  BEGIN;
  pin::integrate(o.model, o.q[s], o.step[s], o.q_out);
}

const bench_variant_t variants[] = {
  {BENCH_FORWARD_KINEMATICS, nullptr, forward_kinematics},
  {BENCH_INVERSE_DYNAMICS, nullptr, inverse_dynamics},
  {BENCH_GRAVITY, nullptr, gravity},
  {BENCH_BIAS, nullptr, bias},
  {BENCH_MASS_MATRIX, "body axes", mass_matrix_local},
  {BENCH_MASS_MATRIX, "world axes", mass_matrix_world},
  {BENCH_FORWARD_DYNAMICS, "body axes", forward_dynamics_local},
  {BENCH_FORWARD_DYNAMICS, "world axes", forward_dynamics_world},
  {BENCH_MASS_INVERSE, nullptr, mass_inverse},
  {BENCH_JACOBIAN, "frame", jacobian_frame},
  {BENCH_JACOBIAN, "joint", jacobian_joint},
  {BENCH_JACOBIAN_BIAS, nullptr, jacobian_bias},
  {BENCH_OPERATIONAL_INERTIA, "Cholesky", operational_inertia_cholesky},
  {BENCH_OPERATIONAL_INERTIA, "sweeps", operational_inertia_sweeps},
  {BENCH_OPERATIONAL_INERTIAS, nullptr, operational_inertias_cholesky},
  {BENCH_CENTROIDAL_MOMENTUM, nullptr, centroidal_momentum},
  {BENCH_INVERSE_DERIVATIVES, nullptr, inverse_derivatives},
  {BENCH_FORWARD_DERIVATIVES, nullptr, forward_derivatives},
  {BENCH_KINETIC_ENERGY, nullptr, kinetic_energy},
  {BENCH_INVERSE_DYNAMICS_WRENCH, nullptr, inverse_dynamics_wrench},
  {BENCH_FORWARD_DYNAMICS_WRENCH, nullptr, forward_dynamics_wrench},
  {BENCH_INTEGRATE, nullptr, integrate},
  {BENCH_FUNCTIONS, nullptr, nullptr},
};

//---------- results ----------

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename Matrix>
void
copy_matrix(const Matrix & in, double * out)
{
  Eigen::Map<RowMajor>(out, in.rows(), in.cols()) = in;
}

template <typename Matrix>
void
copy_symmetric(const Matrix & in, double * out)
{
  const RowMajor whole = in.template selfadjointView<Eigen::Upper>();
  copy_matrix(whole, out);
}

template <typename Six>
void
copy_six(const Six & x, double * out)
{
  Eigen::Map<Eigen::Matrix<double, 6, 1>> to(out);
  to << x.angular(), x.linear();
}

void
copy_placements(const Pinocchio & o, double * out)
{
  for (const auto joint : o.frame) {
    copy_matrix(o.data->oMi[joint].rotation(), out);
    copy_matrix(o.data->oMi[joint].translation(), out + 9);
    out += 12;
  }
}

// angular first; from the axes of the joints to those of the world if `turned`
void
copy_inertia(const Pinocchio & o, int all, bool turned, double * out)
{
  const RowMajor & in = o.inertia[all];
  const auto rows = in.rows();
  Eigen::Map<RowMajor> to(out, rows, rows);
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(rows, rows);
  for (Eigen::Index i = 0; i < rows / 6; i++) {
    const auto joint = o.frame[static_cast<std::size_t>(i)];
    const Eigen::Matrix3d R =
      turned ? o.data->oMi[joint].rotation() : Eigen::Matrix3d::Identity().eval();
    turn.block<3, 3>(6 * i, 6 * i + 3) = R;
    turn.block<3, 3>(6 * i + 3, 6 * i) = R;
  }
  to = turn * in * turn.transpose();
}

bool
result(void * loaded, int variant, int, double * out)
{
  auto & o = *static_cast<Pinocchio *>(loaded);
  const int nv = o.model.nv;
  const bool turned =
    variants[variant].name != nullptr && std::string(variants[variant].name) == "sweeps";
  switch (variants[variant].function) {
    case BENCH_FORWARD_KINEMATICS: copy_placements(o, out); break;
    case BENCH_GRAVITY: copy_matrix(o.data->g, out); break;
    case BENCH_BIAS: copy_matrix(o.data->nle, out); break;
    case BENCH_MASS_MATRIX: copy_symmetric(o.data->M, out); break;
    case BENCH_MASS_INVERSE: copy_symmetric(o.data->Minv, out); break;
    case BENCH_FORWARD_DYNAMICS:
    case BENCH_FORWARD_DYNAMICS_WRENCH: copy_matrix(o.data->ddq, out); break;
    case BENCH_JACOBIAN:
      copy_matrix(o.J.bottomRows<3>(), out);
      copy_matrix(o.J.topRows<3>(), out + 3 * nv);
      break;
    case BENCH_JACOBIAN_BIAS: copy_six(o.bias, out); break;
    case BENCH_OPERATIONAL_INERTIA: copy_inertia(o, 0, turned, out); break;
    case BENCH_OPERATIONAL_INERTIAS: copy_inertia(o, 1, turned, out); break;
    case BENCH_CENTROIDAL_MOMENTUM: copy_six(o.data->hg, out); break;
    case BENCH_INVERSE_DERIVATIVES:
      copy_matrix(o.dq, out);
      copy_matrix(o.dv, out + nv * nv);
      copy_symmetric(o.matrix, out + 2 * nv * nv);
      break;
    case BENCH_FORWARD_DERIVATIVES:
      copy_matrix(o.data->ddq_dq, out);
      copy_matrix(o.data->ddq_dv, out + nv * nv);
      copy_symmetric(o.data->Minv, out + 2 * nv * nv);
      break;
    case BENCH_KINETIC_ENERGY: out[0] = o.energy; break;
    case BENCH_INTEGRATE: copy_matrix(o.q_out, out); break;
    default: copy_matrix(o.data->tau, out);
  }
  return true;
}

const bench_plugin_t plugin = {
  BENCH_PLUGIN_VERSION, "Pinocchio", PINOCCHIO_VERSION, 0, variants, load, nullptr, result, unload};

}  // namespace

const bench_plugin_t *
bench_plugin_get(void)
{
  return &plugin;
}
