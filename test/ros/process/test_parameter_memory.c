// Memory of the parameter services: nothing is lost, neither here nor with an rmw that forgets.
#include <malloc.h>

#include "param_peer.h"

static param_node_t node;
static param_client_t client;

static int
set_up(void ** state)
{
  (void)state;
  own_domain();
  param_node_open(&node, NULL, NULL);
  assert_non_null(node.server);
  return 0;
}

static int
tear_down(void ** state)
{
  (void)state;
  param_node_close(&node);
  return 0;
}

// the same array twice, then a number under a name that is wrong every other time
static void
put_parameters(parameters_t * parameters, int round)
{
  assert_true(rcl_interfaces__msg__Parameter__Sequence__init(parameters, 3));
  rcl_interfaces__msg__Parameter * p = parameters->data;
  for (size_t k = 0; k < 2; k++) {
    rosidl_runtime_c__String__Sequence * terms = &p[k].value.string_array_value;
    assert_true(rosidl_runtime_c__String__assign(&p[k].name, "publish.terms"));
    assert_true(rosidl_runtime_c__String__Sequence__init(terms, 3));
    for (size_t i = 0; i < 3; i++) {
      assert_true(rosidl_runtime_c__String__assign(&terms->data[i], "c"));
    }
    p[k].value.type = 9;
  }
  assert_true(rosidl_runtime_c__String__assign(&p[2].name, round % 2 == 0 ? "rate" : "rat"));
  p[2].value.type = 3;
  p[2].value.double_value = 1 + round % 100;
}

// the real rmw makes sequences of a request anew over what was there, and never frees them
static void
take_as_rmw_does(size_t handle, int round)
{
  rclc_executor_handle_t * h = &node.executor.handles[handle];
  rosidl_runtime_c__String__Sequence * names = h->data;
  parameters_t * parameters = h->data;
  if (handle == 2 || handle == 3) {
    put_parameters(parameters, round);
  } else {
    assert_true(rosidl_runtime_c__String__Sequence__init(names, 3));
    static const char * const some[] = {"gravity", "publish.terms", "limits"};
    for (size_t i = 0; i < 3; i++) {
      const bool known = handle == 5 || round % 2 == 0;
      assert_true(rosidl_runtime_c__String__assign(
        &names->data[i], known ? some[handle == 5 ? 2 : i % 2] : "nonsense"));
    }
  }
  h->service_callback_with_context(h->data, h->data_response_msg, h->callback_context);
  // the request is empty again; the answer is there to be sent
  assert_null(names->data);
  assert_int_equal(names->size, 0);
}

static size_t
heap(void)
{
  return mallinfo2().uordblks;
}

// with one block of 24 bytes lost for each call this would be 144 kB a service; the leak sanitizer
// sees the first one
static void
nothing_is_lost_when_rmw_forgets_what_was_there(void ** state)
{
  // no client is there: its queue of events would fill
  (void)state;
  enum { CALLS = 6000, NOISE = 20000 };
  for (size_t handle = 0; handle < PARAM_SERVER_HANDLES; handle++) {
    for (int i = 0; i < 200; i++) take_as_rmw_does(handle, i);
    const size_t before = heap();
    for (int i = 0; i < CALLS; i++) take_as_rmw_does(handle, i);
    const size_t after = heap();
    if (after > before + NOISE) fail_msg("service %zu: %zu, then %zu", handle, before, after);
  }
}

static void
some_of_everything(int round)
{
  assert_string_equal(set_double(&client, "rate", 1 + round % 100), "ok");
  next_event(&client);
  parameters_t list = {0};
  parameter(&list, "rate", 3)->double_value = 2;
  parameter(&list, "rat", 3)->double_value = 2;
  set(&client, &list, true);
  get_text(&client, "rate gravity publish.terms robot_description");
  get_text(&client, "nonsense");
  types_text(&client, "rate gravity publish.terms");
  list_text(&client, "limits publish", 0);
}

static void
nothing_grows_over_thousands_of_calls(void ** state)
{
  (void)state;
  enum { ROUNDS = 500, NOISE = 100000 };
  param_client_open(&client, &node.support, &node.executor);
  for (int i = 0; i < ROUNDS; i++) some_of_everything(i);
  const size_t before = heap();
  for (int i = 0; i < ROUNDS; i++) some_of_everything(i);
  const size_t after = heap();
  param_client_close(&client);
  if (after > before + NOISE) fail_msg("%zu, then %zu", before, after);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_is_lost_when_rmw_forgets_what_was_there),
    cmocka_unit_test(nothing_grows_over_thousands_of_calls),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
