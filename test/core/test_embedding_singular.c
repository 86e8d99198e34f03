// Where loops lock, branch, cannot be closed or say the same twice; drivers.
#include <math.h>
#include <string.h>

#include "linkage.h"
#include "mbdyn/constraints.h"
#include "mbdyn/inertia.h"

static mbd_model_t *
embed_rocker(mbd_closure_type_t type, double crank, const char * preferred, double * q)
{
  mbd_model_t * tree = crank_rocker(type);
  assert_ok(mbd_model_finalize(tree));
  q[joint(tree, "crank")] = crank;
  close_crank_rocker(crank, &q[joint(tree, "coupler")], &q[joint(tree, "rocker")]);
  char full[32];
  snprintf(full, sizeof full, "j_%s", preferred);
  const char * const joints[] = {full};
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = q, options.independent = joints, options.nindependent = 1, options.own_tree = true;
  mbd_model_t * model;
  assert_ok(mbd_model_embed(tree, &options, &model));
  assert_int_equal(model->nv, 1);
  assert_int_equal(model->dof_tree[0], joint(model->tree, preferred));
  return model;
}

static bool
all_finite(const double * x, int n)
{
  for (int k = 0; k < n; k++) {
    if (!isfinite(x[k])) return false;
  }
  return true;
}

//---------- lock-up ----------

// crank angles with crank and coupler in line: the rocker's dead centres
static double
dead_centre(int which)
{
  // stretched: 1.2 from the ground pin to the rocker's end; folded: 0.6
  const double reach = which == 0 ? 1.2 : 0.6;
  const double angle = acos((1 + reach * reach - 0.36) / (2 * reach));
  return which == 0 ? angle : angle - acos(-1.0);
}

// driven from the rocker, the linkage locks at its dead centres: said, not divided by; another
// choice goes through
static void
dead_centres_are_named(void ** context)
{
  (void)context;
  for (int which = 0; which < 2; which++) {
    double q[3];
    const double dead = dead_centre(which);
    mbd_model_t *model = embed_rocker(MBD_CLOSURE_ON_LINE, dead + 0.5, "rocker", q), *better;
    mbd_data_t *data, *other;
    assert_ok(mbd_data_create(model, &data));
    const mbd_model_t * tree = model->tree;
    const int crank = joint(tree, "crank"), coupler = joint(tree, "coupler"),
              rocker = joint(tree, "rocker");
    double before = 0, condition;
    for (double off = 0.1; off > 1e-5; off /= 10) {
      q[crank] = dead + off;
      close_crank_rocker(q[crank], &q[coupler], &q[rocker]);
      assert_ok(mbd_set_position(model, data, q));
      assert_ok(mbd_embedding_condition(model, data, &condition, NULL));
      assert_true(condition > before);
      before = condition;
    }
    assert_true(condition > 1e3);
    // at the dead centre itself
    q[crank] = dead;
    close_crank_rocker(q[crank], &q[coupler], &q[rocker]);
    double v = 1, qdd = 7, tau = 0.1, M = 7;
    assert_int_equal(mbd_set_position(model, data, q), MBD_ERROR_LOCKED);
    assert_non_null(mbd_error_joint_name(data));
    assert_int_equal(mbd_forward_dynamics(model, data, q, &v, &tau, NULL, &qdd), MBD_ERROR_LOCKED);
    assert_int_equal(mbd_mass_matrix(model, data, &M), MBD_ERROR_STAGE);
    assert_true(qdd == 7 && M == 7);
    // what conditioning chooses here moves
    assert_ok(mbd_model_rechoose(model, q, &better));
    assert_int_not_equal(better->dof_tree[0], rocker);
    assert_ok(mbd_data_create(better, &other));
    assert_ok(mbd_forward_dynamics(better, other, q, &v, &tau, NULL, &qdd));
    assert_true(isfinite(qdd));
    double v_tree[3];
    assert_ok(mbd_tree_velocity(better, other, NULL, v_tree));
    assert_near(v_tree[rocker], 0, 1e-9, "the rocker stands at its dead centre");
    // velocities are taken over next to it
    q[crank] = dead + 0.2;
    close_crank_rocker(q[crank], &q[coupler], &q[rocker]);
    double v_other, back;
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_position(better, other, q));
    assert_ok(mbd_convert_velocity(model, data, &v, better, &v_other));
    assert_ok(mbd_convert_velocity(better, other, &v_other, model, &back));
    assert_near(back, v, 1e-9, "there and back");
    mbd_data_destroy(other);
    mbd_data_destroy(data);
    mbd_model_destroy(better);
    mbd_model_destroy(model);
  }
}

//---------- bifurcation ----------

// a parallelogram that lies flat may go on as one or as an antiparallelogram: its rank drops, and
// no choice helps
static void
flat_parallelogram_is_named(void ** context)
{
  (void)context;
  const double q_open[3] = {1.1, -1.1, 1.1}, flat[3] = {0, 0, 0};
  mbd_model_t *model = embed_with(parallelogram(), q_open, "a"), *better;
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  double v = 1, tau = 0, qdd = 7;
  assert_int_equal(mbd_set_position(model, data, flat), MBD_ERROR_LOCKED);
  assert_int_equal(mbd_forward_dynamics(model, data, flat, &v, &tau, NULL, &qdd), MBD_ERROR_LOCKED);
  assert_true(qdd == 7);
  // embedding from there finds its way off, and says so there as well
  assert_ok(mbd_model_rechoose(model, flat, &better));
  assert_int_equal(better->nv, 1);
  mbd_data_t * other;
  assert_ok(mbd_data_create(better, &other));
  assert_int_equal(mbd_set_position(better, other, flat), MBD_ERROR_LOCKED);
  double rest[3];
  assert_ok(mbd_neutral(better, rest));
  assert_ok(mbd_set_position(better, other, rest));
  // a step that would land on it
  const double near[3] = {1e-3, -1e-3, 1e-3};
  assert_ok(mbd_set_position(model, data, near));
  double out[3] = {7, 7, 7};
  const mbd_status_t status = mbd_integrate(model, near, &v, -1e-3, out);
  assert_true(status == MBD_OK || status == MBD_ERROR_LOCKED || status == MBD_ERROR_NOT_ASSEMBLED);
  assert_true(all_finite(out, 3));
  mbd_data_destroy(other);
  mbd_data_destroy(data);
  mbd_model_destroy(better);
  mbd_model_destroy(model);
}

//---------- rows that say the same twice ----------

// with hinges of five rows a planar four-bar has three that follow: the same motion, and forces
// that are the smallest that do
static void
redundant_rows_change_nothing(void ** context)
{
  (void)context;
  double q[3], qdd[2], lambda[2][5] = {{0}}, v = 2, tau = 0.3, tau_tree[3] = {0};
  for (int spatial = 0; spatial < 2; spatial++) {
    mbd_model_t * model =
      embed_rocker(spatial ? MBD_CLOSURE_REVOLUTE : MBD_CLOSURE_ON_LINE, 0.7, "crank", q);
    mbd_data_t * data;
    assert_ok(mbd_data_create(model, &data));
    assert_int_equal(model->nrow, spatial ? 5 : 2);
    assert_ok(mbd_forward_dynamics(model, data, q, &v, &tau, NULL, &qdd[spatial]));
    tau_tree[joint(model->tree, "crank")] = tau;
    assert_ok(mbd_closure_forces(model, data, &qdd[spatial], tau_tree, NULL, lambda[spatial]));
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }
  assert_near(qdd[0], qdd[1], 1e-11, "qdd");
  assert_near(lambda[0][0], lambda[1][0], 1e-9, "pin x");
  assert_near(lambda[0][1], lambda[1][1], 1e-9, "pin y");
  for (int k = 2; k < 5; k++) assert_near(lambda[1][k], 0, 1e-9, "row %d carries nothing", k);
}

// tilted hinges close nowhere or hold the linkage: either is said
static void
tilted_hinge_is_not_taken_for_a_planar_one(void ** context)
{
  (void)context;
  mbd_model_t *tree = crank_rocker(MBD_CLOSURE_ON_LINE), *model = NULL;
  mbd_closure_spec_t tilted = mbd_closure_spec_default();
  tilted.name = "tilted";
  tilted.type = MBD_CLOSURE_REVOLUTE;
  tilted.frame_a = frame_named(tree, "rocker");
  tilted.frame_b = frame_named(tree, "coupler");
  tilted.X_a = at_point(0.6, 0, 0);
  tilted.X_b = at_point(0.9, 0, 0);
  const double c = cos(0.05), s = sin(0.05);
  const mbd_mat3_t R = {{1, 0, 0, 0, c, -s, 0, s, c}};
  tilted.X_b.R = R;
  assert_ok(mbd_model_add_closure(tree, &tilted, NULL));
  assert_ok(mbd_model_finalize(tree));
  const mbd_status_t status = mbd_model_embed(tree, NULL, &model);
  assert_true(
    status == MBD_ERROR_NOT_ASSEMBLED || status == MBD_ERROR_LOCKED ||
    (status == MBD_OK && model->nv == 0));
  if (status == MBD_OK) mbd_model_destroy(model);
  if (status == MBD_ERROR_NOT_ASSEMBLED) assert_non_null(tree->error_name);
  mbd_model_destroy(tree);
}

//---------- what cannot be closed ----------

static void
impossible_loops_are_refused(void ** context)
{
  (void)context;
  // a rocker that is too short to reach
  const part_t parts[] = {
    {"a", NULL, 'z', 0, 0, 0, 1, 0.1, 0, 0, 0.1, 0.1, 0.1},
    {"b", NULL, 'z', 5, 0, 0, 1, 0.1, 0, 0, 0.1, 0.1, 0.1}};
  mbd_model_t *tree = start(0, -9.81, 0), *model = NULL;
  add(tree, &parts[0]);
  add(tree, &parts[1]);
  pin(tree, MBD_CLOSURE_SPHERICAL, "a", at_point(1, 0, 0), "b", at_point(1, 0, 0));
  assert_ok(mbd_model_finalize(tree));
  assert_int_equal(mbd_model_embed(tree, NULL, &model), MBD_ERROR_NOT_ASSEMBLED);
  assert_string_equal(tree->error_name, "pin");
  assert_null(model);
  mbd_model_destroy(tree);
}

// a state with open loops is refused, a small gap is closed
static void
inconsistent_states_are_refused(void ** context)
{
  (void)context;
  double q[3], open[3], v = 1, qdd = 7;
  mbd_model_t * model = embed_rocker(MBD_CLOSURE_ON_LINE, 0.7, "crank", q);
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  memcpy(open, q, sizeof q);
  open[1] += 0.1;
  assert_int_equal(mbd_set_position(model, data, open), MBD_ERROR_NOT_ASSEMBLED);
  assert_int_equal(
    mbd_forward_dynamics(model, data, open, &v, NULL, NULL, &qdd), MBD_ERROR_NOT_ASSEMBLED);
  assert_int_equal(mbd_set_velocity(model, data, &v), MBD_ERROR_STAGE);
  assert_true(qdd == 7);
  open[1] = q[1] + 5e-4;
  assert_ok(mbd_set_position(model, data, open));
  double d[2];
  assert_ok(mbd_closure_error(model, data, 0, d));
  assert_near(d[0], 0, 1e-12, "closed x");
  assert_near(d[1], 0, 1e-12, "closed y");
  assert_near(data->q[joint(model->tree, "crank")], q[0], 1e-15, "the independent one stays");
  open[2] = (double)NAN;
  assert_int_equal(mbd_set_position(model, data, open), MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbd_set_velocity(model, data, &v), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(model, data, q));
  v = (double)NAN;
  assert_int_equal(mbd_set_velocity(model, data, &v), MBD_ERROR_NOT_FINITE);
  // another model's workspace, and trees where embedded models are asked for
  mbd_data_t * on;
  assert_ok(mbd_data_create(model->tree, &on));
  assert_int_equal(mbd_set_position(model, on, q), MBD_ERROR_MODEL_MISMATCH);
  assert_int_equal(mbd_set_time(model->tree, on, 0), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(mbd_tree_torque(model->tree, q, open), MBD_ERROR_BAD_ARGUMENT);
  mbd_model_t * again;
  assert_int_equal(mbd_model_embed(model, NULL, &again), MBD_ERROR_UNSUPPORTED);
  mbd_embed_options_t options = mbd_embed_options_default();
  const char * const preferred[] = {"nobody"};
  options.independent = preferred, options.nindependent = 1;
  mbd_model_t * tree = crank_rocker(MBD_CLOSURE_ON_LINE);
  assert_int_equal(mbd_model_embed(tree, &options, &again), MBD_ERROR_NOT_FINALIZED);
  assert_ok(mbd_model_finalize(tree));
  assert_int_equal(mbd_model_embed(tree, &options, &again), MBD_ERROR_NOT_FOUND);
  assert_string_equal(tree->error_name, "nobody");
  mbd_model_destroy(tree);
  mbd_data_destroy(on);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

//---------- drivers ----------

static void
swing(void * ctx, double t, double * value, double * rate, double * second)
{
  const double w = *(const double *)ctx;
  *value = 0.7 + 0.4 * sin(w * t), *rate = 0.4 * w * cos(w * t),
  *second = -0.4 * w * w * sin(w * t);
}

// a crank whose motion is given: nothing is left free, and everything follows from the time
static void
drivers_move_what_is_dependent(void ** context)
{
  (void)context;
  static double w = 3;
  mbd_model_t *tree = crank_rocker(MBD_CLOSURE_ON_LINE), *model;
  mbd_closure_spec_t drive = mbd_closure_spec_default();
  drive.name = "drive", drive.type = MBD_CLOSURE_COUPLING, drive.ncoupled = 1;
  drive.joint[0] = "j_crank", drive.coefficient[0] = 1;
  drive.driver.at = swing, drive.driver.ctx = &w;
  assert_ok(mbd_model_add_closure(tree, &drive, NULL));
  assert_ok(mbd_model_finalize(tree));
  const int crank = joint(tree, "crank"), coupler = joint(tree, "coupler"),
            rocker = joint(tree, "rocker");
  double q[3], none[1] = {0};
  q[crank] = 0.7;
  close_crank_rocker(0.7, &q[coupler], &q[rocker]);
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = q, options.own_tree = true;
  assert_ok(mbd_model_embed(tree, &options, &model));
  assert_int_equal(model->nv, 0);
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  assert_int_equal(mbd_integrate(model, q, none, 1e-3, q), MBD_ERROR_UNSUPPORTED);
  const double dt = 1e-3;
  double v[3], a[3], energy;
  for (int k = 0; k < 500; k++) {
    assert_ok(mbd_integrate_in(model, data, q, none, dt, q));
    const double t = (k + 1) * dt;
    assert_near(q[crank], 0.7 + 0.4 * sin(w * t), 1e-10, "crank at %g", t);
    assert_ok(mbd_set_velocity(model, data, none));
    assert_ok(mbd_tree_velocity(model, data, NULL, v));
    assert_ok(mbd_tree_acceleration(model, data, NULL, a));
    assert_near(v[crank], 0.4 * w * cos(w * t), 1e-10, "its rate at %g", t);
    assert_near(a[crank], -0.4 * w * w * sin(w * t), 1e-9, "its second rate at %g", t);
    assert_ok(mbd_kinetic_energy(model, data, &energy));
  }
  // rates of the others by differences of the closed form
  const double h = 1e-5, t = 500 * dt;
  double at[3][2];
  for (int k = 0; k < 3; k++) {
    double value, rate, second;
    swing(&w, t + (k - 1) * h, &value, &rate, &second);
    close_crank_rocker(value, &at[k][0], &at[k][1]);
  }
  assert_near(v[rocker], (at[2][1] - at[0][1]) / (2 * h), 1e-7, "rocker's rate");
  assert_near(
    a[rocker], (at[2][1] - 2 * at[1][1] + at[0][1]) / (h * h), 1e-4, "rocker's second rate");
  assert_near(v[coupler], (at[2][0] - at[0][0]) / (2 * h), 1e-7, "coupler's rate");
  // the torque that drives it: power in is the rate of the energy
  double lambda[3], kinetic[2], potential[2], none_qdd[1] = {0};
  assert_ok(mbd_closure_forces(model, data, none_qdd, NULL, NULL, lambda));
  int drive_index;
  assert_ok(mbd_find_closure(model, "drive", &drive_index));
  const double power = lambda[model->closure[drive_index].row] * v[crank];
  for (int k = 0; k < 2; k++) {
    const double later = t + (k == 0 ? -h : h);
    double value, rate, second;
    swing(&w, later, &value, &rate, &second);
    double moved[3];
    moved[crank] = value;
    close_crank_rocker(value, &moved[coupler], &moved[rocker]);
    assert_ok(mbd_set_time(model, data, later));
    assert_ok(mbd_set_position(model, data, moved));
    assert_ok(mbd_set_velocity(model, data, none));
    assert_ok(mbd_kinetic_energy(model, data, &kinetic[k]));
    assert_ok(mbd_potential_energy(model, data, &potential[k]));
  }
  const double gained = kinetic[1] + potential[1] - kinetic[0] - potential[0];
  assert_near(power, gained / (2 * h), 1e-5, "power of the driver");
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(dead_centres_are_named),
    cmocka_unit_test(flat_parallelogram_is_named),
    cmocka_unit_test(redundant_rows_change_nothing),
    cmocka_unit_test(tilted_hinge_is_not_taken_for_a_planar_one),
    cmocka_unit_test(impossible_loops_are_refused),
    cmocka_unit_test(inconsistent_states_are_refused),
    cmocka_unit_test(drivers_move_what_is_dependent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
