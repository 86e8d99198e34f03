// Simulation of loops: random graphs in two layouts, embedded and by cut joints; Jacobian.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loops.h"
#include "mbdyn/constraints.h"
#include "mbdyn/simulate.h"

static mbd_simulation_options_t
tight(double tolerance)
{
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.rtol = options.ode.atol = tolerance;
  return options;
}

//---------- random graphs ----------

// accelerations and multipliers of info by forward dynamics with cut joints; false if they lock by these
static bool
same_as_cut_joints(const mbd_model_t * m, const mbd_simulation_info_t * info, uint32_t terms)
{
  mbd_data_t * data;
  mat_t qdd = mat(m->nv, 1), lambda = mat(m->nrow + 1, 1);
  double * work = malloc(mbd_constrained_work(m) * sizeof *work);
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.t = info->t;
  assert_ok(mbd_data_create(m, &data));
  assert_ok(mbd_set_terms(data, terms));
  const bool solved =
    mbd_constrained_forward_dynamics(
      m, data, info->q, info->v, info->tau, NULL, &options, work, qdd.a, lambda.a, NULL) == MBD_OK;
  if (solved) {
    assert_close_(
      info->qdd, qdd.a, (size_t)m->nv, 1e-9, 1, __FILE__, __LINE__, "acceleration by cut joints");
    assert_close_(
      info->lambda, lambda.a, (size_t)m->nrow, 1e-8, 1, __FILE__, __LINE__, "multipliers");
  }
  mbd_data_destroy(data);
  free(work);
  return solved;
}

static void
loops_stay_closed_and_agree_with_embedding(void ** state)
{
  (void)state;
  tally_t cases = {0};
  int cut = 0, embedded_too = 0;
  double error[3] = {0, 0, 0};
  FOR_SEEDS(TREES)
  {
    tree_options_t options = small_trees();
    closed_t c = closed_tree(seed, &options, 1 + (int)(seed % 2), 0);
    const mbd_model_t * m = c.tree;
    mbd_simulation_options_t sim_options = tight(1e-8);
    mbd_simulation_t * sim = NULL;
    const mbd_status_t made = mbd_simulation_create(m, &sim_options, &sim);
    bool use = made == MBD_OK && embed(&c, NULL, 0);
    const uint32_t terms = seed % 3 == 0 ? MBD_TERM_FRICTION | MBD_TERM_ROTORS : 0;
    if (use) {
      assert_ok(mbd_set_terms(mbd_simulation_data(sim), terms));
      assert_ok(mbd_set_terms(c.data, terms));
    }
    if (made != MBD_OK) assert_int_equal(made, MBD_ERROR_BAD_JOINT);
    mbd_assembly_t assembly;
    use = use && mbd_simulation_start(sim, 0, c.t->q, c.t->v, &assembly) == MBD_OK;
    // some robots of small inertia move too fast, or to where their loops lock
    use = use && mbd_simulation_info(sim)->energy < 1e4;
    mbd_status_t status = MBD_OK;
    for (int k = 0; use && k < 200 && mbd_simulation_info(sim)->t < 0.05 && status == MBD_OK; k++) {
      status = mbd_simulation_step(sim, 0.05);
    }
    if (tally(&cases, use && status == MBD_OK)) {
      const mbd_simulation_info_t * info = mbd_simulation_info(sim);
      error[0] = larger(error[0], info->error_position);
      // relative to the velocities and accelerations that cancel in them
      const mat_t v = column(m->nv, info->v), a = column(m->nv, info->qdd);
      double speed = 1, acceleration = 1;
      for (int k = 0; k < m->nv; k++) {
        speed += fabs(v.a[k]), acceleration += fabs(a.a[k]) + v.a[k] * v.a[k];
      }
      error[1] = larger(error[1], info->error_velocity / speed);
      error[2] = larger(error[2], info->error_acceleration / acceleration);
      // the same accelerations by the embedded model
      mat_t v_own = mat(c.model->nv, 1), qdd = mat(c.model->nv, 1), want = mat(c.model->nv, 1);
      for (int k = 0; k < c.model->nv; k++) {
        v_own.a[k] = info->v[c.model->dof_tree[k]];
        want.a[k] = info->qdd[c.model->dof_tree[k]];
      }
      const mbd_status_t embedded =
        mbd_forward_dynamics(c.model, c.data, info->q, v_own.a, NULL, NULL, qdd.a);
      // the choice of independent joints may be singular here: the chart's is not
      if (embedded == MBD_OK) {
        assert_close(qdd.a, want.a, c.model->nv, 1e-9, "acceleration, seed %d", (int)seed);
        embedded_too++;
      }
      cut += same_as_cut_joints(m, info, terms);
    }
    mbd_simulation_destroy(sim);
    closed_free(&c);
  }
  print_message(
    "%d robots: errors %.1e, %.1e, %.1e; %d embedded, %d by cut joints; %d left out\n",
    cases.compared, error[0], error[1], error[2], embedded_too, cut, cases.skipped);
  assert_true(error[0] < 1e-12 && error[1] < 1e-12 && error[2] < 1e-10);
  assert_enough(&cases, 0.3);
}

// a chain of bodies on random joints and rods from its links to the world; with every joint a closure
typedef struct graph {
  mbd_model_t * model;
  int n;
  double q[64], v[64];
} graph_t;

static const struct {
  mbd_joint_type_t joint;
  mbd_closure_type_t closure;
} KIND[] = {
  {MBD_JOINT_CONTINUOUS, MBD_CLOSURE_REVOLUTE},     {MBD_JOINT_SPHERICAL, MBD_CLOSURE_SPHERICAL},
  {MBD_JOINT_CYLINDRICAL, MBD_CLOSURE_CYLINDRICAL}, {MBD_JOINT_PLANAR, MBD_CLOSURE_PLANAR},
  {MBD_JOINT_PRISMATIC, MBD_CLOSURE_PRISMATIC},     {MBD_JOINT_UNIVERSAL, MBD_CLOSURE_UNIVERSAL}};

static graph_t
random_graph(uint64_t seed, const graph_t * tree, double longer)
{
  uint64_t state = seed;
  graph_t g = {.n = 2 + random_below(&state, 3)};
  int frame[8], parent = MBD_WORLD_BODY;
  assert_ok(mbd_model_create("graph", &g.model));
  for (int k = 0; k < g.n; k++) {
    const char name[2] = {(char)('a' + k), 0};
    const int kind = random_below(&state, 6);
    mbd_body_spec_t spec = mbd_body_spec_default();
    mbd_closure_spec_t joint = mbd_closure_spec_default();
    spec.name = spec.joint_name = joint.name = name;
    spec.axis = mbdu_vec3(0, 0, 1);
    spec.inertia = random_inertia(&state);
    const mbd_placement_t at = random_placement(&state);
    spec.type = tree ? MBD_JOINT_FREE : KIND[kind].joint;
    if (!tree) {
      spec.parent = parent;
      spec.placement = at;
    }
    assert_ok(mbd_model_add_body(g.model, &spec, &frame[k]));
    if (tree) {
      joint.type = KIND[kind].closure;
      joint.frame_a = k == 0 ? MBD_WORLD_BODY : frame[k - 1];
      joint.frame_b = frame[k];
      joint.X_a = at;
      joint.X_b = mbdu_placement_identity();
      assert_ok(mbd_model_add_closure(g.model, &joint, NULL));
    }
    parent = frame[k];
  }
  // a rod from the last link to the world
  mbd_closure_spec_t rod = mbd_closure_spec_default();
  rod.name = "rod";
  rod.type = MBD_CLOSURE_DISTANCE;
  rod.frame_a = MBD_WORLD_BODY;
  rod.frame_b = frame[g.n - 1];
  rod.X_a = random_placement(&state);
  rod.X_b = random_placement(&state);
  rod.distance = 1 + 0.5 * random_signed(&state) + longer;
  assert_ok(mbd_model_add_closure(g.model, &rod, NULL));
  assert_ok(mbd_model_finalize(g.model));
  return g;
}

// poses and velocities of all links, by name: 13 numbers each
static void
motions(const graph_t * g, mbd_data_t * data, double * out)
{
  for (int k = 0; k < g->n; k++) {
    const char name[2] = {(char)('a' + k), 0};
    int frame;
    mbd_placement_t X;
    mbd_motion_t V;
    assert_ok(mbd_find_frame(g->model, name, &frame));
    assert_ok(mbd_frame_placement(g->model, data, frame, &X));
    assert_ok(mbd_frame_velocity(g->model, data, frame, MBD_LOCAL, &V));
    memcpy(out + 18 * k, X.R.m, sizeof X.R.m);
    memcpy(out + 18 * k + 9, &X.p, sizeof X.p);
    memcpy(out + 18 * k + 12, &V, sizeof V);
  }
}

// the same state with free joints
static void
to_free(const graph_t * g, const double * motion, graph_t * cartesian)
{
  for (int k = 0; k < g->n; k++) {
    const char name[2] = {(char)('a' + k), 0};
    int i;
    assert_ok(mbd_find_joint(cartesian->model, name, &i));
    const mbd_body_t * b = &cartesian->model->body[i];
    const double * x = motion + 18 * k;
    mbd_mat3_t R;
    memcpy(R.m, x, sizeof R.m);
    const mbd_quat_t p = mbdu_quat_from_mat3(&R);
    const double q[7] = {x[9], x[10], x[11], p.x, p.y, p.z, p.w};
    const double v[6] = {x[15], x[16], x[17], x[12], x[13], x[14]};
    memcpy(cartesian->q + b->q_index, q, sizeof q);
    memcpy(cartesian->v + b->v_index, v, sizeof v);
  }
}

// accelerations of all links at the state of info, in axes of the world
static void
accelerations(const graph_t * g, const mbd_simulation_info_t * info, double * out)
{
  mbd_data_t * data;
  double tau[64];
  assert_ok(mbd_data_create(g->model, &data));
  assert_ok(mbd_inverse_dynamics(g->model, data, info->q, info->v, info->qdd, NULL, tau));
  for (int k = 0; k < g->n; k++) {
    const char name[2] = {(char)('a' + k), 0};
    int frame;
    mbd_motion_t A;
    assert_ok(mbd_find_frame(g->model, name, &frame));
    assert_ok(mbd_frame_acceleration(g->model, data, frame, MBD_LOCAL_WORLD_ALIGNED, &A));
    memcpy(out + 6 * k, &A, sizeof A);
  }
  mbd_data_destroy(data);
}

// accelerations of all joints by the embedded model; false where its independent joints are singular
static bool
same_as_embedded(mbd_model_t * tree, const mbd_simulation_info_t * info, int seed)
{
  mbd_embed_options_t options = mbd_embed_options_default();
  mbd_model_t * model;
  mbd_data_t * data;
  double v[64], qdd[64], all[64];
  options.q = info->q;
  if (mbd_model_embed(tree, &options, &model) != MBD_OK) return false;
  assert_ok(mbd_data_create(model, &data));
  for (int k = 0; k < model->nv; k++) v[k] = info->v[model->dof_tree[k]];
  const bool solved = mbd_forward_dynamics(model, data, info->q, v, NULL, NULL, qdd) == MBD_OK;
  if (solved) {
    assert_ok(mbd_tree_acceleration(model, data, qdd, all));
    assert_close(all, info->qdd, tree->nv, 1e-9, "embedded, seed %d", seed);
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  return solved;
}

static void
start_graph(graph_t * g, uint64_t seed)
{
  assert_ok(mbd_random_configuration(g->model, seed, g->q));
  uint64_t random = seed + 9;
  for (int k = 0; k < g->model->nv; k++) g->v[k] = random_signed(&random);
}

// what the rod must be longer by to reach from the last link to the world: two of 200 graphs cannot be closed with
// theirs
static double
reaching_rod(uint64_t seed)
{
  double longer = 0, gap = 0;
  for (int k = 0; k < 3; k++) {
    longer = (const double[]){0, 1.2, -1.2}[k] * gap;
    graph_t g = random_graph(seed, NULL, longer);
    mbd_simulation_t * sim;
    mbd_assembly_t assembly;
    start_graph(&g, seed);
    assert_ok(mbd_simulation_create(g.model, NULL, &sim));
    const mbd_status_t status = mbd_simulation_start(sim, 0, g.q, g.v, &assembly);
    if (k == 0 && status != MBD_OK) gap = assembly.error_position;
    mbd_simulation_destroy(sim);
    mbd_model_destroy(g.model);
    if (status == MBD_OK) break;
    assert_int_equal(status, MBD_ERROR_NOT_ASSEMBLED);
  }
  return longer;
}

static void
two_layouts_agree(void ** state)
{
  (void)state;
  tally_t cases = {0};
  double worst = 0, longest = 0;
  int started = 0, three = 0;
  FOR_SEEDS(TREES)
  {
    const double longer = reaching_rod(seed);
    longest = larger(longest, fabs(longer));
    graph_t tree = random_graph(seed, NULL, longer);
    graph_t free_bodies = random_graph(seed, &tree, longer);
    const mbd_simulation_options_t options = tight(1e-11);
    mbd_simulation_t *one, *two;
    assert_ok(mbd_simulation_create(tree.model, &options, &one));
    assert_ok(mbd_simulation_create(free_bodies.model, &options, &two));
    start_graph(&tree, seed);
    double a[128], b[128];
    bool use = mbd_simulation_start(one, 0, tree.q, tree.v, NULL) == MBD_OK;
    if (use) {
      motions(&tree, mbd_simulation_data(one), a);
      to_free(&tree, a, &free_bodies);
      assert_ok(mbd_simulation_start(two, 0, free_bodies.q, free_bodies.v, NULL));
      assert_int_equal(mbd_simulation_info(one)->n, mbd_simulation_info(two)->n);
      motions(&free_bodies, mbd_simulation_data(two), b);
      assert_close(a, b, 18 * tree.n, 1e-9, "start, seed %d", (int)seed);
      accelerations(&tree, mbd_simulation_info(one), a);
      accelerations(&free_bodies, mbd_simulation_info(two), b);
      assert_close(a, b, 6 * tree.n, 1e-9, "accelerations, seed %d", (int)seed);
      started++;
      three += same_as_embedded(tree.model, mbd_simulation_info(one), (int)seed);
      // what runs into a singular configuration, or very fast, cannot be compared
      mbd_status_t status = MBD_OK;
      for (int k = 0; k < 3000 && mbd_simulation_info(one)->t < 0.3 && status == MBD_OK; k++) {
        status = mbd_simulation_step(one, 0.3);
      }
      use = status == MBD_OK && mbd_simulation_info(one)->t == 0.3;
    }
    if (tally(&cases, use)) {
      assert_ok(mbd_simulation_run(two, 0.3));
      motions(&tree, mbd_simulation_data(one), a);
      motions(&free_bodies, mbd_simulation_data(two), b);
      assert_close(a, b, 18 * tree.n, 1e-8, "end, seed %d", (int)seed);
      const mbd_simulation_info_t * i = mbd_simulation_info(one);
      const double scale = 1 + fabs(i->energy) + fabs(i->energy_start);
      worst = larger(worst, fabs(i->energy - i->energy_start - i->work) / scale);
      assert_true(i->error_position < 1e-12);
    }
    mbd_simulation_destroy(one), mbd_simulation_destroy(two);
    mbd_model_destroy(tree.model), mbd_model_destroy(free_bodies.model);
  }
  print_message(
    "%d graphs at the start, %d embedded too; %d in time, energy %.1e; %d left out; rods longer by "
    "up to %.2f m\n",
    started, three, cases.compared, worst, cases.skipped, longest);
  assert_true(worst < 1e-8);
  // all of them
  assert_count(started, TREES);
  assert_count(three, TREES);
  assert_count(cases.compared, TREES);
}

//---------- Jacobian ----------

static mbd_status_t
spring_input(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)ctx, (void)t, (void)q;
  for (int k = 0; k < data->model->nv; k++) tau[k] = -3 * v[k] + sin(2 * v[k]);
  return MBD_OK;
}

static void
jacobian_is_the_derivative(void ** state)
{
  (void)state;
  tally_t cases = {0};
  FOR_SEEDS(100)
  {
    graph_t g = random_graph(seed, NULL, 0);
    mbd_simulation_t * sim;
    assert_ok(mbd_simulation_create(g.model, NULL, &sim));
    assert_ok(mbd_simulation_set_input(sim, spring_input, NULL));
    assert_ok(mbd_random_configuration(g.model, seed, g.q));
    uint64_t random = seed + 9;
    for (int k = 0; k < g.model->nv; k++) g.v[k] = random_signed(&random);
    // external wrenches as in forward dynamics
    const mbd_wrench_t list[2] = {
      {0, MBD_LOCAL_WORLD_ALIGNED, random_force(&random)}, {1, MBD_LOCAL, random_force(&random)}};
    const mbd_wrenches_t wrenches = {seed % 2 ? 2 : 0, list};
    assert_ok(mbd_simulation_set_wrenches(sim, &wrenches));
    const bool use = mbd_simulation_start(sim, 0, g.q, g.v, NULL) == MBD_OK;
    if (tally(&cases, use)) {
      const mbd_simulation_info_t * info = mbd_simulation_info(sim);
      const int n = info->n;
      mat_t dx = mat(n, n), dxd = mat(n, n), want[2] = {mat(n, n), mat(n, n)};
      assert_ok(mbd_simulation_jacobian(sim, dx.a, dxd.a));
      // a chart of the same state has the same bases
      const size_t size = mbd_chart_size(g.model);
      mbd_chart_t * chart;
      mbd_data_t * data;
      double x[64], xd[64], q[64], v[64], tau[64], qdd[64], xdd[2][64];
      double * work = malloc(mbd_constrained_work(g.model) * sizeof *work);
      assert_ok(mbd_chart_init(g.model, 0, malloc(size), size, &chart));
      assert_ok(mbd_data_create(g.model, &data));
      assert_ok(mbd_chart_set(chart, data, 0, info->q, info->v, x, xd));
      const double h = 1e-5;
      for (int j = 0; j < 2 * n; j++) {
        double * moved = j < n ? &x[j] : &xd[j - n];
        const double centre = *moved;
        for (int side = 0; side < 2; side++) {
          *moved = centre + (side ? h : -h);
          memset(tau, 0, sizeof tau);
          assert_ok(mbd_chart_state(chart, data, 0, x, xd, q, v));
          assert_ok(spring_input(NULL, data, 0, q, v, tau));
          assert_ok(mbd_constrained_forward_dynamics(
            g.model, data, NULL, NULL, tau, &wrenches, NULL, work, qdd, NULL, NULL));
          assert_ok(mbd_chart_acceleration(chart, qdd, xdd[side]));
        }
        *moved = centre;
        for (int i = 0; i < n; i++) {
          *at(want[j / n], i, j % n) = (xdd[1][i] - xdd[0][i]) / (2 * h);
        }
      }
      assert_close(dx.a, want[0].a, n * n, 1e-4, "d/dx, seed %d", (int)seed);
      assert_close(dxd.a, want[1].a, n * n, 1e-4, "d/dx', seed %d", (int)seed);
      free(chart), free(work);
      mbd_data_destroy(data);
    }
    mats_free();
    mbd_simulation_destroy(sim);
    mbd_model_destroy(g.model);
  }
  assert_enough(&cases, 0.5);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(loops_stay_closed_and_agree_with_embedding),
    cmocka_unit_test(two_layouts_agree),
    cmocka_unit_test(jacobian_is_the_derivative),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
