// DART 6.12 as a plug-in. It reads the URDF itself (dart-utils-urdf). Where it differs from our
// conventions:
//
//  - a link without <inertial> would weigh 1 kg; the default is set to nothing.
//  - a free joint's position is the exponential coordinates of its rotation, then the origin; its
//    velocity is that of the child in child axes, as ours, but angular first; its acceleration is
//    the time derivative of that, its force the dual wrench. So blocks are swapped, nothing is
//    turned.
//  - Jacobians are angular first, as ours, with the columns of the joints on the way alone.
//  - what it has computed it keeps until the position changes, and it computes what is asked for
//    alone: setting the position is part of each call.
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <dart/config.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/urdf/DartLoader.hpp>

#include "bench_plugin.h"

namespace
{

using dart::dynamics::BodyNode;
using dart::dynamics::FreeJoint;
using dart::utils::DartLoader;
using Vectors = std::vector<Eigen::VectorXd>;

struct Dart {
  const bench_robot_t * robot;
  dart::dynamics::SkeletonPtr skeleton;
  std::vector<int> index;  // DART's number of each of our degrees of freedom
  std::vector<BodyNode *> frame;
  Vectors q, v, a, tau;
  Vectors frame_v;  // of the joints on the way to frame 0
  const Eigen::VectorXd * vector = nullptr;
  Eigen::VectorXd own_vector;
  const Eigen::MatrixXd * matrix = nullptr;
  const dart::math::Jacobian * jacobian = nullptr;
  Eigen::MatrixXd stacked, inertia;
  Eigen::Matrix<double, 6, 1> bias;
};

//---------- loading ----------

void
switch_off(dart::dynamics::Skeleton & skeleton)
{
  for (std::size_t i = 0; i < skeleton.getNumJoints(); i++) {
    dart::dynamics::Joint * joint = skeleton.getJoint(i);
    joint->setActuatorType(dart::dynamics::Joint::FORCE);
    joint->setLimitEnforcement(false);
  }
}

// our degrees of freedom in DART: blocks of the free joint swapped, joints by name
void
map_joints(Dart & o)
{
  if (o.robot->floating) {
    const auto * root = dynamic_cast<FreeJoint *>(o.skeleton->getRootJoint());
    if (root == nullptr) throw std::runtime_error("no free joint");
    for (std::size_t i = 0; i < 6; i++)
      o.index.push_back(static_cast<int>(root->getIndexInSkeleton((i + 3) % 6)));
  }
  for (int i = 0; i < o.robot->njoint; i++) {
    const auto * joint = o.skeleton->getJoint(o.robot->joint[i]);
    if (joint == nullptr || joint->getNumDofs() != 1)
      throw std::runtime_error(std::string("no joint ") + o.robot->joint[i]);
    o.index.push_back(static_cast<int>(joint->getIndexInSkeleton(0)));
  }
}

Eigen::VectorXd
to_dart(const Dart & o, const double * x)
{
  Eigen::VectorXd out(o.robot->nv);
  for (int i = 0; i < o.robot->nv; i++) out[o.index[i]] = x[i];
  return out;
}

Eigen::VectorXd
positions(const Dart & o, const double * q)
{
  if (!o.robot->floating) return to_dart(o, q);
  Eigen::VectorXd out(o.robot->nv);
  for (int i = 6; i < o.robot->nv; i++) out[o.index[i]] = q[i + 1];
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.linear() = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).normalized().toRotationMatrix();
  X.translation() << q[0], q[1], q[2];
  const Eigen::Vector6d base = FreeJoint::convertToPositions(X);
  for (int i = 0; i < 6; i++) out[o.index[i]] = base[(i + 3) % 6];
  return out;
}

void
take_states(Dart & o)
{
  const bench_robot_t & robot = *o.robot;
  const auto & on_the_way = o.frame[0]->getDependentGenCoordIndices();
  for (int s = 0; s < robot.nstate; s++) {
    o.q.push_back(positions(o, robot.q + s * robot.nq));
    o.v.push_back(to_dart(o, robot.v + s * robot.nv));
    o.a.push_back(to_dart(o, robot.a + s * robot.nv));
    o.tau.push_back(to_dart(o, robot.tau + s * robot.nv));
    Eigen::VectorXd v(on_the_way.size());
    for (std::size_t k = 0; k < on_the_way.size(); k++) v[k] = o.v.back()[on_the_way[k]];
    o.frame_v.push_back(v);
  }
}

Dart *
load_robot(const bench_robot_t * robot)
{
  const auto base =
    robot->floating ? DartLoader::RootJointType::FLOATING : DartLoader::RootJointType::FIXED;
  const dart::dynamics::Inertia nothing(
    0, Eigen::Vector3d::Zero(), Eigen::Matrix3d(Eigen::Matrix3d::Zero()));
  DartLoader loader(DartLoader::Options(nullptr, base, nothing));
  auto o = std::make_unique<Dart>();
  o->robot = robot;
  o->skeleton = loader.parseSkeletonString(robot->urdf, dart::common::Uri());
  if (!o->skeleton) throw std::runtime_error("its loader refuses it");
  if (static_cast<int>(o->skeleton->getNumDofs()) != robot->nv)
    throw std::runtime_error("number of degrees of freedom");
  o->skeleton->setGravity({robot->gravity[0], robot->gravity[1], robot->gravity[2]});
  switch_off(*o->skeleton);
  map_joints(*o);
  for (int i = 0; i < robot->nframe; i++) {
    o->frame.push_back(o->skeleton->getBodyNode(robot->frame[i]));
    if (o->frame.back() == nullptr)
      throw std::runtime_error(std::string("no link ") + robot->frame[i]);
  }
  take_states(*o);
  return o.release();
}

// what DART's loader has to say goes nowhere while one of these lives
struct Silence {
  std::ostringstream sink;
  std::streambuf * const out = std::cout.rdbuf(sink.rdbuf());
  std::streambuf * const err = std::cerr.rdbuf(sink.rdbuf());
  ~Silence()
  {
    std::cout.rdbuf(out);
    std::cerr.rdbuf(err);
  }
};

void *
load(const bench_robot_t * robot, char * why)
{
  const Silence silence;
  try {
    return load_robot(robot);
  } catch (const std::exception & error) {
    std::snprintf(why, BENCH_WHY, "%s", error.what());
    return nullptr;
  }
}

void
unload(void * loaded)
{
  delete static_cast<Dart *>(loaded);
}

//---------- calls ----------

Dart &
dart_at(void * loaded, int s)
{
  Dart & o = *static_cast<Dart *>(loaded);
  o.skeleton->setPositions(o.q[s]);
  return o;
}

// transforms are computed when they are asked for
void
forward_kinematics(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  for (BodyNode * body : o.skeleton->getBodyNodes()) body->getWorldTransform();
}

void
inverse_dynamics(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  o.skeleton->setVelocities(o.v[s]);
  o.skeleton->setAccelerations(o.a[s]);
  o.skeleton->computeInverseDynamics();
  o.own_vector = o.skeleton->getForces();
  o.vector = &o.own_vector;
}

void
gravity(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  o.vector = &o.skeleton->getGravityForces();
}

void
bias(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  o.skeleton->setVelocities(o.v[s]);
  o.vector = &o.skeleton->getCoriolisAndGravityForces();
}

void
mass_matrix(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  o.matrix = &o.skeleton->getMassMatrix();
}

void
forward_dynamics(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  o.skeleton->setVelocities(o.v[s]);
  o.skeleton->setForces(o.tau[s]);
  o.skeleton->computeForwardDynamics();
  o.own_vector = o.skeleton->getAccelerations();
  o.vector = &o.own_vector;
}

void
mass_inverse(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  o.matrix = &o.skeleton->getInvMassMatrix();
}

void
jacobian(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  o.jacobian = &o.frame[0]->getWorldJacobian();
}

void
jacobian_bias(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  o.skeleton->setVelocities(o.v[s]);
  o.bias.noalias() = o.frame[0]->getJacobianClassicDeriv() * o.frame_v[s];
}

// (J M^-1 J^T)^-1 of the first n frames
void
inertia_of(Dart & o, int n)
{
  o.stacked.resize(6 * n, o.robot->nv);
  for (int i = 0; i < n; i++)
    o.stacked.middleRows<6>(6 * i) = o.skeleton->getWorldJacobian(o.frame[i]);
  const Eigen::MatrixXd & M_inv = o.skeleton->getInvMassMatrix();
  const Eigen::MatrixXd compliance = o.stacked * M_inv * o.stacked.transpose();
  o.inertia = compliance.llt().solve(Eigen::MatrixXd::Identity(6 * n, 6 * n));
}

void
operational_inertia(void * loaded, int s)
{
  inertia_of(dart_at(loaded, s), 1);
}

void
operational_inertias(void * loaded, int s)
{
  Dart & o = dart_at(loaded, s);
  inertia_of(o, o.robot->nframe);
}

const bench_variant_t variants[] = {
  {BENCH_FORWARD_KINEMATICS, nullptr, forward_kinematics},
  {BENCH_INVERSE_DYNAMICS, nullptr, inverse_dynamics},
  {BENCH_GRAVITY, nullptr, gravity},
  {BENCH_BIAS, nullptr, bias},
  {BENCH_MASS_MATRIX, nullptr, mass_matrix},
  {BENCH_FORWARD_DYNAMICS, nullptr, forward_dynamics},
  {BENCH_MASS_INVERSE, nullptr, mass_inverse},
  {BENCH_JACOBIAN, nullptr, jacobian},
  {BENCH_JACOBIAN_BIAS, nullptr, jacobian_bias},
  {BENCH_OPERATIONAL_INERTIA, nullptr, operational_inertia},
  {BENCH_OPERATIONAL_INERTIAS, nullptr, operational_inertias},
  {BENCH_FUNCTIONS, nullptr, nullptr},
};

// operational space goes by the inverse of M here
bool
able(void * loaded, int variant)
{
  const bench_function_t function = variants[variant].function;
  const bool by_matrix =
    function == BENCH_OPERATIONAL_INERTIA || function == BENCH_OPERATIONAL_INERTIAS;
  return !by_matrix || static_cast<Dart *>(loaded)->robot->dense;
}

//---------- results ----------

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void
placements(const Dart & o, double * out)
{
  for (const BodyNode * body : o.frame) {
    const Eigen::Isometry3d & X = body->getWorldTransform();
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>{out} = X.linear();
    Eigen::Map<Eigen::Vector3d>(out + 9) = X.translation();
    out += 12;
  }
}

void
jacobian_back(const Dart & o, double * out)
{
  const int nv = o.robot->nv;
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(6, nv);
  const auto & on_the_way = o.frame[0]->getDependentGenCoordIndices();
  for (std::size_t k = 0; k < on_the_way.size(); k++)
    whole.col(static_cast<int>(on_the_way[k])) = o.jacobian->col(static_cast<int>(k));
  for (int row = 0; row < 6; row++)
    for (int i = 0; i < nv; i++) out[nv * row + i] = whole(row, o.index[i]);
}

bool
result(void * loaded, int variant, int, double * out)
{
  const Dart & o = *static_cast<Dart *>(loaded);
  const int nv = o.robot->nv;
  switch (variants[variant].function) {
    case BENCH_FORWARD_KINEMATICS: placements(o, out); break;
    case BENCH_MASS_MATRIX:
    case BENCH_MASS_INVERSE:
      for (int i = 0; i < nv; i++)
        for (int j = 0; j < nv; j++) out[nv * i + j] = (*o.matrix)(o.index[i], o.index[j]);
      break;
    case BENCH_JACOBIAN: jacobian_back(o, out); break;
    case BENCH_JACOBIAN_BIAS: Eigen::Map<Eigen::Matrix<double, 6, 1>>{out} = o.bias; break;
    case BENCH_OPERATIONAL_INERTIA:
    case BENCH_OPERATIONAL_INERTIAS:
      Eigen::Map<RowMajor>(out, o.inertia.rows(), o.inertia.cols()) = o.inertia;
      break;
    default:
      for (int i = 0; i < nv; i++) out[i] = (*o.vector)[o.index[i]];
  }
  return true;
}

const bench_plugin_t plugin = {
  BENCH_PLUGIN_VERSION, "DART", DART_VERSION, 0, variants, load, able, result, unload};

}  // namespace

const bench_plugin_t *
bench_plugin_get(void)
{
  return &plugin;
}
