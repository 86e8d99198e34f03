#include "outputs.hpp"

#include <limits>

#include "api.hpp"

namespace mbdyn_controllers
{
namespace api = mbdyn_ros2_control;
namespace
{

using mbdyn::msg::JointDynamics;
using mbdyn::msg::JointTorques;

constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

// arrays of mbdyn/JointTorques
constexpr struct {
  mbdc_value_t what;
  std::vector<double> JointTorques::*array;
} TORQUES[] = {{MBDC_TOTAL, &JointTorques::total},       {MBDC_GRAVITY, &JointTorques::gravity},
               {MBDC_CORIOLIS, &JointTorques::coriolis}, {MBDC_INERTIA, &JointTorques::inertia},
               {MBDC_FRICTION, &JointTorques::friction}, {MBDC_EXTERNAL, &JointTorques::external},
               {MBDC_EFFORT, &JointTorques::command}};

// numbers of mbdyn/JointDynamics
constexpr struct {
  mbdc_value_t what;
  double JointDynamics::*number;
} DYNAMICS[] = {
  {MBDC_POSITION, &JointDynamics::position},
  {MBDC_VELOCITY, &JointDynamics::velocity},
  {MBDC_ACCELERATION, &JointDynamics::acceleration},
  {MBDC_MEASURED, &JointDynamics::measured},
  {MBDC_TOTAL, &JointDynamics::total},
  {MBDC_GRAVITY, &JointDynamics::gravity},
  {MBDC_CORIOLIS, &JointDynamics::coriolis},
  {MBDC_INERTIA, &JointDynamics::inertia},
  {MBDC_FRICTION, &JointDynamics::friction},
  {MBDC_EXTERNAL, &JointDynamics::external},
  {MBDC_EFFORT, &JointDynamics::command},
  {MBDC_EFFORT_LIMIT, &JointDynamics::limit}};

constexpr struct {
  const char * topic;
  mbdc_value_t what;
} STATES[] = {
  {"torques", MBDC_TOTAL},
  {"torques/gravity", MBDC_GRAVITY},
  {"command", MBDC_EFFORT},
  {"external_torque", MBDC_OBSERVED}};

// a command that was not sent is not a number, as in the node's messages
bool
sent(const mbdc_controller_t * controller, mbdc_value_t what)
{
  return what != MBDC_EFFORT || mbdc_get_status(controller)->result == MBDC_COMMANDED;
}

}  // namespace

//---------- not in real time ----------

template <class Message>
void
Outputs::start(
  rclcpp_lifecycle::LifecycleNode & node, const std::string & name, Output<Message> & output)
{
  output.wanted = false;
  output.topic = node.create_publisher<Message>("~/" + name, rclcpp::SystemDefaultsQoS());
  output.publisher = std::make_unique<realtime_tools::RealtimePublisher<Message>>(output.topic);
  // once from here, so that the publisher has its memory before the first update
  api::publish(*output.publisher, output.message, 0);
}

void
Outputs::open(
  rclcpp_lifecycle::LifecycleNode & node, const mbdc_controller_t * controller, double rate)
{
  close();
  period_ = rate > 0 ? 1 / rate : 0;
  since_ = 0;
  if (period_ == 0) return;
  std::vector<std::string> names;
  for (int i = 0; i < mbdc_joint_count(controller); i++)
    names.push_back(mbdc_joint_name(controller, i));
  numbers_.assign(names.size(), NONE);
  const mbd_model_t * model = mbdc_model(controller);
  const std::string root = model->nframe > 0 ? model->frame[0].name : model->name;

  for (const auto & row : STATES) {
    states_.push_back(std::make_unique<State>());
    auto & m = states_.back()->message;
    states_.back()->what = row.what;
    m.name = names;
    m.position = m.velocity = m.effort = numbers_;
    start(node, row.topic, *states_.back());
  }
  auto & torques = torques_.message;
  torques.header.frame_id = root;
  torques.joint_names = names;
  for (const auto & row : TORQUES) torques.*row.array = numbers_;
  torques.saturated.assign(names.size(), false);
  start(node, "joint_torques", torques_);

  auto & joints = joints_.message;
  joints.header.frame_id = root;
  joints.joints.resize(names.size());
  for (size_t i = 0; i < names.size(); i++) {
    joints.joints[i].name = names[i];
    for (const auto & row : DYNAMICS) joints.joints[i].*row.number = NONE;
  }
  start(node, "joint_dynamics", joints_);

  const int frame = mbdc_observer_frame(controller);
  if (frame < 0) return;
  wrench_.message.header.frame_id = model->frame[frame].name;
  start(node, "external_wrench", wrench_);
}

void
Outputs::close()
{
  const auto end = [](auto & output) {
    output.wanted = false;
    output.publisher.reset();
    output.topic.reset();
  };
  states_.clear();
  end(torques_);
  end(joints_);
  end(wrench_);
}

void
Outputs::poll()
{
  const auto look = [](auto & output) {
    output.wanted = output.topic && output.topic->get_subscription_count() +
                                        output.topic->get_intra_process_subscription_count() >
                                      0;
  };
  for (auto & state : states_) look(*state);
  look(torques_);
  look(joints_);
  look(wrench_);
}

//---------- the real-time thread ----------

void
Outputs::restart()
{
  since_ = 0;
}

bool
Outputs::fill(State & state, const mbdc_controller_t * controller)
{
  auto & m = state.message;
  return mbdc_read(controller, MBDC_POSITION, m.position.data()) == MBD_OK &&
         mbdc_read(controller, MBDC_VELOCITY, m.velocity.data()) == MBD_OK &&
         mbdc_read(controller, state.what, m.effort.data()) == MBD_OK;
}

bool
Outputs::fill_torques(const mbdc_controller_t * controller)
{
  auto & m = torques_.message;
  for (const auto & row : TORQUES) {
    auto & array = m.*row.array;
    if (mbdc_read(controller, row.what, array.data()) != MBD_OK) return false;
    if (!sent(controller, row.what)) std::fill(array.begin(), array.end(), NONE);
  }
  if (mbdc_read(controller, MBDC_SATURATED, numbers_.data()) != MBD_OK) return false;
  for (size_t i = 0; i < numbers_.size(); i++) m.saturated[i] = numbers_[i] > 0;
  return true;
}

bool
Outputs::fill_joints(const mbdc_controller_t * controller)
{
  auto & joints = joints_.message.joints;
  for (const auto & row : DYNAMICS) {
    if (mbdc_read(controller, row.what, numbers_.data()) != MBD_OK) return false;
    const bool known = sent(controller, row.what);
    for (size_t i = 0; i < joints.size(); i++) joints[i].*row.number = known ? numbers_[i] : NONE;
  }
  if (mbdc_read(controller, MBDC_SATURATED, numbers_.data()) != MBD_OK) return false;
  for (size_t i = 0; i < joints.size(); i++) joints[i].saturated = numbers_[i] > 0;
  return true;
}

bool
Outputs::fill_wrench(mbdc_controller_t * controller)
{
  double w[6];
  if (mbdc_external_wrench(controller, w) != MBD_OK) return false;
  auto & m = wrench_.message.wrench;
  m.force.x = w[0];
  m.force.y = w[1];
  m.force.z = w[2];
  m.torque.x = w[3];
  m.torque.y = w[4];
  m.torque.z = w[5];
  return true;
}

void
Outputs::cycle(mbdc_controller_t * controller, const rclcpp::Time & time, double period)
{
  since_ += period;
  if (period_ == 0 || since_ < period_) return;
  since_ = since_ < 2 * period_ ? since_ - period_ : 0;
  const auto send = [&time](auto & output) {
    output.message.header.stamp = time;
    api::publish(*output.publisher, output.message, 0);
  };
  for (auto & state : states_)
    if (state->wanted && fill(*state, controller)) send(*state);
  if (torques_.wanted && fill_torques(controller)) send(torques_);
  if (joints_.wanted && fill_joints(controller)) send(joints_);
  if (wrench_.wanted && fill_wrench(controller)) send(wrench_);
}

}  // namespace mbdyn_controllers
