// Mailbox and snapshot, alone and between two threads: nothing lost, nothing freed twice, the
// newest wins, no snapshot torn. Build with -DMBDYN_SANITIZE=thread to see what orders the accesses.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mailbox.h"

enum { WORDS = 32, ROUNDS = 100000 };

// times that letter i was destroyed
static int destroyed[ROUNDS + 1];
static int total_destroyed;
static atomic_int destroyed_elsewhere;
static pthread_t executor;

typedef struct letter {
  mail_t mail;
  int number;
  int word[WORDS];  // all of them `number`
} letter_t;

static void
letter_destroy(mail_t * mail)
{
  letter_t * letter = (letter_t *)mail;
  if (!pthread_equal(pthread_self(), executor)) atomic_fetch_add(&destroyed_elsewhere, 1);
  destroyed[letter->number]++;
  total_destroyed++;
  // who reads it now sees that it is wrong, sanitizer or not
  memset(letter->word, 0xff, sizeof letter->word);
  free(letter);
}

static mail_t *
letter_create(int number)
{
  letter_t * letter = malloc(sizeof *letter);
  assert_non_null(letter);
  letter->mail.destroy = letter_destroy;
  letter->number = number;
  for (int i = 0; i < WORDS; i++) letter->word[i] = number;
  return &letter->mail;
}

static int
number_of(const mail_t * mail)
{
  const letter_t * letter = (const letter_t *)mail;
  for (int i = 0; i < WORDS; i++) {
    if (letter->word[i] != letter->number) return -1;
  }
  return letter->number;
}

static void
begin(void)
{
  memset(destroyed, 0, sizeof destroyed);
  total_destroyed = 0;
  executor = pthread_self();
}

//---------- alone ----------

static void
newest_letter_wins(void ** state)
{
  (void)state;
  mailbox_t box;
  begin();
  mailbox_init(&box);
  assert_null(mailbox_take(&box));
  mailbox_post(&box, letter_create(1));
  mailbox_post(&box, letter_create(2));
  assert_int_equal(destroyed[1], 1);
  assert_int_equal(destroyed[2], 0);
  mail_t * mail = mailbox_take(&box);
  assert_int_equal(number_of(mail), 2);
  assert_null(mailbox_take(&box));
  mailbox_return(&box, mail);
  mailbox_return(&box, NULL);
  assert_int_equal(destroyed[2], 0);
  mailbox_collect(&box);
  assert_int_equal(destroyed[2], 1);
  mailbox_fini(&box);
  assert_int_equal(total_destroyed, 2);
}

static void
all_that_came_back_is_destroyed(void ** state)
{
  (void)state;
  mailbox_t box;
  begin();
  mailbox_init(&box);
  for (int i = 1; i <= 3; i++) {
    // returned ones are not collected in between
    atomic_store(&box.in, letter_create(i));
    mailbox_return(&box, mailbox_take(&box));
  }
  assert_int_equal(total_destroyed, 0);
  mailbox_post(&box, letter_create(4));
  assert_int_equal(total_destroyed, 3);
  mailbox_post(&box, letter_create(5));
  mailbox_return(&box, mailbox_take(&box));
  atomic_store(&box.in, letter_create(6));
  mailbox_fini(&box);
  for (int i = 1; i <= 6; i++) assert_int_equal(destroyed[i], 1);
}

static void
newest_snapshot_wins(void ** state)
{
  (void)state;
  snapshot_t s;
  assert_true(snapshot_init(&s, sizeof(int)));
  assert_null(snapshot_read(&s));
  *(int *)snapshot_write(&s) = 1;
  assert_null(snapshot_read(&s));
  snapshot_publish(&s);
  const int * read = snapshot_read(&s);
  assert_int_equal(*read, 1);
  for (int i = 2; i < 9; i++) {
    *(int *)snapshot_write(&s) = i;
    snapshot_publish(&s);
    // what the reader has stays as it is
    assert_int_equal(*read, 1);
  }
  read = snapshot_read(&s);
  assert_int_equal(*read, 8);
  assert_ptr_equal(snapshot_read(&s), read);
  assert_int_equal(*read, 8);
  snapshot_fini(&s);
}

//---------- two threads ----------

// the control thread's side: it keeps the newest letter and uses it over and over
static void *
control(void * argument)
{
  mailbox_t * box = argument;
  mail_t * current = NULL;
  intptr_t wrong = 0;
  int last = 0;
  while (last < ROUNDS) {
    mail_t * mail = mailbox_take(box);
    if (mail) {
      const int number = number_of(mail);
      if (number <= last) wrong++;
      last = number < 0 ? ROUNDS : number;
      mailbox_return(box, current);
      current = mail;
    }
    if (current && number_of(current) != last) wrong++;
  }
  mailbox_return(box, current);
  return (void *)wrong;
}

static void
letters_between_threads(void ** state)
{
  (void)state;
  mailbox_t box;
  pthread_t thread;
  void * wrong;
  begin();
  mailbox_init(&box);
  assert_int_equal(pthread_create(&thread, NULL, control, &box), 0);
  for (int i = 1; i <= ROUNDS; i++) {
    mailbox_post(&box, letter_create(i));
    if (i % 64 == 0) sched_yield();
    if (i % 7 == 0) mailbox_collect(&box);
  }
  assert_int_equal(pthread_join(thread, &wrong), 0);
  assert_int_equal((intptr_t)wrong, 0);
  mailbox_fini(&box);
  assert_int_equal(total_destroyed, ROUNDS);
  assert_int_equal(atomic_load(&destroyed_elsewhere), 0);
  for (int i = 1; i <= ROUNDS; i++) assert_int_equal(destroyed[i], 1);
}

// many letters in use at once, given back in bursts: the list of returned ones is long
static void *
hoard(void * argument)
{
  mailbox_t * box = argument;
  mail_t * kept[16] = {0};
  intptr_t wrong = 0;
  for (int last = 0, n = 0; last < ROUNDS;) {
    mail_t * mail = mailbox_take(box);
    if (!mail) continue;
    last = number_of(mail);
    if (last < 0) wrong++, last = ROUNDS;
    kept[n++] = mail;
    if (n < 16 && last < ROUNDS) continue;
    while (n > 0) mailbox_return(box, kept[--n]);
  }
  return (void *)wrong;
}

static void
hoarded_letters_between_threads(void ** state)
{
  (void)state;
  mailbox_t box;
  pthread_t thread;
  void * wrong;
  begin();
  mailbox_init(&box);
  assert_int_equal(pthread_create(&thread, NULL, hoard, &box), 0);
  for (int i = 1; i <= ROUNDS; i++) {
    mailbox_post(&box, letter_create(i));
    if (i % 16 == 0) sched_yield();
  }
  assert_int_equal(pthread_join(thread, &wrong), 0);
  assert_int_equal((intptr_t)wrong, 0);
  mailbox_fini(&box);
  assert_int_equal(atomic_load(&destroyed_elsewhere), 0);
  for (int i = 1; i <= ROUNDS; i++) assert_int_equal(destroyed[i], 1);
}

static void *
write_snapshots(void * argument)
{
  snapshot_t * s = argument;
  for (int i = 1; i <= ROUNDS; i++) {
    int * word = snapshot_write(s);
    for (int k = 0; k < WORDS; k++) word[k] = i;
    snapshot_publish(s);
    if (i % 64 == 0) sched_yield();
  }
  return NULL;
}

static void
snapshots_between_threads(void ** state)
{
  (void)state;
  snapshot_t s;
  pthread_t thread;
  assert_true(snapshot_init(&s, WORDS * sizeof(int)));
  assert_int_equal(pthread_create(&thread, NULL, write_snapshots, &s), 0);
  int last = 0;
  while (last < ROUNDS) {
    const int * word = snapshot_read(&s);
    if (!word) continue;
    assert_true(word[0] >= last);
    last = word[0];
    // backwards, to meet a writer that is under way
    for (int k = WORDS - 1; k >= 0; k--) assert_int_equal(word[k], last);
  }
  assert_int_equal(pthread_join(thread, NULL), 0);
  snapshot_fini(&s);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(newest_letter_wins),
    cmocka_unit_test(all_that_came_back_is_destroyed),
    cmocka_unit_test(newest_snapshot_wins),
    cmocka_unit_test(letters_between_threads),
    cmocka_unit_test(hoarded_letters_between_threads),
    cmocka_unit_test(snapshots_between_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
