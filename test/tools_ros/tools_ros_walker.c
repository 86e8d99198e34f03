// A managed node for the tests of `mbdyn lifecycle`: /walker, which will not be cleaned up, and which
// breaks when it is deactivated. It runs until SIGTERM.
#include "lifecycle.h"
#include "ros_process.h"

static lifecycle_result_t
refuse_transition(void * context)
{
  (void)context;
  return LIFECYCLE_REFUSED;
}

static lifecycle_result_t
break_down(void * context)
{
  (void)context;
  return LIFECYCLE_BROKEN;
}

static bool
recover(void * context)
{
  (void)context;
  return true;
}

int
main(int argc, char ** argv)
{
  ros_process_t process;
  if (!ros_process_open(&process, argc, argv, "walker")) return 2;
  rclc_executor_t executor = rclc_executor_get_zero_initialized_executor();
  spinner_t spinner;
  rcl_context_t * context = &process.support.context;
  const size_t handles = LIFECYCLE_HANDLES + SPINNER_HANDLES;
  lifecycle_t * lifecycle = lifecycle_create(
    &process.node, (lifecycle_hooks_t){
                     .cleanup = refuse_transition, .deactivate = break_down, .recover = recover});
  const bool good =
    lifecycle &&
    rclc_executor_init(&executor, context, handles, &process.allocator) == RCL_RET_OK &&
    lifecycle_add(lifecycle, &executor) && spinner_init(&spinner, context, &executor) &&
    spinner_start(&spinner, "executor");
  if (!good) return 1;
  ros_process_wait();

  spinner_stop(&spinner);
  const bool ended = rclc_executor_fini(&executor) == RCL_RET_OK;
  spinner_fini(&spinner);
  lifecycle_destroy(lifecycle);
  ros_process_close(&process);
  return ended ? 0 : 1;
}
