// ~/markers for rviz, on the executor's thread at every tick: centre of mass, external force at observer_frame,
// and the manipulability ellipsoid of each configured frame, from the state that the control thread last
// published. Off unless publish.markers is set and somebody listens.
//
// The ellipsoid holds the velocities of the frame that joint velocities of norm one give (Yoshikawa 1985): its
// semi-axes are the singular values of the linear rows of J, along the eigenvectors of J J^T.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry_msgs/msg/point.h"
#include "mbdyn/spatial.h"
#include "node_answers.h"
#include "visualization_msgs/msg/marker.h"
#include "visualization_msgs/msg/marker_array.h"

typedef visualization_msgs__msg__Marker marker_t;

enum { COM, FORCE, ELLIPSOIDS };  // numbers of the markers

static const double METERS_PER_NEWTON = 0.01, METERS_PER_SPEED = 0.2, COM_DIAMETER = 0.06;

struct node_markers {
  rcl_publisher_t publisher;
  bool open;
  visualization_msgs__msg__MarkerArray message;
  double * jacobian;  // [6][nv] of the robot that the message was made for
  uint64_t version;   // of that robot; 0: none
};

//---------- parts ----------

static void
set_pose(marker_t * m, mbd_vec3_t p, mbd_quat_t r)
{
  m->pose.position = (geometry_msgs__msg__Point){p.x, p.y, p.z};
  m->pose.orientation = (geometry_msgs__msg__Quaternion){r.x, r.y, r.z, r.w};
}

static void
show(marker_t * m, bool known)
{
  m->action =
    known ? visualization_msgs__msg__Marker__ADD : visualization_msgs__msg__Marker__DELETE;
}

static void
fill_com(marker_t * m, const mbd_model_t * model, mbd_data_t * data)
{
  double mass;
  mbd_vec3_t com = {0, 0, 0};
  show(m, mbd_center_of_mass(model, data, &mass, &com) == MBD_OK);
  set_pose(m, com, (mbd_quat_t){0, 0, 0, 1});
}

static void
fill_force(marker_t * m, const mbdyn_node_t * node, const loop_state_t * state)
{
  mbd_placement_t X;
  mbd_data_t * data = node->loaded->data;
  const bool known =
    state->external_frame >= 0 &&
    mbd_frame_placement(node->loaded->model, data, state->external_frame, &X) == MBD_OK;
  show(m, known);
  if (!known) return;
  const mbd_vec3_t f = state->external_force.lin;
  m->points.data[0] = (geometry_msgs__msg__Point){X.p.x, X.p.y, X.p.z};
  m->points.data[1] = (geometry_msgs__msg__Point){
    X.p.x + METERS_PER_NEWTON * f.x, X.p.y + METERS_PER_NEWTON * f.y,
    X.p.z + METERS_PER_NEWTON * f.z};
}

// Eigenvalues of a symmetric matrix on its diagonal, eigenvectors in the columns of V: Jacobi's rotations.
static void
diagonalize(double A[3][3], double V[3][3])
{
  static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  memset(V, 0, 9 * sizeof(double));
  for (int i = 0; i < 3; i++) V[i][i] = 1;
  for (int n = 0; n < 24; n++) {
    const int p = pair[n % 3][0], q = pair[n % 3][1];
    if (A[p][q] == 0) continue;
    const double angle = 0.5 * atan2(2 * A[p][q], A[q][q] - A[p][p]);
    const double c = cos(angle), s = sin(angle);
    for (int k = 0; k < 3; k++) {
      const double x = A[k][p], y = A[k][q];
      A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
      const double x = A[p][k], y = A[q][k], u = V[k][p], w = V[k][q];
      A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
      V[k][p] = c * u - s * w, V[k][q] = s * u + c * w;
    }
  }
}

static mbd_quat_t
axes_of(double V[3][3])
{
  mbd_mat3_t R;
  const double det = V[0][0] * (V[1][1] * V[2][2] - V[1][2] * V[2][1]) -
                     V[0][1] * (V[1][0] * V[2][2] - V[1][2] * V[2][0]) +
                     V[0][2] * (V[1][0] * V[2][1] - V[1][1] * V[2][0]);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) R.m[3 * i + k] = k == 2 && det < 0 ? -V[i][k] : V[i][k];
  }
  return mbdu_quat_from_mat3(&R);
}

static void
fill_ellipsoid(marker_t * m, const mbdyn_node_t * node, int frame, double * J)
{
  const mbd_model_t * model = node->loaded->model;
  mbd_data_t * data = node->loaded->data;
  double A[3][3], V[3][3], diameter[3];
  mbd_placement_t X;
  const bool known = mbd_jacobian(model, data, frame, MBD_LOCAL_WORLD_ALIGNED, J) == MBD_OK &&
                     mbd_frame_placement(model, data, frame, &X) == MBD_OK;
  show(m, known);
  if (!known) return;
  const size_t nv = (size_t)model->nv;
  for (size_t i = 0; i < 3; i++) {
    for (size_t k = 0; k < 3; k++) {
      A[i][k] = 0;
      for (size_t j = 0; j < nv; j++) A[i][k] += J[(3 + i) * nv + j] * J[(3 + k) * nv + j];
    }
  }
  diagonalize(A, V);
  // rviz shows nothing of a shape without thickness
  for (int i = 0; i < 3; i++) {
    diameter[i] = fmax(2 * METERS_PER_SPEED * sqrt(fmax(A[i][i], 0)), 1e-3);
  }
  m->scale = (geometry_msgs__msg__Vector3){diameter[0], diameter[1], diameter[2]};
  set_pose(m, X.p, axes_of(V));
}

//---------- the message ----------

static bool
prepare_marker(marker_t * m, const char * frame, const char * ns, int id)
{
  assign(&m->header.frame_id, frame);
  assign(&m->ns, ns);
  m->id = id;
  m->type =
    id == FORCE ? visualization_msgs__msg__Marker__ARROW : visualization_msgs__msg__Marker__SPHERE;
  m->pose.orientation.w = 1;
  // of an arrow from point to point: diameters of shaft and head, length of the head
  m->scale = id == FORCE ? (geometry_msgs__msg__Vector3){0.02, 0.04, 0}
                         : (geometry_msgs__msg__Vector3){COM_DIAMETER, COM_DIAMETER, COM_DIAMETER};
  m->color = id == COM     ? (std_msgs__msg__ColorRGBA){1, 0.8f, 0.1f, 1}
             : id == FORCE ? (std_msgs__msg__ColorRGBA){0.9f, 0.1f, 0.1f, 1}
                           : (std_msgs__msg__ColorRGBA){0.2f, 0.5f, 0.9f, 0.3f};
  // a node that has gone leaves nothing behind
  m->lifetime.sec = 1;
  m->lifetime.nanosec = 0;
  return id != FORCE || geometry_msgs__msg__Point__Sequence__init(&m->points, 2);
}

// texts and sizes, once per robot
static bool
prepare(mbdyn_node_t * node)
{
  node_markers_t * k = node->markers;
  const node_robot_t * robot = &node->loaded->robot;
  if (k->version == node->loaded->version && k->jacobian) return true;
  free(k->jacobian);
  visualization_msgs__msg__MarkerArray__fini(&k->message);
  memset(&k->message, 0, sizeof k->message);
  const size_t n = ELLIPSOIDS + (size_t)robot->nframe;
  k->jacobian = calloc(6 * (size_t)robot->model->nv + 1, sizeof *k->jacobian);
  bool good =
    k->jacobian && visualization_msgs__msg__Marker__Sequence__init(&k->message.markers, n);
  for (int i = 0; good && i < (int)n; i++) {
    const char * ns = i == COM     ? "center_of_mass"
                      : i == FORCE ? "external_force"
                                   : "manipulability";
    good = prepare_marker(&k->message.markers.data[i], robot->world_frame, ns, i);
  }
  k->version = node->loaded->version;
  if (!good) free(k->jacobian), k->jacobian = NULL;
  return good;
}

static bool
wanted(const mbdyn_node_t * node)
{
  size_t listeners = 0;
  if (!node->markers->open || !node->loop || !node->loaded) return false;
  if (!param_bool(node_values(node), P_PUBLISH_MARKERS)) return false;
  if (lifecycle_state(node->lifecycle) != LIFECYCLE_ACTIVE) return false;
  if (rcl_publisher_get_subscription_count(&node->markers->publisher, &listeners) != RCL_RET_OK) {
    rcl_reset_error();
  }
  return listeners > 0;
}

void
node_markers_tick(mbdyn_node_t * node)
{
  char reason[REASON_MAX];
  node_markers_t * k = node->markers;
  if (!wanted(node)) return;
  const loop_state_t * state = loop_state(node->loop);
  if (!state || !state->whole || !prepare(node)) return;
  const node_robot_t * robot = &node->loaded->robot;
  mbd_data_t * data = node->loaded->data;
  if (!node_workspace_prepare(node, reason, sizeof reason)) return;
  if (mbd_set_position(robot->model, data, loop_numbers(state)) != MBD_OK) return;
  marker_t * m = k->message.markers.data;
  fill_com(&m[COM], robot->model, data);
  fill_force(&m[FORCE], node, state);
  for (int i = 0; i < robot->nframe; i++) {
    fill_ellipsoid(&m[ELLIPSOIDS + i], node, robot->frame[i], k->jacobian);
  }
  for (size_t i = 0; i < k->message.markers.size; i++) {
    m[i].header.stamp.sec = (int32_t)(state->stamp / 1000000000);
    m[i].header.stamp.nanosec = (uint32_t)(state->stamp % 1000000000);
  }
  if (rcl_publish(&k->publisher, &k->message, NULL) != RCL_RET_OK) rcl_reset_error();
}

//---------- life ----------

bool
node_markers_init(mbdyn_node_t * node)
{
  node->markers = calloc(1, sizeof *node->markers);
  if (!node->markers) return false;
  node->markers->publisher = rcl_get_zero_initialized_publisher();
  node->markers->open =
    rclc_publisher_init_default(
      &node->markers->publisher, node->node,
      ROSIDL_GET_MSG_TYPE_SUPPORT(visualization_msgs, msg, MarkerArray), "~/markers") == RCL_RET_OK;
  return node->markers->open;
}

void
node_markers_fini(mbdyn_node_t * node)
{
  node_markers_t * k = node->markers;
  if (!k) return;
  if (k->open && rcl_publisher_fini(&k->publisher, node->node) != RCL_RET_OK) rcl_reset_error();
  visualization_msgs__msg__MarkerArray__fini(&k->message);
  free(k->jacobian);
  free(k);
  node->markers = NULL;
}
