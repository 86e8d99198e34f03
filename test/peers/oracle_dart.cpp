// DART 6.12 as an oracle. It reads the URDF itself (dart-utils-urdf). Where it differs, and what is
// done about it:
//
//  - a link without <inertial> would weigh 1 kg; the default is set to nothing.
//  - limits, damping, dry friction and springs of the joints are switched off, and every joint is
//    driven by force, mimic joints too.
//  - a free joint's position is the exponential coordinates of its rotation, then the origin; its
//    velocity is that of the child in child axes, as ours, but angular first; its acceleration is
//    the time derivative of that, its force the dual wrench. So blocks are swapped, nothing is
//    turned.
//  - BodyNode::computePotentialEnergy takes the body's origin for its centre of mass, and what is
//    fixed to the world counts: the sum over moving bodies is done here, with BodyNode::getCOM.
//  - Jacobians are angular first, as ours; Jdot v is the classical derivative in world axes.
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/utils/urdf/DartLoader.hpp>

#include "oracle.h"

namespace
{

using dart::dynamics::BodyNode;
using dart::dynamics::FreeJoint;
using dart::utils::DartLoader;

struct Dart {
  int nv;
  bool floating;
  dart::dynamics::SkeletonPtr skeleton;
  std::vector<int> index;  // DART's number of each of our degrees of freedom
  std::vector<BodyNode *> frame;
  Eigen::Vector3d gravity;
};

//---------- loading ----------

void
switch_off(dart::dynamics::Skeleton & skeleton)
{
  for (std::size_t i = 0; i < skeleton.getNumJoints(); i++) {
    dart::dynamics::Joint * joint = skeleton.getJoint(i);
    joint->setActuatorType(dart::dynamics::Joint::FORCE);
    joint->setLimitEnforcement(false);
    for (std::size_t k = 0; k < joint->getNumDofs(); k++) {
      joint->setDampingCoefficient(k, 0);
      joint->setCoulombFriction(k, 0);
      joint->setSpringStiffness(k, 0);
    }
  }
}

// our degrees of freedom in DART: blocks of the free joint swapped, joints by name
void
map_joints(Dart & o, const oracle_robot_t * robot)
{
  if (robot->floating) {
    const auto * root = dynamic_cast<FreeJoint *>(o.skeleton->getRootJoint());
    if (root == nullptr) throw std::runtime_error("no free joint");
    for (std::size_t i = 0; i < 6; i++)
      o.index.push_back(static_cast<int>(root->getIndexInSkeleton((i + 3) % 6)));
  }
  for (int i = 0; i < robot->njoint; i++) {
    const auto * joint = o.skeleton->getJoint(robot->joint[i]);
    if (joint == nullptr || joint->getNumDofs() != 1)
      throw std::runtime_error(std::string("no joint ") + robot->joint[i]);
    o.index.push_back(static_cast<int>(joint->getIndexInSkeleton(0)));
  }
}

Dart *
load(const oracle_robot_t * robot)
{
  const auto base =
    robot->floating ? DartLoader::RootJointType::FLOATING : DartLoader::RootJointType::FIXED;
  const dart::dynamics::Inertia nothing(
    0, Eigen::Vector3d::Zero(), Eigen::Matrix3d(Eigen::Matrix3d::Zero()));
  DartLoader loader(DartLoader::Options(nullptr, base, nothing));
  auto o = std::make_unique<Dart>();
  o->nv = oracle_nv(robot);
  o->floating = robot->floating;
  o->gravity << robot->gravity[0], robot->gravity[1], robot->gravity[2];
  o->skeleton = loader.parseSkeletonString(robot->urdf, dart::common::Uri());
  if (!o->skeleton) throw std::runtime_error("its loader refuses it");
  if (static_cast<int>(o->skeleton->getNumDofs()) != o->nv)
    throw std::runtime_error("number of degrees of freedom");
  o->skeleton->setGravity(o->gravity);
  switch_off(*o->skeleton);
  map_joints(*o, robot);
  for (int i = 0; i < robot->nframe; i++) {
    o->frame.push_back(o->skeleton->getBodyNode(robot->frame[i]));
    if (o->frame.back() == nullptr)
      throw std::runtime_error(std::string("no link ") + robot->frame[i]);
  }
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
dart_load(const oracle_robot_t * robot, char * why)
{
  const Silence silence;
  try {
    return load(robot);
  } catch (const std::exception & error) {
    std::snprintf(why, ORACLE_WHY, "%s", error.what());
    return nullptr;
  }
}

//---------- from our order to DART's, and back ----------

Eigen::VectorXd
to_dart(const Dart & o, const double * x)
{
  Eigen::VectorXd out(o.nv);
  for (int i = 0; i < o.nv; i++) out[o.index[i]] = x[i];
  return out;
}

void
from_dart(const Dart & o, const Eigen::VectorXd & x, double * out)
{
  for (int i = 0; i < o.nv; i++) out[i] = x[o.index[i]];
}

Eigen::VectorXd
positions(const Dart & o, const double * q)
{
  if (!o.floating) return to_dart(o, q);
  Eigen::VectorXd out(o.nv);
  for (int i = 6; i < o.nv; i++) out[o.index[i]] = q[i + 1];
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.linear() = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).normalized().toRotationMatrix();
  X.translation() << q[0], q[1], q[2];
  const Eigen::Vector6d base = FreeJoint::convertToPositions(X);
  for (int i = 0; i < 6; i++) out[o.index[i]] = base[(i + 3) % 6];
  return out;
}

//---------- what is asked ----------

void
dynamics(const Dart & o, const oracle_state_t * s, oracle_results_t * r)
{
  auto & skeleton = *o.skeleton;
  from_dart(o, skeleton.getGravityForces(), r->gravity);
  from_dart(o, skeleton.getCoriolisAndGravityForces(), r->bias);

  skeleton.setAccelerations(to_dart(o, s->a));
  skeleton.computeInverseDynamics();
  from_dart(o, skeleton.getForces(), r->tau);

  skeleton.setForces(to_dart(o, s->tau));
  skeleton.computeForwardDynamics();
  from_dart(o, skeleton.getAccelerations(), r->qdd);

  const Eigen::MatrixXd & M = skeleton.getMassMatrix();
  for (int i = 0; i < o.nv; i++)
    for (int j = 0; j < o.nv; j++) r->M[o.nv * i + j] = M(o.index[i], o.index[j]);
}

void
energies(const Dart & o, oracle_results_t * r)
{
  r->kinetic = o.skeleton->computeKineticEnergy();
  r->potential = 0;
  for (const BodyNode * body : o.skeleton->getBodyNodes()) {
    const bool moves = body->getNumDependentGenCoords() > 0;
    if (moves) r->potential -= body->getMass() * body->getCOM().dot(o.gravity);
  }
}

void
frame(const Dart & o, const BodyNode & body, const Eigen::VectorXd & v, int i, oracle_results_t * r)
{
  const Eigen::Isometry3d & X = body.getWorldTransform();
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(r->placement + 12 * i) = X.linear();
  Eigen::Map<Eigen::Vector3d>(r->placement + 12 * i + 9) = X.translation();

  const auto J = o.skeleton->getWorldJacobian(&body);
  double * out = r->jacobian + 6 * o.nv * i;
  for (int row = 0; row < 6; row++)
    for (int k = 0; k < o.nv; k++) out[o.nv * row + k] = J(row, o.index[k]);

  Eigen::Map<Eigen::Vector6d>(r->jacobian_bias + 6 * i) =
    o.skeleton->getJacobianClassicDeriv(&body) * v;
}

void
dart_compute(void * loaded, const oracle_state_t * s, oracle_results_t * r)
{
  const Dart & o = *static_cast<Dart *>(loaded);
  const Eigen::VectorXd v = to_dart(o, s->v);
  o.skeleton->setPositions(positions(o, s->q));
  o.skeleton->setVelocities(v);
  dynamics(o, s, r);
  energies(o, r);
  for (std::size_t i = 0; i < o.frame.size(); i++) frame(o, *o.frame[i], v, static_cast<int>(i), r);
  r->has = (1u << ORACLE_QUANTITIES) - 1;
}

void
dart_unload(void * loaded)
{
  delete static_cast<Dart *>(loaded);
}

}  // namespace

const oracle_t oracle_dart = {"DART", 1e-9, true, dart_load, dart_compute, dart_unload};
