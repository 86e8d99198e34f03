// An analysis row by row: as CSV, and as a recording with the topics of the node.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"

//---------- CSV ----------

void
table_open(table_t * t, FILE * out, const mbd_model_t * model, char * const * dof)
{
  *t = (table_t){out, model->nv};
  fputs("t,kinetic,potential,power", out);
  for (int k = 0; k < Q_COUNT; k++) {
    for (int i = 0; i < t->nv; i++) fprintf(out, ",%s_%s", QUANTITY_NAMES[k], dof[i]);
  }
  fputc('\n', out);
}

void
table_take(const table_t * t, const row_t * row)
{
  fprintf(t->out, "%.9f,%.12g,%.12g,%.12g", row->t, row->kinetic, row->potential, row->power_model);
  for (int k = 0; k < Q_COUNT; k++) {
    for (int i = 0; i < t->nv; i++) {
      const double x = row->x[k][i];
      // what is not known is an empty cell
      if (isfinite(x)) {
        fprintf(t->out, ",%.12g", x);
      } else {
        fputc(',', t->out);
      }
    }
  }
  fputc('\n', t->out);
}

//---------- recording ----------

enum { TORQUES, DYNAMICS, EXTERNAL, SUMMARY };

static bool
build(record_t * r, char * const * dof)
{
  const char * frame = "world";
  for (int i = 0; i < r->model->nframe; i++) {
    if (r->model->frame[i].is_link) {
      frame = r->model->frame[i].name;
      break;
    }
  }
  const out_names_t names = {(size_t)r->nv, (const char * const *)dof};
  return out_joint_torques_build(&r->torques, frame, names) &&
         out_joint_dynamics_build(&r->dynamics, frame, names) &&
         out_joint_state_build(&r->external, frame, names) &&
         out_summary_build(
           &r->summary, "world", r->model->name, "analysis", (uint32_t)r->nv, (out_names_t){0});
}

static bool
add_topics(record_t * r)
{
  static const char * const NAMES[4] = {
    "/mbdyn/joint_torques", "/mbdyn/joint_dynamics", "/mbdyn/external_torque", "/mbdyn/dynamics"};
  static const char * const TYPES[4] = {
    "mbdyn/msg/JointTorques", "mbdyn/msg/JointDynamicsArray", "sensor_msgs/msg/JointState",
    "mbdyn/msg/DynamicsSummary"};
  for (int i = 0; i < 4; i++) {
    char * definition = bag_definition(TYPES[i]);
    const bag_topic_t topic = {
      .name = NAMES[i], .type = TYPES[i], .format = "cdr", .qos = "", .definition = definition};
    const bool ok = bag_add_topic(r->writer, &topic, &r->topic[i], &r->error);
    free(definition);
    if (!ok) return false;
  }
  return true;
}

bool
record_open(
  record_t * r, const char * folder, const bag_options_t * options, const mbd_model_t * model,
  char * const * dof)
{
  *r = (record_t){.nv = model->nv, .model = model, .error = {"out of memory"}};
  r->zeros = calloc((size_t)model->nv, sizeof *r->zeros);
  if (!r->zeros || !build(r, dof)) return false;
  r->writer = bag_create(folder, options, &r->error);
  return r->writer && add_topics(r);
}

static bool
write_message(record_t * r, int topic, out_message_t * m, const row_t * row)
{
  out_stamp(m, row->stamp);
  const bag_message_t message = {r->topic[topic], row->log_time, row->log_time, m->bytes, m->size};
  return bag_write(r->writer, &message, &r->error);
}

static void
fill_torques(record_t * r, const row_t * row)
{
  out_numbers(&r->torques, JT_TOTAL, row->x[Q_TOTAL]);
  out_numbers(&r->torques, JT_GRAVITY, row->x[Q_GRAVITY]);
  out_numbers(&r->torques, JT_CORIOLIS, row->x[Q_CORIOLIS]);
  out_numbers(&r->torques, JT_INERTIA, row->x[Q_INERTIA]);
  out_numbers(&r->torques, JT_FRICTION, row->x[Q_FRICTION]);
  // the model knows of no wrench; what was felt is on a topic of its own
  out_numbers(&r->torques, JT_EXTERNAL, r->zeros);
}

static void
fill_dynamics(record_t * r, const row_t * row)
{
  for (int i = 0; i < r->nv; i++) {
    const double * const * x = row->x;
    const double limit = findings_limit(r->model, i, LIMIT_EFFORT);
    const wire_joint_dynamics_t d = {
      .position = x[Q_POSITION][i],
      .velocity = x[Q_VELOCITY][i],
      .acceleration = x[Q_ACCELERATION][i],
      .measured = x[Q_MEASURED][i],
      .total = x[Q_TOTAL][i],
      .gravity = x[Q_GRAVITY][i],
      .coriolis = x[Q_CORIOLIS][i],
      .inertia = x[Q_INERTIA][i],
      .friction = x[Q_FRICTION][i],
      .external = 0,
      .command = (double)NAN,
      .limit = limit,
      .saturated = fabs(x[Q_MEASURED][i]) >= 0.999 * limit};
    out_joint_dynamics_set(&r->dynamics, (size_t)i, &d);
  }
}

bool
record_take(record_t * r, const row_t * row)
{
  fill_torques(r, row);
  fill_dynamics(r, row);
  out_numbers(&r->external, OUT_JS_POSITION, row->x[Q_POSITION]);
  out_numbers(&r->external, OUT_JS_VELOCITY, row->x[Q_VELOCITY]);
  out_numbers(&r->external, OUT_JS_EFFORT, row->x[Q_EXTERNAL]);
  out_number(&r->summary, DS_KINETIC_ENERGY, row->kinetic);
  out_number(&r->summary, DS_POTENTIAL_ENERGY, row->potential);
  out_number(&r->summary, DS_POWER, row->power_model);
  out_u64(&r->summary, DS_CYCLES, ++r->cycles);
  return write_message(r, TORQUES, &r->torques, row) &&
         write_message(r, DYNAMICS, &r->dynamics.message, row) &&
         write_message(r, EXTERNAL, &r->external, row) &&
         write_message(r, SUMMARY, &r->summary, row);
}

bool
record_close(record_t * r)
{
  const bool ok = r->writer && bag_close(r->writer, &r->error);
  r->writer = NULL;
  free(r->zeros);
  out_message_fini(&r->torques);
  out_joint_dynamics_fini(&r->dynamics);
  out_message_fini(&r->external);
  out_message_fini(&r->summary);
  return ok;
}
