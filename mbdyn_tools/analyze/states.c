// Joint states of a recording, as q, v and efforts of a robot.
#include "states.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static const char STATE_TYPE[] = "sensor_msgs/msg/JointState";
static const char BASE_TYPE[] = "nav_msgs/msg/Odometry";

//---------- topics ----------

static bool
ends_with(const char * text, const char * end)
{
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

// -1 if there is none; the shortest name that ends so, else the first of the type
static int
find_topic(const bag_info_t * info, const char * type, const char * end)
{
  int best = -1, first = -1;
  for (uint32_t i = 0; i < info->ntopic; i++) {
    const bag_topic_t * t = &info->topic[i];
    if (strcmp(t->type, type) != 0 || strcmp(t->format, "cdr") != 0) continue;
    if (first < 0) first = (int)i;
    if (!ends_with(t->name, end)) continue;
    if (best < 0 || strlen(t->name) < strlen(info->topic[best].name)) best = (int)i;
  }
  return best >= 0 ? best : first;
}

static void
list_topics(const bag_info_t * info, const char * wanted)
{
  closest_t closest = closest_to(wanted);
  for (uint32_t i = 0; i < info->ntopic; i++) {
    if (strcmp(info->topic[i].type, STATE_TYPE) == 0) closest_offer(&closest, info->topic[i].name);
  }
  fprintf(
    stderr, "mbdyn analyze: '%s' is not a topic with joint states in this recording%s\n", wanted,
    closest_hint(&closest));
}

static bool
choose_topics(states_t * s, const states_options_t * options)
{
  const bag_info_t * info = bag_info(s->bag);
  s->state_topic = options->topic ? bag_find_topic(s->bag, options->topic)
                                  : find_topic(info, STATE_TYPE, "joint_states");
  if (
    options->topic &&
    (s->state_topic < 0 || strcmp(info->topic[s->state_topic].type, STATE_TYPE) != 0)) {
    list_topics(info, options->topic);
    return false;
  }
  if (s->state_topic < 0) {
    fprintf(
      stderr, "mbdyn analyze: no topic with joint states (%s) among the %u topics\n", STATE_TYPE,
      info->ntopic);
    return false;
  }
  s->topic = &info->topic[s->state_topic];
  const bool is_free = s->model->nbody > 0 && s->model->body[0].type == MBD_JOINT_FREE;
  s->base_topic = is_free ? find_topic(info, BASE_TYPE, "odom") : -1;
  if (is_free && s->base_topic < 0) {
    fprintf(
      stderr, "mbdyn analyze: the base is floating, but the recording has no %s\n", BASE_TYPE);
    return false;
  }
  s->wanted[s->state_topic] = true;
  if (s->base_topic >= 0) s->wanted[s->base_topic] = true;
  return true;
}

//---------- start and end ----------

static joint_input_t *
make_input(const mbd_model_t * model, bool allow_missing)
{
  const char ** names = calloc((size_t)model->nbody + 1, sizeof *names);
  if (!names) return NULL;
  for (int i = 0; allow_missing && i < model->nbody; i++) names[i] = model->body[i].joint_name;
  // a joint that was not heard of for a second is not known any more
  const joint_input_options_t options = {.timeout = 1, .optional = names};
  joint_input_t * input = joint_input_create(model, &options);
  free(names);
  return input;
}

bool
states_open(
  states_t * s, bag_reader_t * bag, const mbd_model_t * model, const states_options_t * options)
{
  const bag_info_t * info = bag_info(bag);
  *s = (states_t){.bag = bag, .model = model};
  s->wanted = calloc(info->ntopic + 1, sizeof *s->wanted);
  s->input = make_input(model, options->allow_missing);
  if (!s->wanted || !s->input) {
    fputs("mbdyn analyze: out of memory\n", stderr);
    return false;
  }
  s->from = options->start < 0 ? INT64_MIN : info->start + (int64_t)(options->start * 1e9);
  s->to = INT64_MAX;
  if (options->duration >= 0) {
    s->to = (options->start < 0 ? info->start : s->from) + (int64_t)(options->duration * 1e9);
  }
  return choose_topics(s, options) && states_rewind(s);
}

void
states_close(states_t * s)
{
  joint_input_destroy(s->input);
  free(s->wanted);
  *s = (states_t){0};
}

bool
states_rewind(states_t * s)
{
  bag_error_t error;
  joint_input_restart(s->input);
  s->messages = 0;
  if (bag_select(s->bag, s->wanted, s->from, s->to, &error)) return true;
  fprintf(stderr, "mbdyn analyze: %s\n", error.text);
  return false;
}

//---------- one by one ----------

static bool
all_velocities(const states_t * s)
{
  for (int i = 0; i < s->model->nv; i++) {
    if (!s->input->velocity_given[i]) return false;
  }
  return true;
}

int
states_next(states_t * s)
{
  bag_message_t m;
  bag_error_t error;
  int got;
  while ((got = bag_next(s->bag, &m, &error)) > 0) {
    if ((int)m.topic == s->base_topic) {
      joint_input_take_base(s->input, m.data, m.size, m.log_time, m.log_time);
      continue;
    }
    s->messages++;
    if (!joint_input_take(s->input, m.data, m.size, m.log_time, m.log_time)) continue;
    if (!joint_input_state(s->input, m.log_time)) continue;
    s->stamp = s->input->stamp;
    s->log_time = m.log_time;
    s->effort = s->input->effort_known;
    s->velocity = all_velocities(s);
    return 1;
  }
  if (got < 0) fprintf(stderr, "mbdyn analyze: %s\n", error.text);
  return got;
}

//---------- all of them ----------

enum { STEPS = 4096 };

static int
by_size(const void * a, const void * b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static bool
refuse_empty(const states_t * s)
{
  const joint_input_counts_t * c = &s->input->count;
  // it says who is missing
  (void)joint_input_state(s->input, bag_info(s->bag)->end);
  fprintf(
    stderr, "mbdyn analyze: none of the %" PRIu64 " joint states on '%s' contains every joint",
    s->messages, s->topic->name);
  if (c->malformed + c->not_finite == c->messages && c->messages > 0) {
    fputs(": they are malformed or not finite\n", stderr);
  } else {
    fprintf(stderr, "; '%s' is missing. --allow-missing sets it to zero\n", s->input->missing_name);
  }
  return false;
}

bool
survey_states(states_t * s, survey_t * survey, void (*progress)(double part))
{
  double * step = malloc(STEPS * sizeof *step);
  size_t nstep = 0;
  *survey = (survey_t){.velocity = true};
  int got = step ? 1 : -1;
  while (got > 0 && (got = states_next(s)) > 0) {
    if (survey->samples == 0) survey->first = s->stamp;
    const double dt = (double)(s->stamp - survey->last) * 1e-9;
    if (survey->samples > 0 && dt > 0 && nstep < STEPS) step[nstep++] = dt;
    survey->last = s->stamp;
    survey->samples++;
    survey->velocity = survey->velocity && s->velocity;
    survey->effort = survey->effort || s->effort;
    if (progress && s->messages % 4096 == 0) {
      progress((double)s->messages / (double)(s->topic->count + 1));
    }
  }
  survey->messages = s->messages;
  if (nstep > 0) {
    qsort(step, nstep, sizeof *step, by_size);
    survey->step = step[nstep / 2];
  }
  free(step);
  if (got < 0) return false;
  if (survey->samples == 0) return refuse_empty(s);
  if (survey->samples >= 5 && survey->step > 0) return true;
  fprintf(stderr, "mbdyn analyze: %" PRIu64 " joint states are too few\n", survey->samples);
  return false;
}
