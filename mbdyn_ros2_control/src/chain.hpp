// A model of a description and the joints on the way to a link: what the solver plug-ins have in common.
#ifndef MBDYN_ROS2_CONTROL__CHAIN_HPP_
#define MBDYN_ROS2_CONTROL__CHAIN_HPP_

#include <string>
#include <vector>

#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

namespace mbdyn_ros2_control
{
/// Joints from the base to the tip, or all; other joints stay at their neutral position. Mimic joints follow.
class Chain
{
 public:
  Chain() = default;
  Chain(const Chain &) = delete;
  Chain & operator=(const Chain &) = delete;
  ~Chain()
  {
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }

  /// \param[in] tip  link; empty: all joints
  /// \return empty, or what is wrong
  std::string
  load(const std::string & urdf, const std::string & tip)
  {
    mbdx_report_t * report = nullptr;
    mbd_status_t status =
      mbdx_urdf_load_string(urdf.data(), urdf.size(), nullptr, nullptr, &model, &report);
    std::string reason = status == MBD_OK ? "" : mbd_status_string(status);
    for (int i = 0; report && i < report->n && status != MBD_OK; i++)
      if (report->entry[i].severity == MBDX_ERROR) reason = report->entry[i].text;
    mbdx_report_free(report);
    if (!reason.empty()) return reason;
    int frame = -1;
    if (!tip.empty() && mbd_find_frame(model, tip.c_str(), &frame) != MBD_OK)
      return "the robot has no link '" + tip + "'";
    status = mbd_data_create(model, &data);
    q.assign(static_cast<size_t>(model->nq), 0);
    v.assign(static_cast<size_t>(model->nv), 0);
    if (status == MBD_OK) status = mbd_neutral(model, q.data());
    if (status != MBD_OK) return mbd_status_string(status);
    std::vector<bool> wanted(static_cast<size_t>(model->nbody), tip.empty());
    int body = tip.empty() ? MBD_WORLD_BODY : model->frame[frame].body;
    for (; body != MBD_WORLD_BODY; body = model->body[body].parent)
      wanted[static_cast<size_t>(body)] = true;
    for (int i = 0; i < model->nbody; i++) {
      const mbd_body_t & b = model->body[i];
      if (!wanted[static_cast<size_t>(i)] || b.nv == 0) continue;
      if (b.nv != 1 || b.nq != 1)
        return "joint '" + std::string(b.joint_name) + "' has several degrees of freedom";
      joints.push_back({b.q_index, b.v_index});
    }
    return joints.empty() ? "no moving joint" : "";
  }

  /// Frame of a link, or -1.
  int
  find(const std::string & link) const
  {
    int frame = -1;
    return mbd_find_frame(model, link.c_str(), &frame) == MBD_OK ? frame : -1;
  }

  template <class Vector>
  bool
  set_position(const Vector & position)
  {
    if (static_cast<size_t>(position.size()) != joints.size()) return false;
    for (size_t k = 0; k < joints.size(); k++)
      q[static_cast<size_t>(joints[k].q)] = position[static_cast<int>(k)];
    return mbd_set_position(model, data, q.data()) == MBD_OK;
  }

  struct Joint {
    int q, v;
  };
  mbd_model_t * model = nullptr;
  mbd_data_t * data = nullptr;
  std::vector<Joint> joints;
  std::vector<double> q, v;
};
}  // namespace mbdyn_ros2_control

#endif  // MBDYN_ROS2_CONTROL__CHAIN_HPP_
