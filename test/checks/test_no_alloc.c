// No function allocates, frees or reallocates once a workspace is laid out: malloc is interposed,
// every public function of the core is called, and the list of calls is held against `nm`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/operators.h"
#include "quiet_calls.h"

static outputs_t
make_outputs(const mbd_model_t * m)
{
  const size_t nv = (size_t)m->nv, parameters = 10 * (size_t)m->nbody + 3 * nv;
  const mbd_task_t whole[2] = {mbdu_task_frame(0, MBD_LOCAL), mbdu_task_position(0, MBD_LOCAL)};
  const mbd_tasks_t tasks = {2, whole};
  outputs_t r = {
    calloc((size_t)m->nq, 8),
    calloc(nv, 8),
    calloc(nv * nv, 8),
    calloc(9 * nv, 8),
    calloc(nv * parameters, 8),
    calloc(parameters, 8),
    calloc(mbd_task_work(m, &tasks) + 2 * nv * nv, 8)};
  return r;
}

static void
call_everything(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  call_batch(t, d, r);
  call_sko();
  call_stages(t, d, r);
  call_sums(t, d);
  for (int frame = 0; frame < t->model->nframe; frame++) {
    call_stages(t, d, r);
    call_frames(t, d, r, frame);
  }
  call_configuration(t, d, r);
  call_stages(t, d, r);
  call_factors(t, d, r);
  call_operators(t, d, r);
  call_responses(t, d, r);
  call_hybrid(t, d, r);
  call_derivatives(t, d, r);
  call_free_flyer(t, d, r);
  call_graph(t, d, r);
  call_divide(t, d, r);
  call_gears(t, r);
  if (!embedded) call_flexible(t, r);
  call_diagonal(t, d, r);
  call_tasks(t, d, r);
  call_momentum(t, d, r);
  call_regressors(t, d, r);
  call_observer(t, d);
}

// a base and two links; another link as base, and motion that the base does not feel
static void
free_flyers_allocate_nothing(void ** state)
{
  (void)state;
  uint64_t random = 3;
  mbd_model_t * m;
  int frame = MBD_WORLD_BODY;
  assert_int_equal(mbd_model_create("flyer", &m), MBD_OK);
  for (int k = 0; k < 3; k++) {
    const char name[2] = {(char)('a' + k), 0};
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = spec.joint_name = name;
    spec.parent = frame;
    spec.type = k == 0 ? MBD_JOINT_FREE : MBD_JOINT_SPHERICAL;
    spec.inertia = random_inertia(&random);
    spec.placement = random_placement(&random);
    assert_int_equal(mbd_model_add_body(m, &spec, &frame), MBD_OK);
  }
  assert_int_equal(mbd_model_finalize(m), MBD_OK);
  mbd_data_t * d;
  mbd_reroot_t * reroot;
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  assert_int_equal(mbd_reroot_create(m, frame, &reroot), MBD_OK);
  double q[15], v[12] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, q2[15], v2[12], a2[12], B[72];
  double * work = malloc(mbd_zero_reaction_work(m) * sizeof *work);
  mbd_momentum_integrals_t integrals;
  assert_int_equal(mbd_random_configuration(m, 1, q), MBD_OK);
  assert_int_equal(mbd_set_state(m, d, q, v), MBD_OK);
  QUIET(mbd_reroot_motion(reroot, MBD_REROOT_TO_NEW, q, v, v, q2, v2, a2));
  QUIET(mbd_reroot_torque(reroot, MBD_REROOT_TO_NEW, q, v, v2));
  QUIET(mbd_momentum_integrals(m, d, 0, 1, &integrals));
  QUIET(mbd_coupling_inertia(m, d, 0, MBD_HOLD_POSE, B));
  QUIET_VALUE(mbd_zero_reaction_work(m));
  QUIET(mbd_zero_reaction_velocity(m, d, 0, MBD_HOLD_POSE, v, work, v2, NULL));
  QUIET(mbd_zero_reaction_acceleration(m, d, 0, MBD_HOLD_ATTITUDE, v, work, v2, NULL));
  free(work);
  mbd_support_t support[2] = {mbd_support_default(), mbd_support_default()};
  mbd_support_info_t info;
  mbd_vec3_t point;
  support[0].frame = 0;
  support[1].frame = frame;
  support[1].x[1] = support[1].y[1] = 0.1;
  work = malloc(mbd_support_work(m, 2) * sizeof *work);
  QUIET_VALUE(mbd_support_default().radius);
  QUIET_VALUE(mbd_support_work(m, 2));
  QUIET_VALUE(mbd_support_points(support + 1));
  QUIET(mbd_support_point(m, d, support + 1, 3, &point));
  QUIET(mbd_support_torques(m, d, 0, v2, v, 2, support, work, v2, a2, &info));
  free(work);
  mbd_reroot_destroy(reroot);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

static void
nothing_allocates(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    tree_t * t = random_tree(seed, NULL);
    const size_t size = mbd_data_size(t->model);
    outputs_t r = make_outputs(t->model);
    void * memory = malloc(size);
    mbd_data_t * d;
    QUIET_VALUE(mbd_data_size(t->model));
    QUIET(mbd_data_init(t->model, memory, size, &d));
    call_everything(t, d, &r);
    free(memory), free(r.q), free(r.v), free(r.M), free(r.J), free(r.Y), free(r.theta);
    free(r.work);
    tree_free(t);
  }
}

//---------- serial chains ----------

static void
chains_allocate_nothing(void ** state)
{
  (void)state;
  mbd_dh_row_t row[2] = {mbd_dh_row_default(), mbd_dh_row_default()};
  row[1].type = MBD_JOINT_PRISMATIC, row[0].a = row[1].alpha = 1;
  row[0].inertia = row[1].inertia = (mbd_inertia_t){1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
  mbd_dh_t table = {
    .n = 2, .row = row, .base = mbdu_placement_identity(), .tool = mbdu_placement_identity()};
  mbd_model_t * model;
  mbd_noc_t * noc;
  assert_int_equal(mbd_dh_to_model(&table, &model, NULL), MBD_OK);
  assert_int_equal(mbd_noc_create(&table, &noc), MBD_OK);
  const double q[2] = {0.1, 0.2}, v[2] = {0.3, 0.4};
  const mbd_dissipation_t friction[2] = {{.coulomb = 1}, {.viscous = 1}};
  double x[2], A[144];
  mbd_force_t f = {{1, 2, 3}, {4, 5, 6}};
  QUIET(mbd_noc_inverse_dynamics(noc, q, v, v, &f, x));
  QUIET(mbd_noc_joint_wrench(noc, 1, &f));
  QUIET(mbd_noc_forward_dynamics(noc, q, v, x, &f, x));
  QUIET(mbd_noc_forward_dynamics_orthogonal(noc, q, v, x, &f, x));
  QUIET(mbd_noc_mass_matrix(noc, q, A));
  QUIET(mbd_noc_complement(noc, q, A));
  QUIET(mbd_noc_complement_rate(noc, q, v, A));
  QUIET(mbd_noc_constraint_matrix(noc, q, A));
  QUIET(mbd_noc_coriolis_matrix(noc, q, v, A));
  QUIET(mbd_noc_mass_rate(noc, q, v, A));
  QUIET_VALUE(mbd_noc_dof(noc));
  QUIET_VALUE(mbd_dh_row_transform(row, MBD_DH_STANDARD, 1).p.x);
  QUIET(mbd_dh_convert(&table, MBD_DH_MODIFIED));
  QUIET(mbd_dh_from_model(model, NULL, 2, &table, NULL));
  QUIET(mbd_dissipation_force(2, friction, v, x));
  QUIET(mbd_rayleigh_function(2, friction, v, x));
  QUIET(mbd_dissipation_power(2, friction, v, x));
  mbd_noc_destroy(noc);
  mbd_model_destroy(model);
}

static void
inverse_kinematics_allocates_nothing(void ** state)
{
  (void)state;
  call_ik();
}

static void
manipulators_allocate_nothing(void ** state)
{
  (void)state;
  call_manipulators();
}

//---------- loops ----------

// a two-link arm whose tip is held to the world, and whose second joint follows the first
static mbd_model_t *
closed_arm(void)
{
  mbd_model_t * m;
  assert_int_equal(mbd_model_create("closed", &m), MBD_OK);
  mbd_body_spec_t link = mbd_body_spec_default();
  link.type = MBD_JOINT_REVOLUTE;
  link.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  static const char * const names[3] = {"one", "two", "three"};
  static const char * const joints[3] = {"j1", "j2", "j3"};
  for (int k = 0; k < 3; k++) {
    link.name = names[k], link.joint_name = joints[k];
    assert_int_equal(mbd_model_add_body(m, &link, &link.parent), MBD_OK);
    link.placement.p.x = 1;
  }
  mbd_closure_spec_t loop = mbd_closure_spec_default();
  loop.name = "slot", loop.type = MBD_CLOSURE_ON_PLANE, loop.frame_b = link.parent;
  assert_int_equal(mbd_model_add_closure(m, &loop, NULL), MBD_OK);
  loop.name = "gear", loop.type = MBD_CLOSURE_COUPLING, loop.ncoupled = 2;
  loop.joint[0] = "j1", loop.joint[1] = "j2", loop.coefficient[0] = 1, loop.coefficient[1] = 1;
  assert_int_equal(mbd_model_add_closure(m, &loop, NULL), MBD_OK);
  assert_int_equal(mbd_model_finalize(m), MBD_OK);
  return m;
}

static void
call_constrained(const mbd_model_t * m, mbd_data_t * d, const double * q, const double * v)
{
  double x[3], l[8];
  mbd_force_t f;
  QUIET_VALUE(mbd_constrained_work(m));
  double * w = calloc(mbd_constrained_work(m), sizeof *w);
  QUIET(mbd_constrained_forward_dynamics(m, d, q, v, NULL, NULL, NULL, w, x, l, NULL));
  QUIET(mbd_constrained_inverse_dynamics(m, d, q, v, x, NULL, NULL, NULL, NULL, w, x, l, NULL));
  QUIET(mbd_constrained_response(m, d, x, NULL, w, x));
  QUIET(mbd_move_squeeze(m, d, x, NULL, NULL, w, x, NULL));
  QUIET(mbd_closing_impulse(m, d, v, NULL, NULL, w, x, l, NULL));
  QUIET(mbd_closure_torque(m, d, l, x));
  QUIET(mbd_closure_wrench(m, d, 0, l, &f));
  free(w);
  mbd_contact_t contact = mbd_contact_default();
  contact.frame_b = 0;
  QUIET_VALUE(mbd_contact_work(m, 1));
  w = calloc(mbd_contact_work(m, 1), sizeof *w);
  QUIET(mbd_set_position(m, d, q));
  QUIET(mbd_set_velocity(m, d, v));
  QUIET(mbd_contact_step(m, d, NULL, NULL, 1e-3, 1, &contact, NULL, w, x, NULL, l, NULL));
  QUIET(mbd_contact_acceleration(m, d, NULL, NULL, 1, &contact, NULL, w, x, NULL, l, NULL));
  free(w);
  const double dry[3] = {1, 2, 3}, viscous[3] = {1, 0, 1};
  double load[1] = {0};
  bool sticks[3] = {0};
  const mbd_joint_friction_t friction = {m->tree ? m->tree->nv : m->nv, dry, viscous, NULL};
  QUIET_VALUE(mbd_friction_step_work(m, 1));
  w = calloc(mbd_friction_step_work(m, 1), sizeof *w);
  QUIET(
    mbd_friction_step(m, d, NULL, NULL, 1e-3, 1, &contact, &friction, NULL, w, x, NULL, l, NULL));
  free(w);
  QUIET_VALUE(mbd_bearing_friction_default().tolerance);
  mbd_bearing_friction_t bearings = mbd_bearing_friction_default();
  bearings.load = load, bearings.sticks = sticks;
  QUIET_VALUE(mbd_bearing_step_work(m, 1, 0));
  w = calloc(mbd_bearing_step_work(m, 1, 0), sizeof *w);
  QUIET(mbd_bearing_step(
    m, d, NULL, NULL, 1e-3, 1, &contact, &friction, &bearings, NULL, w, x, NULL, l, NULL));
  free(w);
}

// the same arm with an element of every type: functions that elements change
static void
elements_allocate_nothing(void ** state)
{
  (void)state;
  mbd_model_t * m;
  mbd_data_t * d;
  mbd_body_spec_t link = mbd_body_spec_default();
  assert_int_equal(mbd_model_create("elements", &m), MBD_OK);
  link.type = MBD_JOINT_REVOLUTE;
  link.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  static const char * const names[3] = {"one", "two", "three"};
  for (int k = 0; k < 3; k++) {
    link.name = link.joint_name = names[k];
    assert_int_equal(mbd_model_add_body(m, &link, &link.parent), MBD_OK);
    link.placement.p.x = 1;
  }
  mbd_element_spec_t e = mbd_element_spec_default();
  e.stiffness = 3, e.damping = 1, e.rest = 0.2, e.stiffness6[0] = 1, e.frame_a = 0, e.frame_b = 2;
  for (int k = 0; k < MBD_ELEMENT_TYPES; k++) {
    e.name = mbd_element_type_name((mbd_element_type_t)k);
    e.type = (mbd_element_type_t)k, e.joint = "two";
    assert_int_equal(mbd_model_add_element(m, &e, NULL), MBD_OK);
  }
  assert_int_equal(mbd_model_finalize(m), MBD_OK);
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  double q[3] = {0.3, -0.3, 0.1}, v[3] = {1, 2, 3}, x[3], y[9], z[9], w[9], energy;
  double * work = calloc(mbd_derivatives_work(m), sizeof *work);
  bool active[3] = {true, false, true};
  mbd_energy_rates_t rates;
  mbd_element_state_t at;
  mbd_force_t f;
  int index;
  QUIET(mbd_set_terms(d, MBD_TERM_ELEMENTS));
  QUIET(mbd_set_time(m, d, 1));
  QUIET(mbd_inverse_dynamics(m, d, q, v, v, NULL, x));
  QUIET(mbd_joint_force(m, d, 1, &f));
  QUIET(mbd_forward_dynamics(m, d, q, v, v, NULL, x));
  QUIET(mbd_hybrid_dynamics(m, d, q, v, active, NULL, x, x));
  QUIET(mbd_inverse_dynamics_derivatives(m, d, q, v, v, NULL, work, y, z, w));
  QUIET(mbd_forward_dynamics_derivatives(m, d, q, v, v, NULL, work, x, y, z, w));
  QUIET(mbd_set_state(m, d, q, v));
  QUIET(mbd_bias(m, d, x));
  QUIET(mbd_gravity(m, d, x));
  QUIET(mbd_potential_energy(m, d, &energy));
  QUIET(mbd_energy_rates(m, d, v, NULL, &rates));
  QUIET(mbd_momentum_rate(m, d, v, NULL, x));
  QUIET(mbd_element_torque(m, d, x));
  QUIET(mbd_element_state(m, d, 0, &at));
  QUIET(mbd_find_element(m, "joint", &index));
  QUIET_VALUE(mbd_element_type_name(MBD_ELEMENT_JOINT));
  free(work);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

static void
loops_allocate_nothing(void ** state)
{
  (void)state;
  mbd_model_t * m = closed_arm();
  mbd_data_t * d;
  double q[3] = {0.3, -0.3, 0.1}, v[3] = {0}, row[8], G[24];
  int index;
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  QUIET(mbd_set_position(m, d, q));
  QUIET(mbd_set_velocity(m, d, v));
  QUIET(mbd_closure_error(m, d, 0, row));
  QUIET(mbd_closure_jacobian(m, d, G));
  QUIET(mbd_closure_target(m, 0, row));
  QUIET(mbd_closure_bias(m, d, 0, row));
  QUIET(mbd_find_closure(m, "gear", &index));
  QUIET_VALUE(mbd_closure_type_name(MBD_CLOSURE_WELD));
  QUIET_VALUE(mbd_closure_rows(MBD_CLOSURE_WELD));
  QUIET_VALUE(mbd_surface_type_name(MBD_SURFACE_DISK));
  QUIET_VALUE(mbd_surface_sizes(MBD_SURFACE_DISK));
  QUIET_VALUE(mbd_assembly_work(m));
  double * work = calloc(mbd_assembly_work(m), sizeof *work);
  QUIET(mbd_assemble(m, d, NULL, q, work, q, NULL));
  QUIET(mbd_project_velocity(m, d, NULL, v, work, v, NULL));
  QUIET(mbd_closure_rank(m, d, NULL, work, NULL, &index));
  free(work);
  call_constrained(m, d, q, v);
  call_simulate(m, d, q, v);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

// functions that an embedded model is for
static const char * const taken[] = {
  "mbd_set_position",
  "mbd_set_velocity",
  "mbd_set_state",
  "mbd_set_acceleration",
  "mbd_inverse_dynamics",
  "mbd_bias",
  "mbd_gravity",
  "mbd_mass_matrix",
  "mbd_forward_dynamics",
  "mbd_articulated_inertia",
  "mbd_mass_matrix_inverse",
  "mbd_mass_product",
  "mbd_mass_solve",
  "mbd_mass_sqrt",
  "mbd_mass_factors",
  "mbd_mass_log_determinant",
  "mbd_mass_trace",
  "mbd_coriolis_matrix",
  "mbd_coriolis_transpose_product",
  "mbd_mass_matrix_rate",
  "mbd_momentum_gradient",
  "mbd_kinetic_energy_gradient",
  "mbd_christoffel",
  "mbd_mass_matrix_derivative",
  "mbd_mass_matrix_tensor",
  "mbd_christoffel_tensor",
  "mbd_jacobian_rate",
  "mbd_inverse_dynamics_derivatives",
  "mbd_forward_dynamics_derivatives",
  "mbd_parameters_get",
  "mbd_torque_regressor",
  "mbd_momentum_regressor",
  "mbd_energy_regressor",
  "mbd_limit_gaps",
  "mbd_batch_inverse_dynamics",
  "mbd_batch_forward_dynamics",
  "mbd_batch_mass_matrix",
  "mbd_mass_condition",
  "mbd_compliance",
  "mbd_compliance_between",
  "mbd_operational_space_compliance",
  "mbd_operational_space_inertia",
  "mbd_mobility",
  "mbd_effective_mass",
  "mbd_jacobian",
  "mbd_jacobian_product",
  "mbd_jacobian_transpose_product",
  "mbd_jacobian_bias",
  "mbd_frame_placement",
  "mbd_frame_velocity",
  "mbd_frame_acceleration",
  "mbd_kinetic_energy",
  "mbd_potential_energy",
  "mbd_energy_rates",
  "mbd_center_of_mass",
  "mbd_centroidal_momentum",
  "mbd_centroidal_matrix",
  "mbd_com_jacobian",
  "mbd_momentum",
  "mbd_force_response",
  "mbd_task_jacobian",
  "mbd_task_inertia",
  "mbd_task_control",
  "mbd_integrate",
  "mbd_difference",
  "mbd_neutral",
  "mbd_normalize",
  "mbd_random_configuration",
  "mbd_payload_attach",
  "mbd_find_frame",
  "mbd_find_joint",
  NULL};

// every function with an embedded model: it works, or says that it does not, and leaves the heap
// alone
static void
embedded_models_are_taken_or_refused(void ** state)
{
  (void)state;
  mbd_model_t *tree = closed_arm(), *m;
  mbd_data_t * d;
  assert_int_equal(mbd_model_embed(tree, NULL, &m), MBD_OK);
  double q[3] = {0.3, -0.3, 0.1}, v[3] = {0.1, 0.2, 0.3}, all[9], lambda[2], number;
  mbd_wrench_t push = {2, MBD_LOCAL, {{0, 0, 1}, {1, 0, 0}}};
  tree_t t = {0};
  t.model = m, t.q = q, t.v = v, t.qdd = v, t.tau = v;
  t.nwrench = 1, t.wrench = &push, t.f_ext.n = 1, t.f_ext.w = &push;
  const size_t size = mbd_data_size(m);
  void * memory = malloc(size);
  outputs_t r = make_outputs(tree);
  embedded = 1;
  QUIET(mbd_data_init(m, memory, size, &d));
  call_everything(&t, d, &r);
  QUIET(mbd_set_time(m, d, 0));
  QUIET(mbd_set_position(m, d, q));
  QUIET(mbd_set_velocity(m, d, v));
  QUIET(mbd_tree_velocity(m, d, v, all));
  QUIET(mbd_tree_acceleration(m, d, v, all));
  QUIET(mbd_tree_torque(m, v, all));
  QUIET(mbd_reduce_velocity(m, all, r.v));
  QUIET(mbd_reduce_torque(m, d, all, r.v));
  QUIET(mbd_embedding_matrix(m, d, all));
  QUIET(mbd_embedding_rate(m, d, all));
  QUIET(mbd_embedding_condition(m, d, &number, NULL));
  QUIET(mbd_closure_forces(m, d, v, NULL, NULL, lambda));
  QUIET(mbd_convert_velocity(m, d, v, m, r.v));
  QUIET(mbd_integrate_in(m, d, q, v, 1e-3, q));
  QUIET_VALUE(mbd_aggregate_count(m));
  mbd_aggregate_t info;
  QUIET(mbd_aggregate_info(m, 0, &info));
  embedded = 0;
  for (int i = 0; taken[i]; i++) {
    for (int k = 0; k < nrefused; k++) {
      if (strcmp(taken[i], refused[k]) == 0) print_error("%s refused\n", taken[i]);
      assert_string_not_equal(taken[i], refused[k]);
    }
  }
  free(memory), free(r.q), free(r.v), free(r.M), free(r.J), free(r.Y), free(r.theta);
  free(r.work);
  mbd_model_destroy(m);
  mbd_model_destroy(tree);
}

//---------- the list of calls ----------

// functions that set up or take down, which may allocate
static const char * const setup[] = {
  "mbd_model_create",
  "mbd_model_destroy",
  "mbd_model_add_body",
  "mbd_model_add_frame",
  "mbd_model_add_motor",
  "mbd_model_add_motors",
  "mbd_model_add_closure",
  "mbd_closure_spec_default",
  "mbd_model_add_element",
  "mbd_element_spec_default",
  "mbd_model_add_bearing",
  "mbd_bearing_spec_default",
  "mbd_bearing_options_default",
  "mbd_assembly_options_default",
  "mbd_constrained_options_default",
  "mbd_ode_options_default",
  "mbd_chart_limits_default",
  "mbd_simulation_options_default",
  "mbd_simulation_create",
  "mbd_simulation_destroy",
  "mbd_contact_default",
  "mbd_contact_options_default",
  "mbd_model_set_gravity",
  "mbd_model_set_mimic_independent",
  "mbd_model_finalize",
  "mbd_data_create",
  "mbd_data_destroy",
  "mbd_body_spec_default",
  "mbd_observer_create",
  "mbd_observer_destroy",
  "mbd_observer_options_default",
  "mbd_model_with_parameters",
  "mbd_model_lock",
  "mbd_batch_create",
  "mbd_batch_f32_create",
  "mbd_batch_destroy",
  "mbd_batch_f32_destroy",
  "mbd_divide_create",
  "mbd_divide_destroy",
  "mbd_embed_options_default",
  "mbd_model_embed",
  "mbd_model_rechoose",
  "mbd_sko_create",
  "mbd_sko_destroy",
  "mbd_dh_options_default",
  "mbd_dh_row_default",
  "mbd_dh_to_model",
  "mbd_dissipation_default",
  "mbd_noc_create",
  "mbd_noc_destroy",
  "mbd_reroot_create",
  "mbd_reroot_destroy",
  "mbd_sparsity_create",
  "mbd_sparsity_destroy",
  "mbd_modal_body_create",
  "mbd_modal_body_destroy",
  "mbd_modal_body_check",
  "mbd_beam_create",
  "mbd_model_with_flexible_links",
  NULL};

static int
listed(const char * name)
{
  for (int i = 0; setup[i]; i++) {
    if (strcmp(setup[i], name) == 0) return 1;
  }
  for (int i = 0; i < ncalled; i++) {
    if (strcmp(called[i], name) == 0) return 1;
  }
  return 0;
}

// the list above is whole: every symbol that the library exports was called, or sets up
static void
every_function_was_called(void ** state)
{
  (void)state;
  FILE * nm = popen("nm -D --defined-only '" MBDYN_CORE_LIBRARY "'", "r");
  assert_non_null(nm);
  char line[256];
  int n = 0;
  while (fgets(line, sizeof line, nm)) {
    char kind, name[128];
    if (sscanf(line, "%*x %c %127s", &kind, name) != 2 || kind != 'T') continue;
    n++;
    if (!listed(name)) print_error("%s is exported but not called by this test\n", name);
    assert_true(listed(name));
  }
  assert_int_equal(pclose(nm), 0);
  assert_true(n > 30);
}

// the interposer sees what it should: this test can fail
static void
interposer_works(void ** state)
{
  (void)state;
  armed = 1;
  void * volatile p = malloc(10);
  free(p);
  armed = 0;
  assert_int_equal(touched, 2);
  touched = 0;
  // and in the library
  mbd_model_t * model = NULL;
  armed = 1;
  const mbd_status_t status = mbd_model_create("model", &model);
  mbd_model_destroy(model);
  armed = 0;
  assert_int_equal(status, MBD_OK);
  assert_true(touched >= 2);
  touched = 0;
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(interposer_works),
    cmocka_unit_test(nothing_allocates),
    cmocka_unit_test(chains_allocate_nothing),
    cmocka_unit_test(inverse_kinematics_allocates_nothing),
    cmocka_unit_test(manipulators_allocate_nothing),
    cmocka_unit_test(free_flyers_allocate_nothing),
    cmocka_unit_test(elements_allocate_nothing),
    cmocka_unit_test(loops_allocate_nothing),
    cmocka_unit_test(embedded_models_are_taken_or_refused),
    cmocka_unit_test(every_function_was_called),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
