// Operational space: what the frame does, and what the rest of the robot does beside it.
#include "control_rig.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/operators/factors.h"

// six rows of a frame, gains that differ, posture gains that pull
static void
task_settings(rig_t * rig)
{
  controller_settings_t * s = rig->s;
  s->mode = MODE_OPERATIONAL_SPACE;
  s->task_frame = rig_frame(rig, "tool");
  for (int k = 0; k < 6; k++) {
    s->task_row[k] = true;
    s->task_kp[k] = 100 + 10 * k, s->task_kd[k] = 12 + 3 * k;
  }
  for (int k = 0; k < 7; k++) s->posture_kp[k] = 20 + k, s->posture_kd[k] = 5 + k;
}

static mbd_placement_t
tool_at(rig_t * rig, const double * q)
{
  mbd_placement_t X;
  assert_ok(mbd_set_position(rig->c->model, rig->plant, q));
  assert_ok(mbd_frame_placement(rig->c->model, rig->plant, rig->s->task_frame, &X));
  return X;
}

// the rotation's axis times its angle, from the matrix itself
static mbd_vec3_t
turn_of(const mbd_mat3_t * R)
{
  const double * m = R->m;
  const double c = fmax(-1, fmin(1, (m[0] + m[4] + m[8] - 1) / 2)), angle = acos(c);
  const mbd_vec3_t axis = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  return mbdu_vec3_scale(angle < 1e-9 ? 0.5 : angle / (2 * sin(angle)), axis);
}

static mbd_mat3_t
turn_by(mbd_vec3_t axis, double angle)
{
  return mbdu_quat_to_mat3(mbdu_quat_exp(mbdu_vec3_scale(angle / mbdu_vec3_norm(axis), axis)));
}

//---------- in the closed loop ----------

// what moves the target
typedef struct path {
  rig_t * rig;
  mbd_placement_t from;
  mbd_vec3_t speed;
} path_t;

static void
along_the_path(const sim_t * sim, double t, const double * q, const double * v, double * tau)
{
  path_t * path = sim->ctx;
  controller_targets_t * targets = &path->rig->c->targets;
  // the first step says where everything holds, and forgets nothing that comes after it
  targets->pose_known = targets->twist_known = true;
  targets->pose = path->from;
  targets->pose.p = mbdu_vec3_add(path->from.p, mbdu_vec3_scale(t, path->speed));
  targets->twist = (mbd_motion_t){{0, 0, 0}, path->speed};
  sim_t inner = *sim;
  inner.ctx = path->rig;
  rig_motors(&inner, t, q, v, tau);
}

// a target that sets out at a speed: each row's error is an oscillator that begins with that speed,
// the orientation does not move, and the posture is not felt
static void
follows_a_line(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  task_settings(&rig);
  rig.s->model_terms = MBD_TERM_ROTORS;
  controller_apply(rig.c, rig.s);
  path_t path = {&rig, tool_at(&rig, rig.q), {0.15, -0.2, 0.1}};
  const double speed[3] = {0.15, -0.2, 0.1};
  sim_t sim = rig_simulation(&rig);
  sim.motors = along_the_path, sim.ctx = &path;
  double away = 0;
  for (int n = 1; n <= 1000; n++) {
    sim_step(&sim, 0.001);
    if (n % 50) continue;
    const mbd_placement_t X = tool_at(&rig, sim.q);
    const double x[3] = {X.p.x, X.p.y, X.p.z};
    const double from[3] = {path.from.p.x, path.from.p.y, path.from.p.z};
    for (int k = 0; k < 3; k++) {
      const double e = from[k] + speed[k] * sim.t - x[k];
      const double want = rig_oscillator(rig.s->task_kp[k], rig.s->task_kd[k], 0, speed[k], sim.t);
      assert_true(fabs(e - want) < 1e-8);
    }
    assert_close(X.R.m, path.from.R.m, 9, 1e-8, "orientation");
    for (int k = 0; k < 7; k++) away = fmax(away, fabs(sim.q[k] - RIG_POSE[k]));
  }
  assert_true(away > 0.1);
  rig_free(&rig);
}

// a target that is turned: the frame turns about that axis alone, its angle an oscillator
static void
turns_about_an_axis(void ** state)
{
  (void)state;
  const mbd_vec3_t axis = {1, 2, -2};
  rig_t rig;
  rig_arm(&rig);
  task_settings(&rig);
  for (int k = 3; k < 6; k++) rig.s->task_kp[k] = 90, rig.s->task_kd[k] = 15;
  controller_apply(rig.c, rig.s);
  const mbd_placement_t from = tool_at(&rig, rig.q);
  path_t path = {&rig, from, {0, 0, 0}};
  const mbd_mat3_t turn = turn_by(axis, 0.5);
  path.from.R = mbdu_mat3_mul(&turn, &from.R);
  sim_t sim = rig_simulation(&rig);
  sim.motors = along_the_path, sim.ctx = &path;
  for (int n = 1; n <= 800; n++) {
    sim_step(&sim, 0.001);
    if (n % 50) continue;
    const mbd_placement_t X = tool_at(&rig, sim.q);
    const mbd_mat3_t left = turn_by(axis, 0.5 - rig_oscillator(90, 15, 0.5, 0, sim.t));
    const mbd_mat3_t want = mbdu_mat3_mul(&left, &from.R);
    assert_close(X.R.m, want.m, 9, 1e-8, "orientation at %g", sim.t);
    const double p[3] = {X.p.x, X.p.y, X.p.z}, p0[3] = {from.p.x, from.p.y, from.p.z};
    assert_close(p, p0, 3, 1e-8, "position at %g", sim.t);
  }
  rig_free(&rig);
}

// until a pose comes the frame holds, a twist carries it along while it lasts, and it holds there
static void
holds_and_is_carried_along(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  task_settings(&rig);
  rig.s->target_timeout = 0.1;
  controller_apply(rig.c, rig.s);
  const mbd_placement_t from = tool_at(&rig, rig.q);
  const mbd_motion_t twist = {{0.2, -0.1, 0.3}, {0.1, 0.2, -0.1}};
  sim_t sim = rig_simulation(&rig);
  for (int n = 0; n < 5000; n++) {
    rig_state(&rig, sim.q, sim.v);
    // for a second, and a tenth until it is too old
    rig.c->targets.twist_known = sim.t > 0.9995;
    rig.c->targets.twist = twist;
    rig.c->targets.twist_time = rig_ns(fmin(sim.t, 2));
    rig_step(&rig, sim.t, 0.001, NULL);
    sim_t step = sim;
    step.motors = NULL, step.hidden = rig.c->command;
    sim_step(&step, 0.001);
    memcpy(sim.q, step.q, sizeof sim.q), memcpy(sim.v, step.v, sizeof sim.v);
    sim.t = step.t;
    if (n == 999) assert_close(tool_at(&rig, sim.q).R.m, from.R.m, 9, 1e-9, "before");
  }
  const mbd_placement_t X = tool_at(&rig, sim.q);
  const mbd_vec3_t moved = mbdu_vec3_sub(X.p, from.p);
  const mbd_mat3_t back = mbdu_mat3_transpose(&from.R), turn = mbdu_mat3_mul(&X.R, &back);
  const mbd_vec3_t angle = turn_of(&turn);
  const double got[6] = {moved.x, moved.y, moved.z, angle.x, angle.y, angle.z};
  const double want[6] = {0.11, 0.22, -0.11, 0.22, -0.11, 0.33};
  // one step more or less
  assert_close(got, want, 6, 0.005, "moved");
  rig_free(&rig);
}

//---------- at single states ----------

// what u should be, by the test's own hand
static void
wanted_acceleration(
  rig_t * rig, const mbd_placement_t * target, const mbd_motion_t * twist, double * u)
{
  const controller_settings_t * s = rig->s;
  mbd_motion_t V;
  const mbd_placement_t X = tool_at(rig, rig->q);
  assert_ok(mbd_set_velocity(rig->c->model, rig->plant, rig->v));
  assert_ok(
    mbd_frame_velocity(rig->c->model, rig->plant, s->task_frame, MBD_LOCAL_WORLD_ALIGNED, &V));
  const mbd_mat3_t back = mbdu_mat3_transpose(&X.R), turn = mbdu_mat3_mul(&target->R, &back);
  const mbd_vec3_t p = mbdu_vec3_sub(target->p, X.p), r = turn_of(&turn);
  const mbd_vec3_t dp = mbdu_vec3_sub(twist->lin, V.lin), dr = mbdu_vec3_sub(twist->ang, V.ang);
  double e[6] = {p.x, p.y, p.z, r.x, r.y, r.z};
  const double de[6] = {dp.x, dp.y, dp.z, dr.x, dr.y, dr.z};
  for (int half = 0; half < 2; half++) {
    double size = 0;
    for (int k = 3 * half; k < 3 * half + 3; k++) size += s->task_row[k] ? e[k] * e[k] : 0;
    size = sqrt(size);
    for (int k = 3 * half; k < 3 * half + 3; k++) {
      if (size > s->task_max_error[half]) e[k] *= s->task_max_error[half] / size;
    }
  }
  for (int k = 0; k < 6; k++) u[k] = s->task_kp[k] * e[k] + s->task_kd[k] * de[k];
}

// motion under the whole command; the robot's own friction is off
static void
acceleration_under_command(rig_t * rig, double * qdd, mbd_motion_t * A)
{
  const mbd_model_t * model = rig->c->model;
  assert_ok(mbd_set_gravity(rig->plant, rig->s->gravity));
  assert_ok(mbd_forward_dynamics(model, rig->plant, rig->q, rig->v, rig->c->command, NULL, qdd));
  assert_ok(mbd_set_acceleration(model, rig->plant, qdd));
  assert_ok(
    mbd_frame_acceleration(model, rig->plant, rig->s->task_frame, MBD_LOCAL_WORLD_ALIGNED, A));
}

// take off what is along the rows of J that are controlled: Gram and Schmidt, twice over
static void
take_off_rows(const rig_t * rig, const double * J, double * x)
{
  double basis[6][7];
  int rows = 0;
  for (int k = 0; k < 6; k++) {
    if (!rig->s->task_row[k]) continue;
    double *b = basis[rows], size = 0, along = 0;
    memcpy(b, J + 7 * ((k + 3) % 6), 7 * sizeof *b);
    for (int pass = 0; pass < 2 * rows; pass++) {
      double dot = 0;
      for (int i = 0; i < 7; i++) dot += basis[pass % rows][i] * b[i];
      for (int i = 0; i < 7; i++) b[i] -= dot * basis[pass % rows][i];
    }
    for (int i = 0; i < 7; i++) size += b[i] * b[i];
    for (int i = 0; i < 7; i++) b[i] /= sqrt(size), along += b[i] * x[i];
    for (int i = 0; i < 7; i++) x[i] -= along * b[i];
    rows++;
  }
}

// M (a - a_posture) is J^T of some force on the rows: nothing else keeps the posture from its target
static void
check_posture(rig_t * rig, const double * qdd)
{
  double J[42], missing[7];
  for (int k = 0; k < 7; k++) {
    const double target =
      rig->s->posture_kp[k] * (RIG_POSE[k] - rig->q[k]) - rig->s->posture_kd[k] * rig->v[k];
    missing[k] = qdd[k] - target;
  }
  assert_ok(mbd_mass_product(rig->model, rig->plant, missing, missing));
  assert_ok(mbd_jacobian(rig->model, rig->plant, rig->s->task_frame, MBD_LOCAL_WORLD_ALIGNED, J));
  take_off_rows(rig, J, missing);
  for (int k = 0; k < 7; k++) assert_true(fabs(missing[k]) < 1e-6);
}

// any rows, any state, any posture: the rows that are controlled accelerate as the law says, and
// the rest as near to the posture's target as they leave it: what is missing is a force on the task
static void
rows_do_what_is_asked(void ** state)
{
  (void)state;
  uint64_t seed = 5;
  for (int n = 0; n < 200; n++) {
    rig_t rig;
    rig_arm(&rig);
    task_settings(&rig);
    rig.s->task_max_error[0] = 0.1, rig.s->task_max_error[1] = 0.5;
    for (int k = 0; k < 6; k++) rig.s->task_row[k] = n < 20 || random_below(&seed, 2);
    controller_apply(rig.c, rig.s);
    rig_step(&rig, 0, 0, NULL);
    mbd_placement_t target = tool_at(&rig, rig.q);
    for (int k = 0; k < 7; k++) {
      rig.q[k] += 0.3 * random_signed(&seed), rig.v[k] = random_signed(&seed);
    }
    if (n % 2) target.p = mbdu_vec3_add(target.p, random_vec3(&seed, 0.2));
    if (n % 3) target.R = turn_by(random_vec3(&seed, 1), 1 + random_signed(&seed));
    const mbd_motion_t twist = random_motion(&seed);
    rig.c->targets.pose = target, rig.c->targets.twist = twist;
    rig.c->targets.pose_known = n % 2 || n % 3;
    rig.c->targets.twist_known = true;
    rig_step(&rig, 0.01, 0, NULL);

    double u[6], qdd[7], a[6];
    mbd_motion_t A;
    wanted_acceleration(&rig, &target, &twist, u);
    acceleration_under_command(&rig, qdd, &A);
    mbdu_motion_to_linear_first(&A, a);
    for (int k = 0; k < 6; k++) {
      if (rig.s->task_row[k]) assert_true(fabs(a[k] - u[k]) < 1e-7 * (1 + fabs(u[k])));
    }
    assert_close(rig.c->acceleration, qdd, 7, 1e-8, "case %d", n);

    check_posture(&rig, qdd);
    rig_free(&rig);
  }
}

// the wanted wrench is in the command, in no term, whole, and for as long as it is young
static void
exerts_the_wanted_wrench(void ** state)
{
  (void)state;
  rig_t rig;
  double without[7], total[7], extra[7];
  rig_arm(&rig);
  task_settings(&rig);
  rig.s->task_row[2] = false;
  rig.s->target_timeout = 0.2;
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0, 0, NULL);
  memcpy(without, rig.c->command, sizeof without), memcpy(total, rig.c->total, sizeof total);
  const mbd_force_t f = {{1, -2, 0.5}, {10, 20, -30}};
  rig.c->targets.wrench = f, rig.c->targets.wrench_known = true;
  rig.c->targets.wrench_time = rig_ns(0.1);
  rig_step(&rig, 0.2, 0, NULL);
  assert_close(rig.c->total, total, 7, 1e-12, "total");
  for (int k = 0; k < 7; k++) extra[k] = rig.c->command[k] - without[k];
  // virtual work: what it does on any motion is what the wrench does on the frame's
  for (int k = 0; k < 7; k++) {
    mbd_motion_t V;
    double x[7] = {0};
    x[k] = 1;
    assert_ok(mbd_jacobian_product(
      rig.model, rig.c->data, rig.s->task_frame, MBD_LOCAL_WORLD_ALIGNED, x, &V));
    assert_true(fabs(extra[k] - mbdu_power(f, V)) < 1e-9);
  }
  rig_step(&rig, 0.31, 0, NULL);
  assert_close(rig.c->command, without, 7, 1e-9, "too old");
  rig_free(&rig);
}

// a twist that is too old counts as zero
static void
twists_age(void ** state)
{
  (void)state;
  rig_t rig;
  double still[7];
  rig_arm(&rig);
  task_settings(&rig);
  rig.s->target_timeout = 0.2;
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0, 0, NULL);
  memcpy(still, rig.c->command, sizeof still);
  rig.c->targets.twist = (mbd_motion_t){{0, 0, 1}, {1, 0, 0}};
  rig.c->targets.twist_known = true;
  rig.c->targets.twist_time = 0;
  rig_step(&rig, 0.19, 0, NULL);
  assert_true(fabs(rig.c->command[0] - still[0]) > 1);
  rig_step(&rig, 0.21, 0, NULL);
  assert_close(rig.c->command, still, 7, 1e-9, "too old");
  rig_free(&rig);
}

// a robot that is held fast is not left behind further than its error may be
static void
carried_no_further_than_it_follows(void ** state)
{
  (void)state;
  rig_t rig;
  double u[7];
  rig_arm(&rig);
  task_settings(&rig);
  rig.s->task_max_error[0] = 0.1, rig.s->task_max_error[1] = 0.5;
  controller_apply(rig.c, rig.s);
  rig.c->targets.twist = (mbd_motion_t){{0, 0, 0}, {0.2, 0, 0}};
  for (int n = 0; n < 1000; n++) {
    rig_step(&rig, 0.01 * n, 0.01, NULL);
    rig.c->targets.twist_known = true;
  }
  // the error without its cut shows where the frame is to be
  rig.c->targets.twist_known = false;
  rig.s->task_max_error[0] = 0;
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 10, 0.01, NULL);
  mbd_motion_t A;
  acceleration_under_command(&rig, u, &A);
  const double e = A.lin.x / rig.s->task_kp[0];
  assert_true(e > 0.1 - 1e-6 && e < 0.1 + 2 * 0.01 * 0.2);
  rig_free(&rig);
}

// targets of the past do not move the robot: after a restart, another mode, another frame
static void
old_targets_are_forgotten(void ** state)
{
  (void)state;
  for (int how = 0; how < 3; how++) {
    rig_t rig;
    rig_arm(&rig);
    task_settings(&rig);
    if (how == 1) rig.s->mode = MODE_GRAVITY_COMPENSATION;
    controller_apply(rig.c, rig.s);
    rig_step(&rig, 0, 0, NULL);
    rig.c->targets.pose = mbdu_placement_identity();
    rig.c->targets.wrench = (mbd_force_t){{1, 1, 1}, {1, 1, 1}};
    rig.c->targets.twist = (mbd_motion_t){{1, 1, 1}, {1, 1, 1}};
    rig.c->targets.pose_known = rig.c->targets.wrench_known = true;
    rig.c->targets.twist_known = rig.c->targets.gravity_known = true;
    rig.c->targets.gravity = rig.s->gravity;
    rig_step(&rig, 0.01, 0.01, NULL);
    if (how == 0) controller_restart(rig.c);
    if (how == 1) rig.s->mode = MODE_OPERATIONAL_SPACE;
    if (how == 2) rig.s->task_frame = rig_frame(&rig, "link5");
    if (how > 0) controller_apply(rig.c, rig.s);
    for (int n = 0; n < 2; n++) {
      rig_step(&rig, 0.02 + 0.01 * n, 0.01, NULL);
      // at rest where it is: gravity alone
      assert_close(rig.c->command, rig.c->gravity, 7, 1e-9, "case %d", how);
    }
    assert_true(rig.c->targets.gravity_known);
    rig_free(&rig);
  }
}

// a pose that is taken back is still where the frame holds; one that is not finite never was
static void
last_pose_is_held(void ** state)
{
  (void)state;
  rig_t rig;
  double there[7];
  rig_arm(&rig);
  task_settings(&rig);
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0, 0, NULL);
  rig.c->targets.pose = tool_at(&rig, rig.q);
  rig.c->targets.pose.p.x += 0.05;
  rig.c->targets.pose_known = true;
  rig_step(&rig, 0.01, 0.01, NULL);
  memcpy(there, rig.c->command, sizeof there);
  rig.c->targets.pose.p.y = HUGE_VAL;
  assert_int_equal(rig_try(&rig, 0.02, 0.01, NULL), MBD_ERROR_NOT_FINITE);
  rig.c->targets.pose_known = false;
  rig_step(&rig, 0.03, 0.01, NULL);
  assert_close(rig.c->command, there, 7, 1e-12, "held");
  assert_true(fabs(there[0] - rig.c->gravity[0]) > 0.1);
  rig_free(&rig);
}

// without a frame or without rows everything is posture
static void
no_task_is_posture(void ** state)
{
  (void)state;
  for (int how = 0; how < 2; how++) {
    rig_t rig;
    rig_arm(&rig);
    task_settings(&rig);
    if (how == 0) rig.s->task_frame = -1;
    for (int k = 0; how == 1 && k < 6; k++) rig.s->task_row[k] = false;
    controller_apply(rig.c, rig.s);
    rig.c->targets.wrench_known = how == 0;
    rig.c->targets.wrench.lin.x = 5;
    rig_step(&rig, 0, 0, NULL);
    for (int k = 0; k < 7; k++) rig.q[k] += 0.1, rig.v[k] = 0.2;
    rig_step(&rig, 0.01, 0.01, NULL);
    for (int k = 0; k < 7; k++) {
      const double want = -0.1 * rig.s->posture_kp[k] - 0.2 * rig.s->posture_kd[k];
      assert_true(fabs(rig.c->acceleration[k] - want) < 1e-9);
    }
    assert_close(rig.c->command, rig.c->total, 7, 1e-12, "no wrench");
    rig_free(&rig);
  }
}

// stretched out it cannot move in every direction: refused, or finite, as the settings say
static void
singular_as_asked(void ** state)
{
  (void)state;
  for (int policy = MBD_SINGULAR_TRUNCATE; policy <= MBD_SINGULAR_REFUSE; policy++) {
    rig_t rig;
    rig_arm(&rig);
    task_settings(&rig);
    memset(rig.q, 0, 7 * sizeof(double));
    rig.s->singular = (mbd_singular_t){(mbd_singular_policy_t)policy, 1e-6, 0.1};
    controller_apply(rig.c, rig.s);
    const mbd_status_t status = rig_try(&rig, 0, 0, NULL);
    assert_int_equal(status, policy == MBD_SINGULAR_REFUSE ? MBD_ERROR_SINGULAR : MBD_OK);
    for (int k = 0; status == MBD_OK && k < 7; k++) assert_true(fabs(rig.c->command[k]) < 100);
    rig_free(&rig);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(follows_a_line),
    cmocka_unit_test(turns_about_an_axis),
    cmocka_unit_test(holds_and_is_carried_along),
    cmocka_unit_test(rows_do_what_is_asked),
    cmocka_unit_test(carried_no_further_than_it_follows),
    cmocka_unit_test(exerts_the_wanted_wrench),
    cmocka_unit_test(twists_age),
    cmocka_unit_test(old_targets_are_forgotten),
    cmocka_unit_test(last_pose_is_held),
    cmocka_unit_test(no_task_is_posture),
    cmocka_unit_test(singular_as_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
