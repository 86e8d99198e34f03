// The node as a component, for a container of rclcpp_components: mbdyn::DynamicsComponent.
//
// An rclcpp node gives name, namespace, remaps and /rosout; everything else, parameter services too,
// is the C node's, on the same rcl node and on threads of its own. One node in the graph, and the
// same code as in mbdyn_node.
#include <memory>
#include <stdexcept>

#include "node.h"
#include "parameter_table.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/register_node_macro.hpp"

namespace mbdyn
{
class DynamicsComponent
{
 public:
  explicit DynamicsComponent(const rclcpp::NodeOptions & options)
      : node_(make_node(options)), context_(node_->get_node_base_interface()->get_context())
  {
    // of the load request; a container does not pass on its own
    ParameterTable parameters(node_->get_node_parameters_interface()->get_parameter_overrides());
    mbdyn_node_options_t ours{};
    ours.node = node_->get_node_base_interface()->get_rcl_node_handle();
    ours.extra = parameters.get();
    mbdyn_.reset(mbdyn_node_create(&ours));
    if (!mbdyn_) throw std::runtime_error("mbdyn: cannot create the node; see its log");
    if (!mbdyn_node_start(mbdyn_.get()))
      throw std::runtime_error("mbdyn: cannot start the threads");
    // after the context's shutdown nothing can be published, not even a last command
    shutdown_ = context_->add_pre_shutdown_callback([this] { mbdyn_node_stop(mbdyn_.get()); });
  }

  ~DynamicsComponent()
  {
    context_->remove_pre_shutdown_callback(shutdown_);
  }

  DynamicsComponent(const DynamicsComponent &) = delete;
  DynamicsComponent & operator=(const DynamicsComponent &) = delete;

  rclcpp::node_interfaces::NodeBaseInterface::SharedPtr
  get_node_base_interface() const
  {
    return node_->get_node_base_interface();
  }

 private:
  struct End {
    void
    operator()(mbdyn_node_t * node) const
    {
      mbdyn_node_stop(node);
      mbdyn_node_destroy(node);
    }
  };

  static rclcpp::Node::SharedPtr
  make_node(rclcpp::NodeOptions options)
  {
    options.start_parameter_services(false).start_parameter_event_publisher(false);
    return std::make_shared<rclcpp::Node>("mbdyn", options);
  }

  rclcpp::Node::SharedPtr node_;  // goes after the C node that lives on it
  rclcpp::Context::SharedPtr context_;
  std::unique_ptr<mbdyn_node_t, End> mbdyn_;
  rclcpp::PreShutdownCallbackHandle shutdown_;
};
}  // namespace mbdyn

RCLCPP_COMPONENTS_REGISTER_NODE(mbdyn::DynamicsComponent)
