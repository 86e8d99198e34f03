// Forward dynamics with loops by Pinocchio 3: constraintDynamics, one proximal iteration. A pin is a point
// constraint of three rows, of which planar linkages need two: `mu` regularises the third.
#include <exception>
#include <memory>
#include <vector>

#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include "loops_peer.h"
#include "mbdyn/spatial.h"

namespace
{

namespace pin = pinocchio;

struct Loops {
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  std::vector<pin::RigidConstraintModel> pins;
  std::vector<pin::RigidConstraintData> pin_data;
  pin::ProximalSettings settings{1e-12, 1e-8, 1};
  std::vector<Eigen::VectorXd> q, v, tau;
};

pin::SE3
placement_of(const mbd_placement_t & X)
{
  using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Eigen::Matrix3d R = Eigen::Map<const Rows>(X.R.m);
  return pin::SE3(R, Eigen::Vector3d(X.p.x, X.p.y, X.p.z));
}

pin::Inertia
inertia_of(const mbd_inertia_t & M)
{
  const mbd_sym3_t I = mbdu_inertia_about_com(&M);
  Eigen::Matrix3d moments;
  moments << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return pin::Inertia(M.mass, Eigen::Vector3d(M.h.x, M.h.y, M.h.z) / M.mass, moments);
}

pin::JointIndex
joint_of(int body)
{
  return static_cast<pin::JointIndex>(body + 1);  // the world is joint 0
}

void
build(const mbd_model_t & tree, Loops & o)
{
  for (int i = 0; i < tree.nbody; i++) {
    const mbd_body_t & body = tree.body[i];
    const pin::JointModel joint = body.type == MBD_JOINT_FREE
                                    ? pin::JointModel(pin::JointModelFreeFlyer())
                                    : pin::JointModel(pin::JointModelRZ());
    o.model.addJoint(
      joint_of(body.parent), joint, placement_of(body.X_tree), std::string(body.joint_name));
    o.model.appendBodyToJoint(joint_of(i), inertia_of(body.inertia), pin::SE3::Identity());
  }
  o.data = std::make_unique<pin::Data>(o.model);
  for (int k = 0; k < tree.nclosure; k++) {
    const mbd_closure_t & c = tree.closure[k];
    o.pins.emplace_back(
      pin::CONTACT_3D, o.model, joint_of(c.body_a), placement_of(c.X_a), joint_of(c.body_b),
      placement_of(c.X_b), pin::LOCAL);
  }
  for (const auto & c : o.pins) o.pin_data.emplace_back(c);
  pin::initConstraintDynamics(o.model, *o.data, o.pins);
}

void *
load(const loops_case_t * robot)
{
  try {
    auto o = std::make_unique<Loops>();
    const int nq = robot->tree->nq, nv = robot->tree->nv;
    build(*robot->tree, *o);
    if (o->model.nv != nv) return nullptr;
    for (int s = 0; s < robot->nstate; s++) {
      o->q.emplace_back(Eigen::Map<const Eigen::VectorXd>(robot->q + s * nq, nq));
      o->v.emplace_back(Eigen::Map<const Eigen::VectorXd>(robot->v + s * nv, nv));
      o->tau.emplace_back(Eigen::Map<const Eigen::VectorXd>(robot->tau + s * nv, nv));
    }
    return o.release();
  } catch (const std::exception &) {
    return nullptr;
  }
}

bool
constraint_dynamics(void * loaded, int state)
{
  auto & o = *static_cast<Loops *>(loaded);
  const auto s = static_cast<std::size_t>(state);
  pin::constraintDynamics(
    o.model, *o.data, o.q[s], o.v[s], o.tau[s], o.pins, o.pin_data, o.settings);
  return true;
}

void
result(void * loaded, int, double * a)
{
  const auto & o = *static_cast<Loops *>(loaded);
  Eigen::Map<Eigen::VectorXd>(a, o.model.nv) = o.data->ddq;
}

void
unload(void * loaded)
{
  delete static_cast<Loops *>(loaded);
}

}  // namespace

const loops_peer_t loops_pinocchio[] = {
  {"Pinocchio, constraintDynamics", load, constraint_dynamics, result, unload},
  {nullptr, nullptr, nullptr, nullptr, nullptr},
};
