/// \file mailbox.h
/// Hand-over between the executor's thread and the control thread, without locks.
///
///   mailbox_t    newest object wins: the executor posts, the control thread takes and gives back
///                what it has done with
///   snapshot_t   three buffers: the control thread writes, the executor reads the newest whole one
///
/// One thread on each side.
#ifndef MBDYN_ROS__MAILBOX_H_
#define MBDYN_ROS__MAILBOX_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/// First member of what is posted.
typedef struct mail {
  struct mail * next;
  void (*destroy)(struct mail * self);  ///< called on the executor's side
} mail_t;

typedef struct mailbox {
  _Atomic(mail_t *) in;
  _Atomic(mail_t *) done;
} mailbox_t;

void mailbox_init(mailbox_t * box);
/// Executor: replaces what was not yet taken (which is destroyed), and destroys what came back.
void mailbox_post(mailbox_t * box, mail_t * mail);
/// Executor: destroys what came back.
void mailbox_collect(mailbox_t * box);
/// Control: the newest object, or NULL if there is none since the last time. Wait-free.
mail_t * mailbox_take(mailbox_t * box);
/// Control: an object that is no longer used; NULL is fine. Lock-free.
void mailbox_return(mailbox_t * box, mail_t * mail);
/// No thread uses it any more: destroys everything in it.
void mailbox_fini(mailbox_t * box);

typedef struct snapshot {
  unsigned char * buffer[3];
  size_t size;
  int writing, reading;
  bool known;         ///< the reader has had one
  atomic_int middle;  ///< index of the buffer between them, FRESH set if it was written since
} snapshot_t;

/// Allocates three times size bytes, zeroed.
bool snapshot_init(snapshot_t * snapshot, size_t size);
void snapshot_fini(snapshot_t * snapshot);
/// Writer: fill this (it holds something old), then publish.
void * snapshot_write(snapshot_t * snapshot);
void snapshot_publish(snapshot_t * snapshot);
/// Reader: the newest published one, stable until the next call; NULL before the first.
const void * snapshot_read(snapshot_t * snapshot);

#endif  // MBDYN_ROS__MAILBOX_H_
