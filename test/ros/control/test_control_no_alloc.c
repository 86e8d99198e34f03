// The control thread's side of mailbox, snapshot, histogram and joint input never touches the heap:
// malloc and free are interposed. And what allocates gives all of it back if memory runs out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint_arm.h"
#include "mailbox.h"
#include "statistics.h"

//---------- the interposer ----------

extern void * __libc_malloc(size_t);
extern void * __libc_calloc(size_t, size_t);
extern void * __libc_realloc(void *, size_t);
extern void __libc_free(void *);

static volatile int armed, touched;
static volatile int left = -1;  // allocations until there is no memory; -1: enough
static volatile int blocks;     // allocated and not freed, while left is not -1

static int
allowed(void)
{
  if (armed) touched++;
  if (left < 0) return 1;
  if (left == 0) return 0;
  left--;
  blocks++;
  return 1;
}

void *
malloc(size_t n)
{
  return allowed() ? __libc_malloc(n) : NULL;
}

void *
calloc(size_t n, size_t size)
{
  return allowed() ? __libc_calloc(n, size) : NULL;
}

void *
realloc(void * p, size_t n)
{
  if (armed) touched++;
  return __libc_realloc(p, n);
}

void
free(void * p)
{
  if (armed && p) touched++;
  if (left >= 0 && p) blocks--;
  __libc_free(p);
}

#define QUIET(call)               \
  do {                            \
    armed = 1;                    \
    call;                         \
    armed = 0;                    \
    assert_int_equal(touched, 0); \
  } while (0)

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
}

//---------- the calls ----------

static bool
take_joint_state(joint_input_t * input, const joint_state_t * m, int64_t arrival)
{
  const size_t size = write_joint_state(m, buffer);
  bool taken;
  QUIET(taken = joint_input_take(input, buffer, size, arrival, arrival));
  return taken;
}

// known and new layouts, strangers, duplicates, refusals, a jump of the clock
static void
joint_states(void ** state)
{
  (void)state;
  joint_input_options_t options = OPTIONS;
  options.velocity_cutoff = options.acceleration_cutoff = 10;
  arm_t arm = make(ARM_JOINTS, ARM, &options);
  static mix_t mix[3 * JOINT_INPUT_LAYOUTS];
  uint64_t seed = 1;
  for (int i = 0; i < 3 * JOINT_INPUT_LAYOUTS; i++) mix_up(&mix[i], &seed, 0, i % (ARM + 1), i % 4);
  int64_t stamp = 1000 * MS;
  for (int round = 1; round < 2000; round++, stamp += MS) {
    if (round == 1000) stamp = MS;
    const bool same = round % 100 < 50 || (round > 900 && round < 1200);
    joint_state_t m = message_of(&mix[same ? 1 : round % (3 * JOINT_INPUT_LAYOUTS)], stamp);
    m.padding = (uint8_t)(round / 10);
    if (round % 5 == 0) m.velocity = NULL;
    if (round % 7 == 0) m.position = NULL;
    if (round % 11 == 0) mix[round % JOINT_INPUT_LAYOUTS].name[0] = "wrist";
    (void)take_joint_state(arm.input, &m, round * MS);
    QUIET((void)joint_input_state(arm.input, round * MS));
  }
  const joint_input_counts_t * c = &arm.input->count;
  assert_true(c->taken && c->malformed && c->duplicates && c->backwards && c->no_joint);
  assert_true(c->clock_jumps == 1 && c->new_layouts > 3 * JOINT_INPUT_LAYOUTS);
  QUIET(joint_input_tune(arm.input, &options));
  QUIET(joint_input_restart(arm.input));
  destroy(&arm);
}

static void
odometry(void ** state)
{
  (void)state;
  static const robot_joint_t boat[] = {
    {"root_joint", MBD_JOINT_FREE, NULL, 0, 0}, {"mast", MBD_JOINT_PLANAR, NULL, 0, 0}};
  static const char * const name[] = {"mast.vx", "mast.vy", "mast.wz"};
  static const double pose[] = {1, 2, 3, 0, 0, 0, 1}, twist[] = {4, 5, 6, 7, 8, 9};
  arm_t arm = make(boat, 2, &OPTIONS);
  for (int i = 1; i < 10; i++) {
    const size_t size = write_odometry(i * MS, pose, twist, buffer);
    bool taken;
    QUIET(taken = joint_input_take_base(arm.input, buffer, size, i * MS, i * MS));
    assert_true(taken);
    const joint_state_t m = {.stamp = i * MS, .n = 3, .name = name, .position = pose};
    assert_true(take_joint_state(arm.input, &m, i * MS));
  }
  destroy(&arm);
}

static int letters_destroyed;

static void
letter_destroy(mail_t * mail)
{
  letters_destroyed++;
  free(mail);
}

static void
hand_over(void ** state)
{
  (void)state;
  static histogram_t histogram;
  mailbox_t box;
  snapshot_t snapshot;
  mailbox_init(&box);
  assert_true(snapshot_init(&snapshot, 100));
  for (int i = 0; i < 10; i++) {
    mail_t * mail = malloc(sizeof *mail);
    assert_non_null(mail);
    mail->destroy = letter_destroy;
    mailbox_post(&box, mail);
    QUIET(mail = mailbox_take(&box));
    QUIET(mailbox_return(&box, mail));
    QUIET(memset(snapshot_write(&snapshot), i, 100));
    QUIET(snapshot_publish(&snapshot));
    QUIET((void)snapshot_read(&snapshot));
    QUIET(histogram_add(&histogram, 1000 * i));
  }
  mailbox_fini(&box);
  snapshot_fini(&snapshot);
  assert_int_equal(letters_destroyed, 10);
}

// the n-th allocation fails, for each n
static void
out_of_memory(void ** state)
{
  (void)state;
  mbd_model_t * model = make_robot(ARM_JOINTS, ARM);
  joint_input_t * input = NULL;
  int n = 0;
  for (; !input; n++) {
    blocks = 0, left = n;
    input = joint_input_create(model, &OPTIONS);
    left = -1;
    if (!input) assert_int_equal(blocks, 0);
  }
  assert_true(n > 20);
  joint_input_destroy(input);
  mbd_model_destroy(model);
  for (n = 0; n < 3; n++) {
    snapshot_t snapshot;
    blocks = 0, left = n;
    const bool ok = snapshot_init(&snapshot, 100);
    left = -1;
    assert_false(ok);
    assert_int_equal(blocks, 0);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(interposer_works), cmocka_unit_test(joint_states),  cmocka_unit_test(odometry),
    cmocka_unit_test(hand_over),        cmocka_unit_test(out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
