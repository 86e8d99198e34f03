// Points on threads, and on ranks of MPI. Rank 0 gives out chunks and keeps their rows, while its threads compute
// too; the other ranks compute, ask and answer in one message. They ask AHEAD chunks ahead, so that no rank waits.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sweep.h"
#include "threads.h"

typedef struct run {
  sweep_store_t * store;
  const sweep_mpi_t * mpi;
  const atomic_bool * stop;
  pthread_mutex_t lock;  // of what follows
  uint64_t next;         // chunks before it are done or given
  uint8_t * given;       // [nchunk] to somebody who has not answered yet
  bool failed;
  int error;  // errno of it, or 0: out of memory
  double began, shown;
  int ranks;             // that still work, without this one
  struct other * other;  // [size]
} run_t;

#define NONE UINT64_MAX
enum { AHEAD = 2 };

// a rank that computes
typedef struct other {
  uint64_t held[AHEAD];  // chunks it has, or NONE
  int ended;             // times that it was told that there are no more, or AHEAD: it is lost
} other_t;

// what a rank says with its rows, and what it is told: with NONE to end
typedef struct message {
  uint64_t chunk;
  uint64_t fingerprint;  // 0: it could not read the sweep
} message_t;

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

//---------- chunks ----------

static uint64_t
take_chunk(run_t * r)
{
  const uint64_t n = r->store->plan->nchunk;
  uint64_t chunk = NONE;
  pthread_mutex_lock(&r->lock);
  while (r->next < n && (r->store->done[r->next] || r->given[r->next])) r->next++;
  if (r->next < n && !r->failed && !atomic_load(r->stop)) {
    chunk = r->next++;
    r->given[chunk] = 1;
  }
  pthread_mutex_unlock(&r->lock);
  return chunk;
}

static void
show_progress(run_t * r)
{
  const double t = now();
  if (!isatty(STDERR_FILENO) || t < r->shown + 0.1) return;
  r->shown = t;
  const sweep_store_t * s = r->store;
  const uint64_t fresh = s->ndone - s->nfound, left = s->plan->nchunk - s->ndone;
  const double part = (double)s->ndone / (double)s->plan->nchunk;
  const double rest = fresh > 0 ? (t - r->began) / (double)fresh * (double)left : 0;
  fprintf(
    stderr, "\r[%.*s%*s] %3.0f %%, %.0f s left \033[K", (int)(30 * part),
    "##############################", 30 - (int)(30 * part), "", 100 * part, rest);
}

static void
keep_chunk(run_t * r, uint64_t chunk, const double * rows)
{
  pthread_mutex_lock(&r->lock);
  r->given[chunk] = 0;
  if (!r->failed && !r->store->done[chunk] && !sweep_store_put(r->store, chunk, rows)) {
    r->failed = true;
    r->error = errno;
  }
  show_progress(r);
  pthread_mutex_unlock(&r->lock);
}

// a chunk whose rank has died
static void
return_chunk(run_t * r, uint64_t chunk)
{
  pthread_mutex_lock(&r->lock);
  r->given[chunk] = 0;
  if (chunk < r->next) r->next = chunk;
  pthread_mutex_unlock(&r->lock);
}

static void
compute_chunk(sweep_worker_t * worker, const sweep_plan_t * plan, uint64_t chunk, double * rows)
{
  const uint64_t n = sweep_chunk_points(plan, chunk);
  for (uint64_t k = 0; k < n; k++)
    sweep_point(worker, chunk * plan->chunk + k, rows + k * (uint64_t)plan->ncolumn);
}

static double *
chunk_rows(const sweep_plan_t * plan, size_t before)
{
  return malloc(before + (size_t)plan->chunk * (size_t)plan->ncolumn * sizeof(double));
}

static void
work(void * context, int part)
{
  (void)part;
  run_t * r = context;
  const sweep_plan_t * plan = r->store->plan;
  sweep_worker_t * worker = sweep_worker_create(plan);
  double * rows = chunk_rows(plan, 0);
  if (!worker || !rows) {
    pthread_mutex_lock(&r->lock);
    r->failed = true;
    pthread_mutex_unlock(&r->lock);
  }
  for (uint64_t chunk; worker && rows && (chunk = take_chunk(r)) != NONE;) {
    compute_chunk(worker, plan, chunk, rows);
    keep_chunk(r, chunk, rows);
  }
  sweep_worker_free(worker);
  free(rows);
}

//---------- ranks ----------

bool
sweep_mpi_find(const sweep_mpi_t ** mpi)
{
  static const char * const VARIABLE[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
  const char * found = NULL;
  for (int k = 0; k < 3 && !found; k++) {
    if (getenv(VARIABLE[k])) found = VARIABLE[k];
  }
  *mpi = NULL;
  if (!found) return true;
  // beside the program where it is built, in the library folder where it is installed
  char own[4096], path[4400];
  const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
  if (n <= 0) return false;
  own[n] = 0;
  *strrchr(own, '/') = 0;
  static const char * const PLACE[] = {"", "/../" MBDYN_LIBDIR "/mbdyn"};
  void * module = NULL;
  for (int k = 0; k < 2 && !module; k++) {
    snprintf(path, sizeof path, "%s%s/mbdyn_sweep_mpi.so", own, PLACE[k]);
    if (access(path, R_OK) == 0) module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  }
  const sweep_mpi_t * (*open_ranks)(void) = NULL;
  if (module) *(void **)&open_ranks = dlsym(module, "mbdyn_sweep_mpi_open");
  if (!open_ranks) {
    fprintf(
      stderr,
      "mbdyn sweep: %s is set, so that this seems to be a run of mpirun, but this build has no "
      "MPI (%s); build mbdyn where libopenmpi-dev is installed, or run it without mpirun\n",
      found, dlerror() ? "it cannot be loaded" : "mbdyn_sweep_mpi.so is missing");
    return false;
  }
  *mpi = open_ranks();
  return *mpi != NULL;
}

static void
say_lost(int rank, const char * why)
{
  fprintf(stderr, "mbdyn sweep: rank %d %s; the others go on\n", rank, why);
}

static void
forget_rank(run_t * r, int rank)
{
  other_t * other = &r->other[rank];
  if (other->ended == AHEAD) return;
  for (int k = 0; k < AHEAD; k++) {
    if (other->held[k] != NONE) return_chunk(r, other->held[k]);
  }
  *other = (other_t){{NONE, NONE}, AHEAD};
  r->ranks--;
}

// the place where it has this chunk, or -1
static int
find_held(const other_t * other, uint64_t chunk)
{
  for (int k = 0; k < AHEAD; k++) {
    if (other->held[k] == chunk) return k;
  }
  return -1;
}

static void
answer_rank(run_t * r, int rank, const message_t * said, const double * rows, long n)
{
  const sweep_plan_t * plan = r->store->plan;
  other_t * other = &r->other[rank];
  message_t answer = {.chunk = NONE, .fingerprint = plan->fingerprint};
  const bool same = said->fingerprint == plan->fingerprint;
  if (!same && other->ended == 0)
    say_lost(
      rank, said->fingerprint == 0 ? "could not read the sweep file or its robot"
                                   : "has another sweep file, robot or version of mbdyn");
  const int had = same && said->chunk != NONE ? find_held(other, said->chunk) : -1;
  if (had >= 0) {
    const size_t size =
      (size_t)sweep_chunk_points(plan, said->chunk) * (size_t)plan->ncolumn * sizeof *rows;
    other->held[had] = NONE;
    if (n == (long)(sizeof *said + size))
      keep_chunk(r, said->chunk, rows);
    else
      return_chunk(r, said->chunk);
  }
  const int place = find_held(other, NONE);
  if (same && place >= 0) answer.chunk = other->held[place] = take_chunk(r);
  if (answer.chunk == NONE && other->ended < AHEAD && ++other->ended == AHEAD) r->ranks--;
  if (r->mpi->send(rank, &answer, sizeof answer)) return;
  say_lost(rank, "cannot be reached");
  forget_rank(r, rank);
}

static void
serve_ranks(run_t * r)
{
  const sweep_plan_t * plan = r->store->plan;
  const size_t most =
    sizeof(message_t) + (size_t)plan->chunk * (size_t)plan->ncolumn * sizeof(double);
  char * bytes = malloc(most);
  int lost = 0;
  while (bytes && r->ranks > 0) {
    int from = -1;
    const long n = r->mpi->receive(bytes, most, &from);
    if (n >= (long)sizeof(message_t)) {
      message_t said;
      memcpy(&said, bytes, sizeof said);
      answer_rank(r, from, &said, (const double *)(bytes + sizeof said), n);
    } else if (n < 0 && from > 0) {
      say_lost(from, "has died");
      forget_rank(r, from);
    } else if (n < 0 && ++lost > 100) {
      fputs("mbdyn sweep: MPI has failed; the other ranks are given up\n", stderr);
      for (int k = 1; k < r->mpi->size; k++) forget_rank(r, k);
    }
  }
  free(bytes);
}

typedef struct helpers {
  run_t * run;
  int threads;
} helpers_t;

static void *
work_beside(void * context)
{
  const helpers_t * h = context;
  threads_run(h->threads, work, h->run);
  return NULL;
}

sweep_end_t
sweep_run(sweep_store_t * store, int threads, const sweep_mpi_t * mpi, const atomic_bool * stop)
{
  const uint64_t n = store->plan->nchunk;
  const size_t size = mpi ? (size_t)mpi->size : 1;
  run_t r = {
    .store = store,
    .mpi = mpi,
    .stop = stop,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .given = calloc(n + 1, 1),
    .began = now(),
    .ranks = (int)size - 1,
    .other = malloc(size * sizeof *r.other)};
  if (!r.given || !r.other) {
    r.failed = true;
  } else {
    for (size_t k = 0; k < size; k++) r.other[k] = (other_t){{NONE, NONE}, 0};
    helpers_t helpers = {&r, threads};
    pthread_t thread;
    if (size > 1 && pthread_create(&thread, NULL, work_beside, &helpers) == 0) {
      serve_ranks(&r);
      pthread_join(thread, NULL);
      // chunks of ranks that died after the threads had found nothing more
      threads_run(threads, work, &r);
    } else {
      threads_run(threads, work, &r);
      if (size > 1) serve_ranks(&r);
    }
  }
  if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
  free(r.given);
  free(r.other);
  if (r.failed)
    fprintf(
      stderr, "mbdyn sweep: %s '%s': %s\n", r.error ? "cannot write to folder" : "no memory for",
      store->folder, r.error ? strerror(r.error) : "out of memory");
  return r.failed ? SWEEP_FAILED : store->ndone == n ? SWEEP_DONE : SWEEP_STOPPED;
}

bool
sweep_serve(const sweep_plan_t * plan, const sweep_mpi_t * mpi)
{
  message_t said = {.chunk = NONE, .fingerprint = plan ? plan->fingerprint : 0};
  message_t told = {.chunk = NONE};
  sweep_worker_t * worker = plan ? sweep_worker_create(plan) : NULL;
  char * bytes = plan ? (char *)chunk_rows(plan, sizeof said) : NULL;
  if (!worker || !bytes) said.fingerprint = 0;
  int from = 0, asked = 0;
  bool ok = true;
  for (; ok && asked < AHEAD; asked++) ok = mpi->send(0, &said, sizeof said);
  while (ok && asked > 0) {
    ok = mpi->receive(&told, sizeof told, &from) == sizeof told;
    asked--;
    if (!ok || told.chunk == NONE || !worker || !bytes) continue;
    said.chunk = told.chunk;
    memcpy(bytes, &said, sizeof said);
    compute_chunk(worker, plan, told.chunk, (double *)(bytes + sizeof said));
    ok = mpi->send(
      0, bytes,
      sizeof said +
        (size_t)sweep_chunk_points(plan, told.chunk) * (size_t)plan->ncolumn * sizeof(double));
    asked++;
  }
  sweep_worker_free(worker);
  free(bytes);
  return ok;
}

void
sweep_dismiss(const sweep_mpi_t * mpi)
{
  const message_t end = {.chunk = NONE};
  for (int left = AHEAD * (mpi->size - 1), tries = 0; left > 0 && tries < 10000; tries++) {
    message_t said;
    int from = -1;
    if (mpi->receive(&said, sizeof said, &from) <= 0) continue;
    (void)mpi->send(from, &end, sizeof end);
    left--;
  }
}
