// A managed node as a client on the network sees it: services, events, hooks. The graph is compared
// with that of rcl_lifecycle (Humble), written down here as text.
#include "lifecycle_peer.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "test/support/process.h"

static const char STATES[] =
  "0 unknown\n1 unconfigured\n2 inactive\n3 active\n4 finalized\n10 configuring\n11 cleaningup\n"
  "12 shuttingdown\n13 activating\n14 deactivating\n15 errorprocessing\n";

static const char GRAPH[] =
  "1 configure 1 unconfigured 10 configuring\n"
  "10 transition_success 10 configuring 2 inactive\n"
  "11 transition_failure 10 configuring 1 unconfigured\n"
  "12 transition_error 10 configuring 15 errorprocessing\n"
  "2 cleanup 2 inactive 11 cleaningup\n"
  "20 transition_success 11 cleaningup 1 unconfigured\n"
  "21 transition_failure 11 cleaningup 2 inactive\n"
  "22 transition_error 11 cleaningup 15 errorprocessing\n"
  "3 activate 2 inactive 13 activating\n"
  "30 transition_success 13 activating 3 active\n"
  "31 transition_failure 13 activating 2 inactive\n"
  "32 transition_error 13 activating 15 errorprocessing\n"
  "4 deactivate 3 active 14 deactivating\n"
  "40 transition_success 14 deactivating 2 inactive\n"
  "41 transition_failure 14 deactivating 3 active\n"
  "42 transition_error 14 deactivating 15 errorprocessing\n"
  "5 shutdown 1 unconfigured 12 shuttingdown\n"
  "6 shutdown 2 inactive 12 shuttingdown\n"
  "7 shutdown 3 active 12 shuttingdown\n"
  "50 transition_success 12 shuttingdown 4 finalized\n"
  "51 transition_failure 12 shuttingdown 4 finalized\n"
  "52 transition_error 12 shuttingdown 15 errorprocessing\n"
  "60 transition_success 15 errorprocessing 1 unconfigured\n"
  "61 transition_failure 15 errorprocessing 4 finalized\n"
  "62 transition_error 15 errorprocessing 4 finalized\n";

//---------- tests ----------

static void
the_graph_is_that_of_rcl(void ** state)
{
  (void)state;
  lifecycle_msgs__srv__GetAvailableStates_Request request = {0};
  lifecycle_msgs__srv__GetAvailableStates_Response response;
  assert_true(lifecycle_msgs__srv__GetAvailableStates_Response__init(&response));
  ask(&client.states, &request, &response, true);
  char text[512] = "";
  for (size_t i = 0; i < response.available_states.size; i++) {
    const lifecycle_msgs__msg__State * s = &response.available_states.data[i];
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%d %s\n", s->id, s->label.data);
  }
  assert_string_equal(text, STATES);
  lifecycle_msgs__srv__GetAvailableStates_Response__fini(&response);
  // more than once: every answer is made anew
  for (int i = 0; i < 3; i++) expect_transitions(&client.graph, GRAPH);
  expect_events("");
  expect_calls("");
}

// ids alone, as launch sends them
static void
a_life_by_ids(void ** state)
{
  (void)state;
  expect_state(1, "unconfigured");
  expect_transitions(
    &client.transitions,
    "1 configure 1 unconfigured 10 configuring\n5 shutdown 1 unconfigured 12 shuttingdown\n");

  assert_true(change(1, ""));
  expect_state(2, "inactive");
  expect_calls("configure in 10\n");
  expect_events(
    "1 configure 1 unconfigured 10 configuring\n10 transition_success 10 configuring 2 inactive\n");
  expect_transitions(
    &client.transitions,
    "2 cleanup 2 inactive 11 cleaningup\n3 activate 2 inactive 13 activating\n"
    "6 shutdown 2 inactive 12 shuttingdown\n");

  assert_true(change(3, ""));
  expect_state(3, "active");
  expect_calls("activate in 13\n");
  expect_events(
    "3 activate 2 inactive 13 activating\n30 transition_success 13 activating 3 active\n");
  expect_transitions(
    &client.transitions,
    "4 deactivate 3 active 14 deactivating\n7 shutdown 3 active 12 shuttingdown\n");

  assert_true(change(4, ""));
  assert_true(change(2, ""));
  expect_state(1, "unconfigured");
  expect_calls("deactivate in 14\ncleanup in 11\n");
  expect_events(
    "4 deactivate 3 active 14 deactivating\n40 transition_success 14 deactivating 2 inactive\n"
    "2 cleanup 2 inactive 11 cleaningup\n20 transition_success 11 cleaningup 1 unconfigured\n");

  assert_true(change(5, ""));
  expect_state(4, "finalized");
  expect_transitions(&client.transitions, "");
  expect_calls("shutdown from 1 in 12\n");
  expect_events(
    "5 shutdown 1 unconfigured 12 shuttingdown\n50 transition_success 12 shuttingdown 4 "
    "finalized\n");
}

// a label alone, and both; the label counts
static void
a_life_by_labels(void ** state)
{
  (void)state;
  assert_true(change(0, "configure"));
  assert_true(change(3, "activate"));
  assert_false(change(4, "activate"));
  assert_false(change(4, "Deactivate"));
  assert_false(change(0, "transition_success"));
  static char monster[20000];
  memset(monster, 'x', sizeof monster - 1);
  assert_false(change(4, monster));
  expect_state(3, "active");
  // any shutdown by label, whatever the id
  assert_true(change(5, "shutdown"));
  expect_state(4, "finalized");
  expect_calls("configure in 10\nactivate in 13\nshutdown from 3 in 12\n");
}

// every id in every primary state: only those of the graph do something
static void
other_ids_are_answered_false(void ** state)
{
  (void)state;
  static const struct {
    int id;
    const char * name;
    const char * allowed;
    uint8_t next;  // to the next state
    const char * calls;
    const char * events;
  } STOPS[] = {
    {1, "unconfigured", " 1 5 ", 1, "configure in 10\n",
     "1 configure 1 unconfigured 10 configuring\n"
     "10 transition_success 10 configuring 2 inactive\n"},
    {2, "inactive", " 2 3 6 ", 3, "activate in 13\n",
     "3 activate 2 inactive 13 activating\n30 transition_success 13 activating 3 active\n"},
    {3, "active", " 4 7 ", 7, "shutdown from 3 in 12\n",
     "7 shutdown 3 active 12 shuttingdown\n50 transition_success 12 shuttingdown 4 finalized\n"},
    {4, "finalized", " ", 0, "", ""},
  };
  for (size_t i = 0; i < sizeof STOPS / sizeof STOPS[0]; i++) {
    for (int id = 0; id < 256; id++) {
      char text[8];
      snprintf(text, sizeof text, " %d ", id);
      if (strstr(STOPS[i].allowed, text)) continue;
      if (change((uint8_t)id, "")) fail_msg("id %d in %s", id, STOPS[i].name);
    }
    expect_state(STOPS[i].id, STOPS[i].name);
    expect_calls("");
    assert_int_equal(change(STOPS[i].next, ""), STOPS[i].next != 0);
    expect_calls(STOPS[i].calls);
    expect_events(STOPS[i].events);
  }
}

static void
a_refusal_goes_back(void ** state)
{
  (void)state;
  hooks_return(LIFECYCLE_REFUSED, false);
  assert_false(change(1, ""));
  expect_events(
    "1 configure 1 unconfigured 10 configuring\n"
    "11 transition_failure 10 configuring 1 unconfigured\n");
  hooks_return(LIFECYCLE_DONE, false);
  assert_true(change(1, ""));
  expect_events(
    "1 configure 1 unconfigured 10 configuring\n10 transition_success 10 configuring 2 inactive\n");
  hooks_return(LIFECYCLE_REFUSED, false);
  assert_false(change(2, ""));
  assert_false(change(3, ""));
  expect_events(
    "2 cleanup 2 inactive 11 cleaningup\n21 transition_failure 11 cleaningup 2 inactive\n"
    "3 activate 2 inactive 13 activating\n31 transition_failure 13 activating 2 inactive\n");
  hooks_return(LIFECYCLE_DONE, false);
  assert_true(change(3, ""));
  hooks_return(LIFECYCLE_REFUSED, false);
  assert_false(change(4, ""));
  expect_state(3, "active");
  // but not from here
  assert_false(change(7, ""));
  expect_state(4, "finalized");
  expect_events(
    "3 activate 2 inactive 13 activating\n30 transition_success 13 activating 3 active\n"
    "4 deactivate 3 active 14 deactivating\n41 transition_failure 14 deactivating 3 active\n"
    "7 shutdown 3 active 12 shuttingdown\n51 transition_failure 12 shuttingdown 4 finalized\n");
}

static void
an_error_is_processed(void ** state)
{
  (void)state;
  hooks_return(LIFECYCLE_BROKEN, true);
  assert_false(change(1, ""));
  expect_state(1, "unconfigured");
  expect_calls("configure in 10\nrecover in 15\n");
  expect_events(
    "1 configure 1 unconfigured 10 configuring\n"
    "12 transition_error 10 configuring 15 errorprocessing\n"
    "60 transition_success 15 errorprocessing 1 unconfigured\n");
  hooks_return(LIFECYCLE_DONE, false);
  assert_true(change(1, ""));
  hooks_return(LIFECYCLE_BROKEN, false);
  assert_false(change(3, ""));
  expect_state(4, "finalized");
  expect_calls("configure in 10\nactivate in 13\nrecover in 15\n");
  expect_events(
    "1 configure 1 unconfigured 10 configuring\n10 transition_success 10 configuring 2 inactive\n"
    "3 activate 2 inactive 13 activating\n32 transition_error 13 activating 15 errorprocessing\n"
    "61 transition_failure 15 errorprocessing 4 finalized\n");
}

// the node by itself: the executor has stopped, so that this is the only thread
static void
the_node_changes_itself(void ** state)
{
  (void)state;
  spinner_stop(&robot.spinner);
  robot.restless = true;
  lifecycle_t * l = robot.lifecycle;
  assert_int_equal(lifecycle_change(l, LIFECYCLE_ACTIVATE), LIFECYCLE_REFUSED);
  assert_int_equal(lifecycle_change(l, LIFECYCLE_CLEANUP), LIFECYCLE_REFUSED);
  assert_int_equal(lifecycle_change(l, (lifecycle_request_t)0), LIFECYCLE_REFUSED);
  assert_int_equal(lifecycle_change(l, (lifecycle_request_t)6), LIFECYCLE_REFUSED);
  assert_int_equal(lifecycle_state(l), LIFECYCLE_UNCONFIGURED);
  assert_int_equal(lifecycle_change(l, LIFECYCLE_CONFIGURE), LIFECYCLE_DONE);
  assert_int_equal(lifecycle_state(l), LIFECYCLE_INACTIVE);
  hooks_return((lifecycle_result_t)77, true);  // not a result
  assert_int_equal(lifecycle_change(l, LIFECYCLE_ACTIVATE), 77);
  assert_int_equal(lifecycle_state(l), LIFECYCLE_UNCONFIGURED);
  hooks_return(LIFECYCLE_DONE, false);
  assert_int_equal(lifecycle_change(l, LIFECYCLE_SHUTDOWN), LIFECYCLE_DONE);
  assert_int_equal(lifecycle_change(l, LIFECYCLE_SHUTDOWN), LIFECYCLE_REFUSED);
  expect_calls("configure in 10\nactivate in 13\nrecover in 15\nshutdown from 1 in 12\n");
  expect_events(
    "1 configure 1 unconfigured 10 configuring\n10 transition_success 10 configuring 2 inactive\n"
    "3 activate 2 inactive 13 activating\n32 transition_error 13 activating 15 errorprocessing\n"
    "60 transition_success 15 errorprocessing 1 unconfigured\n"
    "5 shutdown 1 unconfigured 12 shuttingdown\n"
    "50 transition_success 12 shuttingdown 4 finalized\n");
}

static void
hooks_may_be_missing(void ** state)
{
  (void)state;
  assert_true(change(1, ""));
  assert_true(change(3, ""));
  assert_true(change(4, ""));
  assert_true(change(2, ""));
  assert_true(change(1, ""));
  assert_true(change(6, ""));
  expect_state(4, "finalized");
}

// the memory of one answer is given back before the next; sanitizers see that by themselves
static void
answers_do_not_pile_up(void ** state)
{
  (void)state;
  enum { CALLS = 500 };
  for (int i = 0; i < 20; i++) expect_transitions(&client.graph, GRAPH);
  const size_t before = mallinfo2().uordblks;
  for (int i = 0; i < CALLS; i++) {
    expect_transitions(&client.graph, GRAPH);
    assert_false(change(99, "a label that is too long for any small string"));
  }
  const size_t after = mallinfo2().uordblks;
  if (after > before + CALLS * 40) fail_msg("%zu bytes before, %zu after", before, after);
}

static void
states_have_names(void ** state)
{
  (void)state;
  assert_string_equal(lifecycle_state_name(LIFECYCLE_ACTIVE), "active");
  assert_string_equal(lifecycle_state_name(LIFECYCLE_ERRORPROCESSING), "errorprocessing");
  assert_string_equal(lifecycle_state_name((lifecycle_state_t)9), "unknown");
}

// too few handles: an error, not a node without half of its services
static void
the_executor_is_too_small(void ** state)
{
  (void)state;
  session_t session;
  session_open(&session, "small", false);
  rclc_executor_t executor = rclc_executor_get_zero_initialized_executor();
  OK(rclc_executor_init(
    &executor, &session.support.context, LIFECYCLE_HANDLES - 1, &session.allocator));
  lifecycle_t * lifecycle = lifecycle_create(&session.node, (lifecycle_hooks_t){0});
  assert_non_null(lifecycle);
  assert_false(lifecycle_add(lifecycle, &executor));
  OK(rclc_executor_fini(&executor));
  lifecycle_destroy(lifecycle);
  lifecycle_destroy(NULL);
  session_close(&session);
}

#define LIFE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    LIFE(the_graph_is_that_of_rcl),
    LIFE(a_life_by_ids),
    LIFE(a_life_by_labels),
    LIFE(other_ids_are_answered_false),
    LIFE(a_refusal_goes_back),
    LIFE(an_error_is_processed),
    LIFE(the_node_changes_itself),
    cmocka_unit_test_setup_teardown(hooks_may_be_missing, set_up_without_hooks, tear_down),
    LIFE(answers_do_not_pile_up),
    cmocka_unit_test(states_have_names),
    cmocka_unit_test(the_executor_is_too_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
