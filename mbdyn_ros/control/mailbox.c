#include "mailbox.h"

#include <stdlib.h>

void
mailbox_init(mailbox_t * box)
{
  atomic_init(&box->in, NULL);
  atomic_init(&box->done, NULL);
}

void
mailbox_post(mailbox_t * box, mail_t * mail)
{
  mail->next = NULL;
  // acquire as well: what was not taken is destroyed here
  mail_t * untaken = atomic_exchange_explicit(&box->in, mail, memory_order_acq_rel);
  if (untaken) untaken->destroy(untaken);
  mailbox_collect(box);
}

void
mailbox_collect(mailbox_t * box)
{
  // the whole list is taken off at once, so that no element can come back while it is looked at
  mail_t * mail = atomic_exchange_explicit(&box->done, NULL, memory_order_acquire);
  while (mail) {
    mail_t * next = mail->next;
    mail->destroy(mail);
    mail = next;
  }
}

mail_t *
mailbox_take(mailbox_t * box)
{
  // most of the time there is nothing: a load leaves the cache line shared
  if (!atomic_load_explicit(&box->in, memory_order_relaxed)) return NULL;
  return atomic_exchange_explicit(&box->in, NULL, memory_order_acquire);
}

void
mailbox_return(mailbox_t * box, mail_t * mail)
{
  if (!mail) return;
  mail->next = atomic_load_explicit(&box->done, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(
    &box->done, &mail->next, mail, memory_order_release, memory_order_relaxed)) {
  }
}

void
mailbox_fini(mailbox_t * box)
{
  mail_t * untaken = atomic_exchange(&box->in, NULL);
  if (untaken) untaken->destroy(untaken);
  mailbox_collect(box);
}

//---------- snapshot ----------

// set in `middle` when the writer put it there, cleared when the reader has exchanged it
enum { FRESH = 4, INDEX = 3 };

bool
snapshot_init(snapshot_t * snapshot, size_t size)
{
  *snapshot = (snapshot_t){.size = size, .writing = 0, .reading = 2};
  atomic_init(&snapshot->middle, 1);
  for (int i = 0; i < 3; i++) {
    snapshot->buffer[i] = calloc(1, size ? size : 1);
    if (!snapshot->buffer[i]) {
      snapshot_fini(snapshot);
      return false;
    }
  }
  return true;
}

void
snapshot_fini(snapshot_t * snapshot)
{
  for (int i = 0; i < 3; i++) {
    free(snapshot->buffer[i]);
    snapshot->buffer[i] = NULL;
  }
}

void *
snapshot_write(snapshot_t * snapshot)
{
  return snapshot->buffer[snapshot->writing];
}

void
snapshot_publish(snapshot_t * snapshot)
{
  // release: what was written; acquire: the reader is done with the buffer that comes back
  const int back =
    atomic_exchange_explicit(&snapshot->middle, snapshot->writing | FRESH, memory_order_acq_rel);
  snapshot->writing = back & INDEX;
}

const void *
snapshot_read(snapshot_t * snapshot)
{
  if (atomic_load_explicit(&snapshot->middle, memory_order_relaxed) & FRESH) {
    const int newest =
      atomic_exchange_explicit(&snapshot->middle, snapshot->reading, memory_order_acq_rel);
    snapshot->reading = newest & INDEX;
    snapshot->known = true;
  }
  return snapshot->known ? snapshot->buffer[snapshot->reading] : NULL;
}
