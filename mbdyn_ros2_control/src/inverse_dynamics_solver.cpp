// mbdyn for inverse_dynamics_solver: trees, mimic joints and friction. Parameters: robot_description, tip (a link; not set: all
// joints, in the order of the model), gravity.
#include "inverse_dynamics_solver/inverse_dynamics_solver.h"

#include <stdexcept>

#include "chain.hpp"
#include "pluginlib/class_list_macros.hpp"

namespace mbdyn_ros2_control
{
using Eigen::MatrixXd;
using Eigen::VectorXd;

class InverseDynamicsSolver : public inverse_dynamics_solver::InverseDynamicsSolver
{
 public:
  using Parameters = rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr;

  void
  initialize(Parameters parameters, const std::string & space, const std::string & given) override
  {
    const std::string prefix = space.empty() ? "" : space + ".";
    rclcpp::Parameter p;
    const auto get = [&](const std::string & name) {
      return parameters && parameters->get_parameter(name, p);
    };
    const std::string urdf = !given.empty() ? given : get("robot_description") ? p.as_string() : "";
    const std::string tip = get(prefix + "tip") ? p.as_string() : "";
    const std::string reason = urdf.empty() ? "no robot_description" : chain_.load(urdf, tip);
    if (!reason.empty()) throw std::runtime_error("mbdyn: " + reason);
    if (!get(prefix + "gravity")) return;
    const auto g = p.as_double_array();
    if (g.size() != 3) throw std::runtime_error("mbdyn: gravity: expected three values");
    check(mbd_set_gravity(chain_.data, {g[0], g[1], g[2]}));
  }

  MatrixXd
  getInertiaMatrix(const VectorXd & q) const override
  {
    const int nv = chain_.model->nv, n = static_cast<int>(chain_.joints.size());
    std::vector<double> all(static_cast<size_t>(nv) * static_cast<size_t>(nv));
    MatrixXd M(n, n);
    set(q);
    check(mbd_mass_matrix(chain_.model, chain_.data, all.data()));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) M(i, j) = all[static_cast<size_t>(dof(i) * nv + dof(j))];
    return M;
  }

  VectorXd
  getCoriolisVector(const VectorXd & q, const VectorXd & v) const override
  {
    return torques(q, v, VectorXd::Zero(v.size())) - getGravityVector(q);
  }

  VectorXd
  getGravityVector(const VectorXd & q) const override
  {
    std::vector<double> g(static_cast<size_t>(chain_.model->nv));
    set(q);
    check(mbd_gravity(chain_.model, chain_.data, g.data()));
    return pick(g);
  }

  VectorXd
  getFrictionVector(const VectorXd & v) const override
  {
    std::vector<double> friction(static_cast<size_t>(chain_.model->nv));
    check(mbd_friction(chain_.model, spread(v).data(), friction.data()));
    return pick(friction);
  }

  VectorXd
  getTorques(const VectorXd & q, const VectorXd & v, const VectorXd & a) const override
  {
    return torques(q, v, a);
  }

 private:
  static void
  check(mbd_status_t status)
  {
    if (status != MBD_OK)
      throw std::runtime_error(std::string("mbdyn: ") + mbd_status_string(status));
  }

  int
  dof(int i) const
  {
    return chain_.joints[static_cast<size_t>(i)].v;
  }

  void
  set(const VectorXd & q) const
  {
    if (!chain_.model) throw std::runtime_error("mbdyn: not initialized");
    if (!chain_.set_position(q))
      throw std::runtime_error("mbdyn: joint positions: not finite, or not one per joint");
  }

  VectorXd
  pick(const std::vector<double> & all) const
  {
    VectorXd x(static_cast<int>(chain_.joints.size()));
    for (int i = 0; i < x.size(); i++) x[i] = all[static_cast<size_t>(dof(i))];
    return x;
  }

  std::vector<double>
  spread(const VectorXd & x) const
  {
    if (!chain_.model || x.size() != static_cast<int>(chain_.joints.size()))
      throw std::runtime_error("mbdyn: expected one number per joint");
    std::vector<double> all(static_cast<size_t>(chain_.model->nv), 0);
    for (int i = 0; i < x.size(); i++) all[static_cast<size_t>(dof(i))] = x[i];
    return all;
  }

  VectorXd
  torques(const VectorXd & q, const VectorXd & v, const VectorXd & a) const
  {
    std::vector<double> tau(static_cast<size_t>(chain_.model->nv));
    set(q);
    check(mbd_inverse_dynamics(
      chain_.model, chain_.data, chain_.q.data(), spread(v).data(), spread(a).data(), nullptr,
      tau.data()));
    return pick(tau);
  }

  // its workspace; the interface is const
  mutable Chain chain_;
};
}  // namespace mbdyn_ros2_control

PLUGINLIB_EXPORT_CLASS(
  mbdyn_ros2_control::InverseDynamicsSolver, inverse_dynamics_solver::InverseDynamicsSolver)
