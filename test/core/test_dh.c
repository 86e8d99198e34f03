// Tables of Denavit and Hartenberg: what they mean, both conventions, and there and back again.
#include "mbdyn/operators/dh.h"
#include "mbdyn/operators/noc.h"

#include <string.h>

#include "dh_chain.h"

//---------- tables to models ----------

static mat_t
turn4(char axis, double angle)
{
  const double twist[6] = {axis == 'x' ? angle : 0, 0, axis == 'z' ? angle : 0, 0, 0, 0};
  return expm(twist4(twist));
}

static mat_t
shift4(double x, double z)
{
  mat_t T = eye(4);
  *at(T, 0, 3) = x;
  *at(T, 2, 3) = z;
  return T;
}

// the tool by exponentials of the four motions of each row
static mat_t
tool_by_hand(const mbd_dh_t * t, const double * q)
{
  mat_t X = placement4(&t->base);
  for (int i = 0; i < t->n; i++) {
    const mbd_dh_row_t * r = &t->row[i];
    const bool slides = r->type == MBD_JOINT_PRISMATIC;
    const mat_t z =
      PROD(turn4('z', r->theta + (slides ? 0 : q[i])), shift4(0, r->d + (slides ? q[i] : 0)));
    const mat_t x = PROD(turn4('x', r->alpha), shift4(r->a, 0));
    X = t->convention == MBD_DH_STANDARD ? PROD(X, z, x) : PROD(X, x, z);
  }
  return PROD(X, placement4(&t->tool));
}

static mat_t
tool_of(dh_chain_t * c)
{
  mbd_placement_t X;
  assert_ok(mbd_set_position(c->model, c->data, c->q));
  assert_ok(mbd_frame_placement(c->model, c->data, c->tool, &X));
  return placement4(&X);
}

static void
tool_is_the_product_of_the_rows(void ** context)
{
  (void)context;
  FOR_CHAINS assert_mat(tool_of(c), tool_by_hand(&c->table, c->q), 1e-12, "seed %lu", seed);
}

// arms whose tables everybody knows, at known places
static void
well_known_arms_reach_where_they_should(void ** context)
{
  (void)context;
  const double quarter = acos(0);
  // a: UR5, standard
  const double a[6] = {0, -0.425, -0.39225, 0, 0, 0};
  const double d[6] = {0.089159, 0, 0, 0.10915, 0.09465, 0.0823};
  const double alpha[6] = {quarter, 0, 0, quarter, -quarter, 0};
  dh_chain_t * c = calloc(1, sizeof *c);
  for (int i = 0; i < 6; i++) {
    c->row[i] = mbd_dh_row_default();
    c->row[i].a = a[i], c->row[i].d = d[i], c->row[i].alpha = alpha[i];
    c->row[i].inertia =
      mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  }
  c->table = (mbd_dh_t){
    .n = 6,
    .row = c->row,
    .base = mbdu_placement_identity(),
    .tool = mbdu_placement_identity(),
    .tool_name = "tool0"};
  make_chain(c);
  // stretched along -x: sums of the lengths in the data sheet
  const mat_t X = tool_of(c);
  const double place[3] = {-0.425 - 0.39225, -(0.10915 + 0.0823), 0.089159 - 0.09465};
  const double is[3] = {*at(X, 0, 3), *at(X, 1, 3), *at(X, 2, 3)};
  assert_close(is, place, 3, 1e-12, "UR5 at zero");
  chain_free(c);

  // b: Panda to its flange, modified
  const double pa[7] = {0, 0, 0, 0.0825, -0.0825, 0, 0.088};
  const double pd[7] = {0.333, 0, 0.316, 0, 0.384, 0, 0};
  const double palpha[7] = {0, -quarter, quarter, quarter, -quarter, quarter, quarter};
  c = calloc(1, sizeof *c);
  for (int i = 0; i < 7; i++) {
    c->row[i] = mbd_dh_row_default();
    c->row[i].a = pa[i], c->row[i].d = pd[i], c->row[i].alpha = palpha[i];
    c->row[i].inertia =
      mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  }
  const mbd_placement_t flange = {mbdu_mat3_identity(), {0, 0, 0.107}};
  c->table = (mbd_dh_t){
    .convention = MBD_DH_MODIFIED,
    .n = 7,
    .row = c->row,
    .base = mbdu_placement_identity(),
    .tool = flange,
    .tool_name = "flange"};
  make_chain(c);
  const mat_t Y = tool_of(c);
  const double flange_place[3] = {0.088, 0, 0.333 + 0.316 + 0.384 - 0.107};
  const double flange_is[3] = {*at(Y, 0, 3), *at(Y, 1, 3), *at(Y, 2, 3)};
  assert_close(flange_is, flange_place, 3, 1e-12, "Panda at zero");
  chain_free(c);
}

//---------- conventions ----------

// torques and the tool, of what a table means
static void
assert_same_chain(dh_chain_t * c, const mbd_dh_t * other, const char * what, uint64_t seed)
{
  dh_chain_t * d = calloc(1, sizeof *d);
  memcpy(d, c, sizeof *d);
  d->table = *other;
  make_chain(d);
  mat_t a = mat(c->n, 1), b = mat(c->n, 1);
  assert_ok(mbd_inverse_dynamics(c->model, c->data, c->q, c->v, c->qdd, NULL, a.a));
  assert_ok(mbd_inverse_dynamics(d->model, d->data, c->q, c->v, c->qdd, NULL, b.a));
  assert_mat(b, a, 1e-9, "%s, torque, seed %lu", what, seed);
  mat_t M = mat(c->n, c->n), N = mat(c->n, c->n);
  assert_ok(mbd_set_state(c->model, c->data, c->q, NULL));
  assert_ok(mbd_mass_matrix(c->model, c->data, M.a));
  assert_ok(mbd_set_state(d->model, d->data, c->q, NULL));
  assert_ok(mbd_mass_matrix(d->model, d->data, N.a));
  assert_mat(N, M, 1e-9, "%s, mass matrix, seed %lu", what, seed);
  assert_mat(tool_of(d), tool_of(c), 1e-9, "%s, tool, seed %lu", what, seed);
  mbd_noc_destroy(d->noc);
  mbd_data_destroy(d->data);
  mbd_model_destroy(d->model);
  free(d);
}

static void
conventions_say_the_same(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    mbd_dh_row_t row[MOST_JOINTS];
    memcpy(row, c->row, sizeof row);
    mbd_dh_t table = c->table;
    table.row = row;
    const mbd_dh_convention_t other =
      table.convention == MBD_DH_STANDARD ? MBD_DH_MODIFIED : MBD_DH_STANDARD;
    assert_ok(mbd_dh_convert(&table, other));
    assert_int_equal(table.convention, other);
    assert_same_chain(c, &table, "converted", seed);
    assert_ok(mbd_dh_convert(&table, c->table.convention));
    assert_same_chain(c, &table, "converted back", seed);
  }
}

//---------- models to tables ----------

static void
tables_of_chains_mean_the_chains(void ** context)
{
  (void)context;
  FOR_CHAINS
  {
    for (int kind = 0; kind < 2; kind++) {
      mbd_dh_row_t row[MOST_JOINTS];
      mbd_dh_t table = {.row = row};
      mbd_dh_options_t options = mbd_dh_options_default();
      options.convention = kind ? MBD_DH_MODIFIED : MBD_DH_STANDARD;
      options.tip = c->tool;
      assert_ok(mbd_dh_from_model(c->model, &options, MOST_JOINTS, &table, NULL));
      assert_int_equal(table.n, c->n);
      assert_int_equal(table.left_out, 0);
      assert_true(table.distance < 1e-9 && table.angle < 1e-9);
      assert_string_equal(table.tool_name, "tool");
      for (int i = 0; i < c->n; i++) {
        assert_true(fabs(row[i].theta) <= acos(0) + 1e-9);
        assert_int_equal(row[i].type, c->row[i].type);
        assert_int_equal(row[i].body, i);
      }
      assert_same_chain(c, &table, "exported", seed);
    }
  }
}

// any chain of joints that turn or slide, askew, with fixed joints in between
static void
tables_of_random_robots_mean_the_robots(void ** context)
{
  (void)context;
  FOR_SEEDS(CHAINS)
  {
    uint64_t state = seed;
    joint_by_hand_t joint[MOST_JOINTS];
    const int n = 1 + random_below(&state, MOST_JOINTS);
    for (int i = 0; i < n; i++) {
      joint[i].type = random_below(&state, 3) ? MBD_JOINT_REVOLUTE : MBD_JOINT_PRISMATIC;
      joint[i].axis = random_axis(&state);
      joint[i].place = random_vec3(&state, random_below(&state, 4) ? 1 : 0);
    }
    dh_chain_t * c = calloc(1, sizeof *c);
    c->n = n;
    c->model = arm_by_hand(joint, n, random_vec3(&state, 1), &state, &c->tool);
    assert_ok(mbd_data_create(c->model, &c->data));
    random_state(&state, c);
    mbd_dh_options_t options = mbd_dh_options_default();
    options.tip = c->tool;
    c->table.row = c->row;
    assert_ok(mbd_dh_from_model(c->model, &options, MOST_JOINTS, &c->table, NULL));
    mbd_dh_t table = c->table;
    assert_same_chain(c, &table, "robot", seed);
    chain_free(c);
  }
}

// a robot with limbs: the path to a frame, without what hangs beside it
static void
one_limb_of_a_robot(void ** context)
{
  (void)context;
  mbd_model_t * model;
  int frame[5];
  assert_ok(mbd_model_create("torso", &model));
  const mbd_inertia_t ball = {1, {0.1, 0, 0}, {1, 0, 0, 1, 0, 1}};
  const char * name[] = {"waist", "left", "left2", "right", "right2"};
  const int parent[] = {-1, 0, 1, 0, 3};
  for (int i = 0; i < 5; i++) {
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = spec.joint_name = name[i];
    spec.parent = i ? frame[parent[i]] : MBD_WORLD_BODY;
    spec.type = MBD_JOINT_REVOLUTE;
    spec.axis = mbdu_vec3(i == 1, i == 2, i != 1 && i != 2);
    spec.placement.p = mbdu_vec3(0, i, 1);
    spec.inertia = ball;
    spec.limits.upper = 2;
    assert_ok(mbd_model_add_body(model, &spec, &frame[i]));
  }
  assert_ok(mbd_model_finalize(model));
  mbd_dh_row_t row[5];
  mbd_dh_t table = {.row = row};
  int bad;
  assert_status(mbd_dh_from_model(model, NULL, 5, &table, &bad), MBD_ERROR_NOT_SERIAL);
  assert_string_equal(model->body[bad].joint_name, "right");
  mbd_dh_options_t options = mbd_dh_options_default();
  options.tip = frame[4];
  assert_status(mbd_dh_from_model(model, &options, 2, &table, NULL), MBD_ERROR_TOO_SMALL);
  assert_ok(mbd_dh_from_model(model, &options, 5, &table, NULL));
  assert_int_equal(table.n, 3);
  assert_int_equal(table.left_out, 2);
  assert_null(table.tool_name);
  assert_string_equal(row[2].joint_name, "right2");
  assert_true(row[2].limits.upper == 2);
  // all three along z: distances 3 and 4, heights in the first and last rows
  const double numbers[6] = {row[0].a, row[1].a, row[0].alpha, row[1].alpha, row[0].d, row[2].d};
  assert_close(numbers, ((double[]){3, 4, 0, 0, 0, 3}), 6, 1e-12, "rows");
  mbd_model_destroy(model);
}

// axes that a rounded URDF leaves nearly parallel: far away, or parallel and said so
static void
nearly_parallel_axes(void ** context)
{
  (void)context;
  uint64_t state = 3;
  const joint_by_hand_t joint[2] = {
    {MBD_JOINT_REVOLUTE, {0, 0, 1}, {0, 0, 0}}, {MBD_JOINT_REVOLUTE, {4e-6, 0, 1}, {1, 1, 0}}};
  int frame;
  mbd_model_t * model = arm_by_hand(joint, 2, mbdu_vec3(0, 0, 1), &state, &frame);
  mbd_dh_row_t row[2];
  mbd_dh_t table = {.row = row};
  assert_ok(mbd_dh_from_model(model, NULL, 2, &table, NULL));
  assert_true(fabs(row[0].d) > 1e5 && table.angle < 1e-9);
  mbd_dh_options_t options = mbd_dh_options_default();
  options.parallel = 1e-5;
  assert_ok(mbd_dh_from_model(model, &options, 2, &table, NULL));
  assert_true(fabs(row[0].d) < 10);
  assert_close(&table.angle, ((double[]){4e-6}), 1, 1e-6, "angle");
  mbd_model_destroy(model);
}

//---------- what is refused ----------

static void
bad_tables_are_refused(void ** context)
{
  (void)context;
  mbd_dh_row_t row[2] = {mbd_dh_row_default(), mbd_dh_row_default()};
  mbd_dh_t table = {
    .n = 2, .row = row, .base = mbdu_placement_identity(), .tool = mbdu_placement_identity()};
  mbd_model_t * model;
  int bad;
  row[1].type = MBD_JOINT_SPHERICAL;
  assert_status(mbd_dh_to_model(&table, &model, &bad), MBD_ERROR_BAD_JOINT);
  assert_int_equal(bad, 1);
  assert_null(model);
  row[1].type = MBD_JOINT_PRISMATIC;
  row[0].alpha = (double)NAN;
  assert_status(mbd_dh_to_model(&table, &model, &bad), MBD_ERROR_NOT_FINITE);
  assert_int_equal(bad, 0);
  assert_status(mbd_dh_convert(&table, MBD_DH_MODIFIED), MBD_ERROR_NOT_FINITE);
  row[0].alpha = 0;
  row[1].inertia.mass = -1;
  assert_status(mbd_dh_to_model(&table, &model, &bad), MBD_ERROR_BAD_INERTIA);
  assert_int_equal(bad, 1);
  row[1].inertia.mass = 0;
  row[0].name = row[1].name = "same";
  assert_status(mbd_dh_to_model(&table, &model, &bad), MBD_ERROR_DUPLICATE_NAME);
  row[0].name = NULL;
  table.convention = (mbd_dh_convention_t)2;
  assert_status(mbd_dh_to_model(&table, &model, &bad), MBD_ERROR_BAD_ARGUMENT);
  table.convention = MBD_DH_STANDARD;
  assert_status(mbd_dh_convert(&table, (mbd_dh_convention_t)2), MBD_ERROR_BAD_ARGUMENT);
  table.n = 0;
  assert_status(mbd_dh_to_model(&table, &model, &bad), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_dh_to_model(NULL, &model, &bad), MBD_ERROR_NULL_ARGUMENT);
}

static void
models_without_a_table_are_refused(void ** context)
{
  (void)context;
  uint64_t state = 1;
  const joint_by_hand_t ball[2] = {
    {MBD_JOINT_REVOLUTE, {0, 0, 1}, {0, 0, 0}}, {MBD_JOINT_SPHERICAL, {0, 0, 1}, {1, 1, 0}}};
  int frame, bad;
  mbd_model_t * model = arm_by_hand(ball, 2, mbdu_vec3(0, 0, 1), &state, &frame);
  mbd_dh_row_t row[2];
  mbd_dh_t table = {.row = row};
  assert_status(mbd_dh_from_model(model, NULL, 2, &table, &bad), MBD_ERROR_BAD_JOINT);
  assert_int_equal(bad, 1);
  mbd_dh_options_t options = mbd_dh_options_default();
  options.tip = 99;
  assert_status(mbd_dh_from_model(model, &options, 2, &table, &bad), MBD_ERROR_BAD_ARGUMENT);
  options.tip = -1, options.parallel = (double)NAN;
  assert_status(mbd_dh_from_model(model, &options, 2, &table, &bad), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_dh_from_model(model, NULL, 2, NULL, &bad), MBD_ERROR_NULL_ARGUMENT);
  mbd_model_destroy(model);
  model = mimic_by_hand();
  assert_status(mbd_dh_from_model(model, NULL, 2, &table, &bad), MBD_ERROR_MIMIC);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(tool_is_the_product_of_the_rows),
    cmocka_unit_test(well_known_arms_reach_where_they_should),
    cmocka_unit_test(conventions_say_the_same),
    cmocka_unit_test(tables_of_chains_mean_the_chains),
    cmocka_unit_test(tables_of_random_robots_mean_the_robots),
    cmocka_unit_test(one_limb_of_a_robot),
    cmocka_unit_test(nearly_parallel_axes),
    cmocka_unit_test(bad_tables_are_refused),
    cmocka_unit_test(models_without_a_table_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
