// A simulation as a recording. Stamps are simulated time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/inertia.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/spatial.h"
#include "simulate_parts.h"
#include "text.h"
#include "writer.h"

static const char * const SCALARS[3] = {
  "/mbdyn/simulation/step", "/mbdyn/simulation/energy_error", "/mbdyn/simulation/constraint_error"};

static bool
add_topic(recorder_t * r, const char * name, const char * type, uint32_t * index)
{
  char * definition = bag_definition(type);
  const bag_topic_t topic = {
    .name = name, .type = type, .format = "cdr", .qos = "", .definition = definition};
  const bool ok = bag_add_topic(r->writer, &topic, index, &r->error);
  free(definition);
  return ok;
}

static bool
write_bytes(recorder_t * r, uint32_t topic, double t, const uint8_t * bytes, size_t size)
{
  const int64_t time = llrint(1e9 * t);
  return bag_write(r->writer, &(bag_message_t){topic, time, time, bytes, size}, &r->error);
}

static bool
write_message(recorder_t * r, uint32_t topic, double t, out_message_t * m)
{
  out_stamp(m, llrint(1e9 * t));
  return write_bytes(r, topic, t, m->bytes, m->size);
}

static bool
write_made(recorder_t * r, uint32_t topic, double t, wire_writer_t * w)
{
  size_t size;
  uint8_t * bytes = wire_writer_close(w, &size);
  if (!bytes) {
    snprintf(r->error.text, sizeof r->error.text, "out of memory");
    return false;
  }
  const bool ok = write_bytes(r, topic, t, bytes, size);
  free(bytes);
  return ok;
}

//---------- start ----------

// joints with as many positions as velocities; the others are in the transforms
static bool
choose_joints(recorder_t * r)
{
  const mbd_model_t * model = r->subject->model;
  const size_t n = (size_t)model->nv;
  const char ** name = calloc(n, sizeof *name);
  r->dof = calloc(2 * n, sizeof *r->dof);
  r->packed = calloc(n, sizeof *r->packed);
  if (!name || !r->dof || !r->packed) {
    free(name);
    return false;
  }
  r->coordinate = r->dof + n;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    for (int k = 0; k < body->nv && body->nq == body->nv; k++) {
      name[r->ndof] = r->subject->dof[body->v_index + k];
      r->dof[r->ndof] = body->v_index + k;
      r->coordinate[r->ndof++] = body->q_index + k;
    }
  }
  const bool ok = out_joint_state_build(&r->states, "world", (out_names_t){(size_t)r->ndof, name});
  free(name);
  return ok;
}

// the robot itself, for viewers and `mbdyn analyze`
static bool
write_robot(recorder_t * r)
{
  const char * path = r->subject->path;
  uint32_t topic;
  size_t size;
  if (!r->subject->urdf || strcmp(path, "-") == 0) return true;
  char * text = robot_urdf_text(path, &size);
  if (!text) return true;
  bool ok = add_topic(r, "/robot_description", "std_msgs/msg/String", &topic);
  if (ok) {
    wire_writer_t w = wire_writer_open();
    wire_put_string(&w, text);
    ok = write_made(r, topic, 0, &w);
  }
  free(text);
  return ok;
}

static bool
add_reaction(recorder_t * r, const char * part, uint32_t * topic)
{
  char name[300];
  const int n = snprintf(name, sizeof name, "/mbdyn/reactions/%s", part);
  // names of topics have only these characters
  for (int i = 17; i < n && i < (int)sizeof name - 1; i++) {
    const char c = name[i];
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!good) name[i] = '_';
  }
  return add_topic(r, name, "geometry_msgs/msg/WrenchStamped", topic);
}

// of closures, and of the joints of the tree whose names no closure has; free joints have none
static bool
add_reactions(recorder_t * r)
{
  const mbd_model_t * model = r->subject->model;
  for (int k = 0; k < model->nclosure + model->nbody; k++) r->wrench_topic[k] = UINT32_MAX;
  for (int k = 0; k < model->nclosure; k++) {
    if (model->closure[k].type == MBD_CLOSURE_COUPLING) continue;
    if (!add_reaction(r, model->closure[k].name, &r->wrench_topic[k])) return false;
  }
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    int closure;
    if (body->type == MBD_JOINT_FREE) continue;
    if (mbd_find_closure(model, body->joint_name, &closure) == MBD_OK) continue;
    if (!add_reaction(r, body->joint_name, &r->wrench_topic[model->nclosure + i])) return false;
  }
  return true;
}

bool
recorder_open(recorder_t * r, const char * path, const subject_t * s)
{
  *r = (recorder_t){.subject = s, .error = {"out of memory"}};
  const mbd_model_t * model = s->model;
  bag_options_t options = {.format = BAG_MCAP};
  if (!bag_compression_parse("zstd", &options.compression)) options.compression = BAG_NONE;
  r->wrench_topic = calloc((size_t)(model->nclosure + model->nbody) + 1, sizeof *r->wrench_topic);
  const bool built =
    r->wrench_topic && choose_joints(r) && out_wrench_build(&r->wrench, "world") &&
    out_summary_build(
      &r->summary, "world", model->name, "simulation", (uint32_t)model->nv, (out_names_t){0});
  if (!built) return false;
  r->writer = bag_create_file(path, &options, &r->error);
  if (
    !r->writer || !write_robot(r) ||
    !add_topic(r, "/joint_states", "sensor_msgs/msg/JointState", &r->states_topic) ||
    !add_topic(r, "/tf", "tf2_msgs/msg/TFMessage", &r->tf_topic) ||
    !add_topic(r, "/mbdyn/dynamics", "mbdyn/msg/DynamicsSummary", &r->summary_topic)) {
    return false;
  }
  for (int k = 0; k < 3; k++) {
    if (!add_topic(r, SCALARS[k], "std_msgs/msg/Float64", &r->scalar_topic[k])) return false;
  }
  return add_reactions(r);
}

//---------- samples ----------

static const double *
pack(recorder_t * r, const double * x, const int * index)
{
  for (int i = 0; i < r->ndof; i++) r->packed[i] = x[index[i]];
  return r->packed;
}

// every link in the world
static bool
write_transforms(recorder_t * r, const sample_t * x)
{
  const mbd_model_t * model = r->subject->model;
  const int64_t time = llrint(1e9 * x->t);
  wire_writer_t w = wire_writer_open();
  size_t count = 0;
  for (int k = 0; k < model->nframe; k++)
    count += model->frame[k].is_link && strcmp(model->frame[k].name, "world") != 0;
  wire_put_count(&w, count);
  for (int k = 0; k < model->nframe; k++) {
    const mbd_frame_t * frame = &model->frame[k];
    mbd_placement_t X;
    if (!frame->is_link || strcmp(frame->name, "world") == 0) continue;
    if (mbd_frame_placement(model, x->data, k, &X) != MBD_OK) X = (mbd_placement_t){0};
    const mbd_quat_t q = mbdu_quat_from_mat3(&X.R);
    const double number[7] = {X.p.x, X.p.y, X.p.z, q.x, q.y, q.z, q.w};
    wire_put_u32(&w, (uint32_t)(time / 1000000000));
    wire_put_u32(&w, (uint32_t)(time % 1000000000));
    wire_put_string(&w, "world");
    wire_put_string(&w, frame->name);
    for (int i = 0; i < 7; i++) wire_put_f64s(&w, number[i], 1);
  }
  return write_made(r, r->tf_topic, x->t, &w);
}

static bool
write_wrench(recorder_t * r, uint32_t topic, double t, const mbd_mat3_t * R, mbd_force_t f)
{
  const mbd_vec3_t force = mbdu_mat3_vec(R, f.lin), moment = mbdu_mat3_vec(R, f.ang);
  const double number[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
  out_numbers(&r->wrench, OUT_WRENCH, number);
  return write_message(r, topic, t, &r->wrench);
}

// of a closure: on link b at its point, in world axes
static bool
write_reaction(recorder_t * r, const sample_t * x, int k)
{
  const mbd_model_t * model = r->subject->model;
  const mbd_closure_t * closure = &model->closure[k];
  mbd_force_t f;
  if (r->wrench_topic[k] == UINT32_MAX) return true;
  if (mbd_closure_wrench(model, x->data, k, x->lambda, &f) != MBD_OK) return true;
  mbd_mat3_t R = closure->X_a.R;
  if (closure->body_a >= 0) {
    // of the body, from that of its link
    const int link = model->body[closure->body_a].link_frame;
    mbd_placement_t X;
    if (mbd_frame_placement(model, x->data, link, &X) != MBD_OK) return true;
    const mbd_mat3_t back = mbdu_mat3_transpose(&model->frame[link].X.R);
    const mbd_mat3_t body = mbdu_mat3_mul(&X.R, &back);
    R = mbdu_mat3_mul(&body, &closure->X_a.R);
  }
  return write_wrench(r, r->wrench_topic[k], x->t, &R, f);
}

// of a joint: on its child link at the link's origin, in world axes; with the torque of its motor
static bool
write_joint_reaction(recorder_t * r, const sample_t * x, int body)
{
  const mbd_model_t * model = r->subject->model;
  const uint32_t topic = r->wrench_topic[model->nclosure + body];
  mbd_placement_t X;
  if (topic == UINT32_MAX) return true;
  if (mbd_frame_placement(model, x->data, model->body[body].link_frame, &X) != MBD_OK) return true;
  return write_wrench(r, topic, x->t, &X.R, x->joint[body]);
}

static bool
write_scalars(recorder_t * r, const sample_t * x)
{
  const mbd_simulation_info_t * info = x->info;
  const double value[3] = {
    info->step, info->energy - info->energy_start - info->work, info->error_position};
  for (int k = 0; k < 3; k++) {
    wire_writer_t w = wire_writer_open();
    wire_put_f64s(&w, value[k], 1);
    if (!write_made(r, r->scalar_topic[k], x->t, &w)) return false;
  }
  return true;
}

bool
recorder_take(recorder_t * r, const sample_t * x)
{
  const mbd_model_t * model = r->subject->model;
  double power = 0;
  for (int i = 0; i < model->nv; i++) power += x->tau[i] * x->v[i];
  out_numbers(&r->states, OUT_JS_POSITION, pack(r, x->q, r->coordinate));
  out_numbers(&r->states, OUT_JS_VELOCITY, pack(r, x->v, r->dof));
  out_numbers(&r->states, OUT_JS_EFFORT, pack(r, x->tau, r->dof));
  out_number(&r->summary, DS_KINETIC_ENERGY, x->kinetic);
  out_number(&r->summary, DS_POTENTIAL_ENERGY, x->potential);
  out_number(&r->summary, DS_POWER, power);
  out_number(&r->summary, DS_MASS, model->mass);
  out_u64(&r->summary, DS_CYCLES, (uint64_t)x->index + 1);
  if (
    !write_message(r, r->states_topic, x->t, &r->states) || !write_transforms(r, x) ||
    !write_message(r, r->summary_topic, x->t, &r->summary) || !write_scalars(r, x)) {
    return false;
  }
  for (int k = 0; k < model->nclosure; k++) {
    if (!write_reaction(r, x, k)) return false;
  }
  for (int i = 0; i < model->nbody; i++) {
    if (!write_joint_reaction(r, x, i)) return false;
  }
  return true;
}

bool
recorder_close(recorder_t * r)
{
  // an error of opening or writing has been reported
  const bool ok = !r->writer || bag_close(r->writer, &r->error);
  r->writer = NULL;
  out_message_fini(&r->states);
  out_message_fini(&r->summary);
  out_message_fini(&r->wrench);
  free(r->wrench_topic);
  free(r->dof);
  free(r->packed);
  return ok;
}
