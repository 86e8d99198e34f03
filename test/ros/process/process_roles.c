// The helper processes of test_process.
#include "process_roles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mbdyn_ros/process/ros_process.h"
#include "rcutils/logging_macros.h"
#include "rosidl_runtime_c/message_type_support_struct.h"
#include "std_msgs/msg/string.h"
#include "test/support/process.h"

#define STRING ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String)

static ros_process_t process;

static bool
begin(int argc, char ** argv)
{
  if (!ros_process_open(&process, argc, argv, "worker")) return false;
  if (process.overrides != NULL) {
    printf("override %s\n", process.overrides->params[0].parameter_names[0]);
  }
  printf("ready %s\n", rcl_node_get_fully_qualified_name(&process.node));
  return true;
}

static int
end(void)
{
  ros_process_close(&process);
  puts("closed");
  return 0;
}

//---------- signals ----------

static int
worker(int argc, char ** argv)
{
  if (!begin(argc, argv)) return 2;
  printf("signal %d\n", ros_process_wait());
  return end();
}

static int
ignorant(int argc, char ** argv)
{
  (void)argc;
  (void)argv;
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  execl("/proc/self/exe", "test", "role", "worker", (char *)NULL);
  return 127;
}

static int
stubborn(int argc, char ** argv)
{
  if (!begin(argc, argv)) return 2;
  printf("signal %d\n", ros_process_wait());
  kill(getpid(), SIGINT);
  kill(getpid(), SIGTERM);
  ros_process_finish();
  return end();
}

//---------- an end of its own ----------

// once the first thread sleeps, which it only does in ros_process_wait
static void *
end_when_asleep(void * unused)
{
  char path[64], line[256] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
  while (!strstr(line, ") S ")) {
    FILE * file = fopen(path, "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) abort();
    fclose(file);
  }
  ros_process_finish();
  return unused;
}

static int
finisher(int argc, char ** argv)
{
  if (!begin(argc, argv)) return 2;
  pthread_t thread;
  pthread_create(&thread, NULL, end_when_asleep, NULL);
  printf("signal %d\n", ros_process_wait());
  pthread_join(thread, NULL);
  return end();
}

static int
eager(int argc, char ** argv)
{
  if (!begin(argc, argv)) return 2;
  ros_process_finish();
  ros_process_finish();
  printf("signal %d\n", ros_process_wait());
  return end();
}

// what is left of the first life must not end the second one
static int
again(int argc, char ** argv)
{
  ros_process_finish();
  if (!begin(argc, argv)) return 2;
  printf("signal %d\n", ros_process_wait());
  end();
  return worker(argc, argv);
}

//---------- logging ----------

static void *
log_lines(void * number)
{
  for (int i = 0; i < LINES; i++) {
    // past NODE_LOG, which would leave most of them out
    RCUTILS_LOG_INFO_NAMED(
      rcl_node_get_logger_name(&process.node), "thread %d line %d", *(const int *)number, i);
  }
  return NULL;
}

static int
logger(int argc, char ** argv)
{
  if (!begin(argc, argv)) return 2;
  fflush(stdout);
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, log_lines, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  printf("signal %d\n", ros_process_wait());
  return end();
}

static int
mute(int argc, char ** argv)
{
  int ends[2];
  if (pipe(ends) != 0 || !begin(argc, argv)) return 2;
  close(ends[0]);
  dup2(ends[1], STDERR_FILENO);
  NODE_LOG(&process.node, INFO, "to nobody");
  puts("alive");
  printf("signal %d\n", ros_process_wait());
  return end();
}

//---------- the watchdog ----------

static int
stuck(int argc, char ** argv)
{
  if (!begin(argc, argv)) return 2;
  setvbuf(stdout, NULL, _IOFBF, 1024);
  printf("signal %d\n", ros_process_wait());
  ros_process_leave(WATCHDOG_CODE);
  ros_process_leave(1);
  for (;;) pause();
}

static void
hang(void * pointer, void * state)
{
  (void)pointer;
  (void)state;
  for (;;) pause();
}

static int
stuck_close(int argc, char ** argv)
{
  if (!begin(argc, argv) || process.overrides == NULL) return 2;
  printf("signal %d\n", ros_process_wait());
  process.overrides->allocator.deallocate = hang;
  end();
  return 1;
}

static int
listener(int argc, char ** argv)
{
  if (!begin(argc, argv)) return 2;
  rcl_subscription_t subscription = rcl_get_zero_initialized_subscription();
  if (rclc_subscription_init_default(&subscription, &process.node, STRING, "talk") != RCL_RET_OK) {
    return 1;
  }
  ros_process_wait();
  return 1;
}

// with messages that its listener has not acknowledged, DDS waits a second for each writer
static int
talker(int argc, char ** argv)
{
  rcl_publisher_t publisher = rcl_get_zero_initialized_publisher();
  std_msgs__msg__String message;
  bool good = begin(argc, argv) && std_msgs__msg__String__init(&message) &&
              rclc_publisher_init_default(&publisher, &process.node, STRING, "talk") == RCL_RET_OK;
  size_t listeners = 0;
  while (good && listeners == 0) {
    sleep_ms(5);
    good = rcl_publisher_get_subscription_count(&publisher, &listeners) == RCL_RET_OK;
  }
  if (!good) return 2;
  puts("matched");
  printf("signal %d\n", ros_process_wait());
  if (rcl_publish(&publisher, &message, NULL) != RCL_RET_OK) return 1;
  std_msgs__msg__String__fini(&message);
  ros_process_leave(WATCHDOG_CODE);
  if (rcl_publisher_fini(&publisher, &process.node) != RCL_RET_OK) return 1;
  return end();
}

//---------- which one ----------

int
run_role(int argc, char ** argv)
{
  static const struct {
    const char * name;
    int (*run)(int argc, char ** argv);
  } ROLES[] = {
    {"worker", worker},
    {"ignorant", ignorant},
    {"stubborn", stubborn},
    {"finisher", finisher},
    {"eager", eager},
    {"again", again},
    {"logger", logger},
    {"mute", mute},
    {"stuck", stuck},
    {"listener", listener},
    {"stuck_close", stuck_close},
    {"talker", talker},
  };
  if (argc < 3 || strcmp(argv[1], "role") != 0) return -1;
  dup2(STDOUT_FILENO, STDERR_FILENO);
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (size_t i = 0; i < sizeof ROLES / sizeof ROLES[0]; i++) {
    if (strcmp(argv[2], ROLES[i].name) == 0) return ROLES[i].run(argc - 2, argv + 2);
  }
  return 127;
}
