// mbdyn for kinematics_interface (admittance_controller and others). Parameters: robot_description, tip, base (the root, where
// it is given), alpha (damping of the inverse, default 5e-6). No heap after initialize but what the caller's vectors need.
#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include "chain.hpp"
#include "kinematics_interface/kinematics_interface.hpp"
#include "pluginlib/class_list_macros.hpp"
#include "rclcpp/logging.hpp"

namespace mbdyn_ros2_control
{
class Kinematics : public kinematics_interface::KinematicsInterface
{
 public:
  using Vector = Eigen::VectorXd;
  using Twist = Eigen::Matrix<double, 6, 1>;
  using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;
  using Inverse = Eigen::Matrix<double, Eigen::Dynamic, 6>;
  using Parameters = std::shared_ptr<rclcpp::node_interfaces::NodeParametersInterface>;

  // of these two, each distribution overrides the one that it has
  bool
  initialize(Parameters parameters, const std::string & tip)
  {
    return set_up("", parameters, "", tip);
  }
  bool
  initialize(const std::string & urdf, Parameters parameters, const std::string & space)
  {
    return set_up(urdf, parameters, space.empty() ? "" : space + ".", "");
  }

  bool
  convert_cartesian_deltas_to_joint_deltas(
    const Vector & q, const Twist & dx, const std::string & link, Vector & dq) override
  {
    if (!dx.allFinite() || !invert(q, link)) return false;
    dq = J_.transpose() * solver_.solve(dx);
    return true;
  }

  bool
  convert_joint_deltas_to_cartesian_deltas(
    const Vector & q, const Vector & dq, const std::string & link, Twist & dx) override
  {
    if (dq.size() != J_.cols() || !get_jacobian(q, link)) return false;
    dx.noalias() = J_ * dq;
    return true;
  }

  bool
  calculate_link_transform(
    const Vector & q, const std::string & link, Eigen::Isometry3d & transform) override
  {
    mbd_placement_t X;
    const int frame = find(link);
    if (frame < 0 || !chain_.set_position(q)) return false;
    if (mbd_frame_placement(chain_.model, chain_.data, frame, &X) != MBD_OK) return false;
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) T.linear()(i, j) = X.R.m[3 * i + j];
    T.translation() = Eigen::Vector3d(X.p.x, X.p.y, X.p.z);
    transform = base_.inverse() * T;
    return true;
  }

  bool
  calculate_jacobian(const Vector & q, const std::string & link, Jacobian & jacobian) override
  {
    if (!get_jacobian(q, link)) return false;
    jacobian = J_;
    return true;
  }

  // newer distributions
  bool
  calculate_jacobian_inverse(const Vector & q, const std::string & link, Inverse & inverse)
  {
    if (!invert(q, link)) return false;
    inverse = J_.transpose() * solver_.solve(Eigen::Matrix<double, 6, 6>::Identity());
    return true;
  }
  bool
  calculate_frame_difference(
    Eigen::Matrix<double, 7, 1> & a, Eigen::Matrix<double, 7, 1> & b, double dt, Twist & dx)
  {
    const Eigen::Quaterniond p(a[6], a[3], a[4], a[5]), r(b[6], b[3], b[4], b[5]);
    if (!(dt > 0) || !a.allFinite() || !b.allFinite()) return false;
    const Eigen::AngleAxisd turn(r.normalized() * p.normalized().conjugate());
    // by the shorter way
    const double angle = turn.angle() > M_PI ? turn.angle() - 2 * M_PI : turn.angle();
    dx << (b.head<3>() - a.head<3>()) / dt, turn.axis() * angle / dt;
    return true;
  }

 private:
  bool
  set_up(
    const std::string & given, Parameters parameters, const std::string & prefix, std::string tip)
  {
    rclcpp::Parameter p;
    const auto get = [&](const std::string & name) { return parameters->get_parameter(name, p); };
    std::string reason = "no robot_description";
    if (tip.empty() && get(prefix + "tip")) tip = p.as_string();
    const std::string urdf = !given.empty() ? given : get("robot_description") ? p.as_string() : "";
    if (!urdf.empty()) reason = tip.empty() ? "parameter tip is not set" : chain_.load(urdf, tip);
    if (get(prefix + "alpha")) alpha_ = p.as_double();
    const std::string base = get(prefix + "base") ? p.as_string() : "";
    if (reason.empty()) {
      J_.resize(6, static_cast<int>(chain_.joints.size()));
      all_.resize(6 * chain_.v.size());
      if (!base.empty()) reason = use_base(base);
    }
    if (reason.empty()) return true;
    RCLCPP_ERROR(rclcpp::get_logger("mbdyn_kinematics"), "%s", reason.c_str());
    return false;
  }

  // transforms and Jacobians are in its axes
  std::string
  use_base(const std::string & base)
  {
    Eigen::Isometry3d T;
    const int frame = chain_.find(base);
    if (frame < 0) return "base: the robot has no link '" + base + "'";
    if (chain_.model->frame[frame].body != MBD_WORLD_BODY)
      return "base: link '" + base + "' moves; use one that is fixed to the root";
    if (!calculate_link_transform(Vector::Zero(J_.cols()), base, T)) return "base";
    base_ = T;
    return "";
  }

  int
  find(const std::string & link) const
  {
    return chain_.model ? chain_.find(link) : -1;
  }

  bool
  get_jacobian(const Vector & q, const std::string & link)
  {
    const int frame = find(link), nv = static_cast<int>(chain_.v.size());
    if (frame < 0 || !chain_.set_position(q)) return false;
    if (
      mbd_jacobian(chain_.model, chain_.data, frame, MBD_LOCAL_WORLD_ALIGNED, all_.data()) !=
      MBD_OK)
      return false;
    // rows of the library: angular, linear
    for (int k = 0; k < J_.cols(); k++) {
      const int dof = chain_.joints[static_cast<size_t>(k)].v;
      for (int i = 0; i < 6; i++) J_((i + 3) % 6, k) = all_[static_cast<size_t>(i * nv + dof)];
      J_.col(k).head<3>() = base_.linear().transpose() * J_.col(k).head<3>().eval();
      J_.col(k).tail<3>() = base_.linear().transpose() * J_.col(k).tail<3>().eval();
    }
    return true;
  }

  // damped: J^T (J J^T + alpha 1)^-1
  bool
  invert(const Vector & q, const std::string & link)
  {
    if (!get_jacobian(q, link)) return false;
    Eigen::Matrix<double, 6, 6> A = J_ * J_.transpose();
    A.diagonal().array() += alpha_;
    solver_.compute(A);
    return solver_.info() == Eigen::Success;
  }

  Chain chain_;
  Jacobian J_;
  std::vector<double> all_;
  Eigen::LDLT<Eigen::Matrix<double, 6, 6>> solver_;
  Eigen::Isometry3d base_ = Eigen::Isometry3d::Identity();
  double alpha_ = 5e-6;
};
}  // namespace mbdyn_ros2_control

PLUGINLIB_EXPORT_CLASS(mbdyn_ros2_control::Kinematics, kinematics_interface::KinematicsInterface)
