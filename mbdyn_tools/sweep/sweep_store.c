// Results on disk: results.npy has a row for every point; the journal says which chunks of rows are good.
//
// A chunk is written to results.npy first, then its record to the journal: index and hash of the rows. A program
// that is killed leaves at worst rows without a record, or half a record at the end; a machine that loses power
// may leave a record without its rows, which the hash shows. Both are computed again.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep.h"

static const char MAGIC[8] = "mbdswp1";

typedef struct journal_header {
  char magic[8];
  uint64_t fingerprint, npoint, ncolumn, chunk;
} journal_header_t;

typedef struct journal_record {
  uint64_t chunk, hash;
} journal_record_t;

uint64_t
sweep_chunk_points(const sweep_plan_t * plan, uint64_t chunk)
{
  const uint64_t left = plan->npoint - chunk * plan->chunk;
  return left < plan->chunk ? left : plan->chunk;
}

static size_t
chunk_bytes(const sweep_plan_t * plan, uint64_t chunk)
{
  return (size_t)sweep_chunk_points(plan, chunk) * (size_t)plan->ncolumn * sizeof(double);
}

static off_t
row_at(const sweep_store_t * s, uint64_t point)
{
  return (off_t)(s->header + point * (uint64_t)s->plan->ncolumn * sizeof(double));
}

static uint64_t
hash_rows(const void * rows, size_t n, uint64_t chunk)
{
  uint64_t hash = UINT64_C(14695981039346656037) ^ chunk, word;
  for (size_t i = 0; i + sizeof word <= n; i += sizeof word) {
    memcpy(&word, (const char *)rows + i, sizeof word);
    hash = (hash ^ word) * UINT64_C(1099511628211);
    hash ^= hash >> 29;
  }
  return hash;
}

// the whole of it, or an error
static bool
write_at(int file, const void * bytes, size_t n, off_t at)
{
  while (n > 0) {
    const ssize_t k = pwrite(file, bytes, n, at);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    bytes = (const char *)bytes + k, n -= (size_t)k, at += k;
  }
  return true;
}

static bool
read_at(int file, void * bytes, size_t n, off_t at)
{
  while (n > 0) {
    const ssize_t k = pread(file, bytes, n, at);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    bytes = (char *)bytes + k, n -= (size_t)k, at += k;
  }
  return true;
}

static bool
fail(const sweep_store_t * s, const char * what)
{
  fprintf(stderr, "mbdyn sweep: %s '%s': %s\n", what, s->folder, strerror(errno));
  return false;
}

//---------- files ----------

// NumPy's format 1.0: the header fills 64 bytes, so that rows are aligned
static bool
start_results(sweep_store_t * s)
{
  char text[256];
  const int n = snprintf(
    text, sizeof text, "{'descr': '<f8', 'fortran_order': False, 'shape': (%" PRIu64 ", %d), }",
    s->plan->npoint, s->plan->ncolumn);
  char header[320] = "\x93NUMPY\x01";
  s->header = ((size_t)(10 + n + 1) + 63) / 64 * 64;
  const size_t size = s->header - 10;
  header[8] = (char)(size & 255), header[9] = (char)(size >> 8);
  memcpy(header + 10, text, (size_t)n);
  memset(header + 10 + n, ' ', size - (size_t)n - 1);
  header[s->header - 1] = '\n';
  return write_at(s->results, header, s->header, 0);
}

static bool
read_journal(sweep_store_t * s, off_t size)
{
  journal_record_t record;
  double * rows = malloc(chunk_bytes(s->plan, 0) + 1);
  if (!rows) return false;
  off_t at = sizeof(journal_header_t);
  for (; at + (off_t)sizeof record <= size; at += (off_t)sizeof record) {
    if (!read_at(s->journal, &record, sizeof record, at)) break;
    if (record.chunk >= s->plan->nchunk || s->done[record.chunk]) continue;
    const size_t n = chunk_bytes(s->plan, record.chunk);
    if (!read_at(s->results, rows, n, row_at(s, record.chunk * s->plan->chunk))) continue;
    if (hash_rows(rows, n, record.chunk) != record.hash) continue;
    s->done[record.chunk] = 1;
    s->ndone++;
  }
  free(rows);
  s->nfound = s->ndone;
  // half a record, if there is one, is overwritten
  return ftruncate(s->journal, at) == 0;
}

static bool
open_files(sweep_store_t * s, bool restart)
{
  char path[4400];
  snprintf(path, sizeof path, "%s/journal", s->folder);
  if (mkdir(s->folder, 0777) != 0 && errno != EEXIST) return fail(s, "cannot create folder");
  s->journal = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->journal < 0) return fail(s, "cannot write to folder");
  if (flock(s->journal, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    fprintf(stderr, "mbdyn sweep: another sweep is writing to '%s'\n", s->folder);
    return false;
  }
  snprintf(path, sizeof path, "%s/results.npy", s->folder);
  s->results = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (s->results < 0) return fail(s, "cannot write to folder");
  return !restart || (ftruncate(s->journal, 0) == 0 && ftruncate(s->results, 0) == 0) ||
         fail(s, "cannot write to folder");
}

static bool
check_header(sweep_store_t * s, const journal_header_t * wanted)
{
  journal_header_t found;
  if (read_at(s->journal, &found, sizeof found, 0) && memcmp(&found, wanted, sizeof found) == 0)
    return true;
  fprintf(
    stderr,
    "mbdyn sweep: '%s' has the results of another sweep: the sweep file, the robot or the version "
    "of mbdyn has changed; use --restart to throw them away, or --out for another folder\n",
    s->folder);
  return false;
}

bool
sweep_store_open(sweep_store_t * s, const sweep_plan_t * plan, const char * folder, bool restart)
{
  *s = (sweep_store_t){.plan = plan, .folder = folder, .results = -1, .journal = -1};
  s->done = calloc(plan->nchunk + 1, 1);
  if (!s->done) {
    fputs("mbdyn sweep: out of memory\n", stderr);
    return false;
  }
  journal_header_t header = {
    .fingerprint = plan->fingerprint,
    .npoint = plan->npoint,
    .ncolumn = (uint64_t)plan->ncolumn,
    .chunk = plan->chunk};
  memcpy(header.magic, MAGIC, sizeof MAGIC);
  if (!open_files(s, restart)) return false;
  struct stat journal;
  if (fstat(s->journal, &journal) != 0) return fail(s, "cannot read folder");
  const bool fresh = journal.st_size < (off_t)sizeof header;
  if (!fresh && !check_header(s, &header)) return false;
  if (!start_results(s)) return fail(s, "cannot write to folder");
  if (!fresh) return read_journal(s, journal.st_size) || fail(s, "cannot read folder");
  // rows that are not computed yet read as zeros, with status 0
  if (ftruncate(s->results, row_at(s, plan->npoint)) != 0)
    return fail(s, "no space for the results in folder");
  return write_at(s->journal, &header, sizeof header, 0) || fail(s, "cannot write to folder");
}

//---------- rows ----------

bool
sweep_store_put(sweep_store_t * s, uint64_t chunk, const double * rows)
{
  const size_t n = chunk_bytes(s->plan, chunk);
  const journal_record_t record = {chunk, hash_rows(rows, n, chunk)};
  if (
    !write_at(s->results, rows, n, row_at(s, chunk * s->plan->chunk)) ||
    !write_at(s->journal, &record, sizeof record, lseek(s->journal, 0, SEEK_END)))
    return false;
  s->done[chunk] = 1;
  s->ndone++;
  return true;
}

const double *
sweep_store_rows(sweep_store_t * s)
{
  if (s->map) return (const double *)(s->map + s->header);
  s->map_size = (size_t)row_at(s, s->plan->npoint);
  void * map = mmap(NULL, s->map_size, PROT_READ, MAP_SHARED, s->results, 0);
  if (map == MAP_FAILED) return NULL;
  (void)madvise(map, s->map_size, MADV_SEQUENTIAL);
  s->map = map;
  return (const double *)(s->map + s->header);
}

void
sweep_store_close(sweep_store_t * s)
{
  if (s->map) munmap(s->map, s->map_size);
  if (s->results >= 0) close(s->results);
  if (s->journal >= 0) close(s->journal);
  free(s->done);
}
