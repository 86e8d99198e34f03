// What the node sends about the robot as a whole: matrices and the summary. As test_wire_out.c.
#include <string.h>

#include "mbdyn/msg/dynamics_summary.h"
#include "mbdyn/msg/jacobian.h"
#include "mbdyn/msg/mass_matrix.h"
#include "mbdyn/msg/operational_space_inertia.h"
#include "out_check.h"

//---------- matrices ----------

static void
check_mass_matrix(const char * frame, out_names_t names)
{
  const char * type = "mbdyn/msg/MassMatrix";
  const size_t n = names.n;
  out_message_t m;
  assert_true(out_mass_matrix_build(&m, frame, names));
  double at = count;
  out_stamp(&m, stamp);
  out_numbers(&m, MM_DATA, next_numbers(n * n));
  out_numbers(&m, MM_DIAGONAL, next_numbers(n));
  out_number(&m, MM_CONDITION, next());

  mbdyn__msg__MassMatrix * d = decode(type, &m);
  assert_header(&d->header, frame);
  assert_names(&d->row_names, names);
  assert_names(&d->col_names, names);
  assert_int_equal(d->rows, n);
  assert_int_equal(d->cols, n);
  at = assert_sequence(&d->data, n * n, at);
  at = assert_sequence(&d->diagonal, n, at);
  assert_follow(&d->condition, 1, at);
  release(type, d);
  out_message_fini(&m);
}

static void
mass_matrix(void ** state)
{
  (void)state;
  for_each_list(check_mass_matrix);
}

static const char * const direction[6] = {"linear_x",  "linear_y",  "linear_z",
                                          "angular_x", "angular_y", "angular_z"};

static void
check_jacobian(const char * frame, out_names_t names)
{
  const char * type = "mbdyn/msg/Jacobian";
  out_message_t m;
  const uint8_t reference = (uint8_t)(names.n % 3);
  assert_true(out_jacobian_build(&m, "tool0", reference, "of the point", frame, names));
  double at = count;
  out_stamp(&m, stamp);
  out_numbers(&m, JAC_DATA, next_numbers(6 * names.n));
  out_numbers(&m, JAC_BIAS, next_numbers(6));

  mbdyn__msg__Jacobian * d = decode(type, &m);
  assert_header(&d->header, frame);
  assert_string_equal(d->frame.data, "tool0");
  assert_int_equal(d->reference, reference);
  assert_string_equal(d->point_frame.data, "of the point");
  assert_string_equal(d->axes_frame.data, frame);
  assert_names(&d->row_names, (out_names_t){6, direction});
  assert_names(&d->col_names, names);
  assert_int_equal(d->rows, 6);
  assert_int_equal(d->cols, names.n);
  at = assert_sequence(&d->data, 6 * names.n, at);
  assert_sequence(&d->bias, 6, at);
  release(type, d);
  out_message_fini(&m);
}

static void
jacobian(void ** state)
{
  (void)state;
  for_each_list(check_jacobian);
}

static void
assert_task_rows(const strings_t * s, out_names_t frames)
{
  assert_int_equal(s->size, 6 * frames.n);
  for (size_t i = 0; i < s->size; i++) {
    char expected[64] = "";
    strcat(strcat(strcat(expected, frames.name[i / 6]), "."), direction[i % 6]);
    assert_string_equal(s->data[i].data, expected);
  }
}

static void
check_inertia(const char * frame, out_names_t frames)
{
  const char * type = "mbdyn/msg/OperationalSpaceInertia";
  const size_t n = 6 * frames.n;
  const out_names_t points = names_from(other, 0, frames.n);
  const out_names_t axes = names_from(other, NAMES - frames.n, frames.n);
  out_message_t m;
  assert_true(out_operational_space_inertia_build(&m, frame, frames, 2, points, axes));
  double at = count;
  out_stamp(&m, stamp);
  out_numbers(&m, OSI_DATA, next_numbers(n * n));
  out_numbers(&m, OSI_COMPLIANCE, next_numbers(n * n));
  out_u32(&m, OSI_RANK, 0xfedcba98);
  out_number(&m, OSI_CONDITION, next());

  mbdyn__msg__OperationalSpaceInertia * d = decode(type, &m);
  assert_header(&d->header, frame);
  assert_names(&d->frames, frames);
  assert_int_equal(d->reference, 2);
  assert_names(&d->point_frames, points);
  assert_names(&d->axes_frames, axes);
  assert_task_rows(&d->row_names, frames);
  assert_task_rows(&d->col_names, frames);
  assert_int_equal(d->rows, n);
  assert_int_equal(d->cols, n);
  at = assert_sequence(&d->data, n * n, at);
  at = assert_sequence(&d->compliance, n * n, at);
  assert_int_equal(d->rank, 0xfedcba98);
  assert_follow(&d->condition, 1, at);
  release(type, d);
  out_message_fini(&m);
}

static void
operational_space_inertia(void ** state)
{
  (void)state;
  for_each_list(check_inertia);
}

//---------- summary ----------

static double
assert_vector(const geometry_msgs__msg__Vector3 * v, double at)
{
  const double x[3] = {v->x, v->y, v->z};
  return assert_follow(x, 3, at);
}

// in the order in which they were filled
static void
assert_summary_numbers(const mbdyn__msg__DynamicsSummary * d, size_t links, double at)
{
  at = assert_follow(&d->kinetic_energy, 1, at);
  at = assert_follow(&d->potential_energy, 1, at);
  at = assert_follow(&d->power, 1, at);
  at = assert_follow(&d->mass, 1, at);
  at = assert_vector(&d->gravity, at);
  const double center[3] = {d->center_of_mass.x, d->center_of_mass.y, d->center_of_mass.z};
  at = assert_follow(center, 3, at);
  at = assert_vector(&d->com_velocity, at);
  at = assert_vector(&d->linear_momentum, at);
  at = assert_vector(&d->angular_momentum, at);
  at = assert_follow(&d->mass_matrix_condition, 1, at);
  at = assert_follow(&d->log_det_mass_matrix, 1, at);
  at = assert_sequence(&d->effective_mass, links, at);
  at = assert_follow(&d->input_age, 1, at);
  at = assert_follow(&d->compute_time, 1, at);
  assert_follow(&d->compute_time_max, 1, at);
}

static void
check_summary(const char * frame, out_names_t links)
{
  const char * type = "mbdyn/msg/DynamicsSummary";
  out_message_t m;
  const char * mode = other[links.n % NAMES];
  assert_true(out_summary_build(&m, frame, "robot", mode, 0x01020304, links));
  const double start = count;
  out_stamp(&m, stamp);
  for (int k = DS_KINETIC_ENERGY; k <= DS_MASS; k++) out_number(&m, k, next());
  for (int k = DS_GRAVITY; k <= DS_ANGULAR_MOMENTUM; k++) out_numbers(&m, k, next_numbers(3));
  out_number(&m, DS_CONDITION, next());
  out_number(&m, DS_LOG_DET, next());
  out_numbers(&m, DS_EFFECTIVE_MASS, next_numbers(links.n));
  for (int k = DS_INPUT_AGE; k <= DS_COMPUTE_TIME_MAX; k++) out_number(&m, k, next());
  out_u64(&m, DS_CYCLES, 0xfedcba9876543210);
  out_u64(&m, DS_DROPPED, 0x0123456789abcdef);
  out_u32(&m, DS_SATURATED_JOINTS, 0x89abcdef);

  mbdyn__msg__DynamicsSummary * d = decode(type, &m);
  assert_header(&d->header, frame);
  assert_string_equal(d->model_name.data, "robot");
  assert_string_equal(d->mode.data, mode);
  assert_int_equal(d->degrees_of_freedom, 0x01020304);
  assert_names(&d->links, links);
  assert_summary_numbers(d, links.n, start);
  assert_true(d->cycles == 0xfedcba9876543210);
  assert_true(d->dropped == 0x0123456789abcdef);
  assert_int_equal(d->saturated_joints, 0x89abcdef);
  release(type, d);
  out_message_fini(&m);
}

static void
summary(void ** state)
{
  (void)state;
  for_each_list(check_summary);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mass_matrix),
    cmocka_unit_test(jacobian),
    cmocka_unit_test(operational_space_inertia),
    cmocka_unit_test(summary),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
