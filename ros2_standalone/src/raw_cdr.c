// Raw CDR for Cyclone DDS: a sample is its serialized bytes, never a C structure. All topics are
// keyless, as ROS 2 has it. Cyclone reads and writes the block itself: nothing is copied on the
// way out, once on the way in.
#include "raw_cdr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dds/ddsi/ddsi_keyhash.h"
#include "dds/ddsi/q_radmin.h"
#include "raw_pool.h"

static const raw_sample_t *
sample_of(const struct ddsi_serdata * serdata)
{
  return (const raw_sample_t *)serdata;
}

static raw_sample_t *
sample_new(const struct ddsi_sertype * type, enum ddsi_serdata_kind kind, size_t size)
{
  size_t padded = (size + 3u) & ~(size_t)3u;
  if (padded > UINT32_MAX / 2) return NULL;
  raw_sample_t * sample = raw_pool_get(padded);
  if (sample == NULL) return NULL;
  memset(&sample->base, 0, sizeof sample->base);
  ddsi_serdata_init(&sample->base, type, kind);
  sample->next = NULL;
  sample->size = (uint32_t)padded;
  memset(sample->data + size, 0, padded - size);
  return sample;
}

raw_sample_t *
raw_sample_new(const struct ddsi_sertype * type, size_t size)
{
  return sample_new(type, SDK_DATA, size);
}

//---------- operations on samples ----------

static bool
serdata_eqkey(const struct ddsi_serdata * a, const struct ddsi_serdata * b)
{
  (void)a;
  (void)b;
  return true;
}

static uint32_t
serdata_size(const struct ddsi_serdata * serdata)
{
  return sample_of(serdata)->size;
}

static void
serdata_free(struct ddsi_serdata * serdata)
{
  raw_pool_put(raw_sample_of(serdata));
}

// from the network: fragments may overlap
static struct ddsi_serdata *
serdata_from_ser(
  const struct ddsi_sertype * type, enum ddsi_serdata_kind kind, const struct nn_rdata * fragments,
  size_t size)
{
  raw_sample_t * sample = sample_new(type, kind, size);
  if (sample == NULL) return NULL;
  uint32_t have = 0;
  for (; fragments != NULL; fragments = fragments->nextfrag) {
    if (fragments->maxp1 <= have || fragments->min > have || fragments->maxp1 > size) continue;
    const uint8_t * payload = NN_RMSG_PAYLOADOFF(fragments->rmsg, NN_RDATA_PAYLOAD_OFF(fragments));
    memcpy(sample->data + have, payload + (have - fragments->min), fragments->maxp1 - have);
    have = fragments->maxp1;
  }
  if (have == size) return &sample->base;
  serdata_free(&sample->base);
  return NULL;
}

static struct ddsi_serdata *
serdata_from_ser_iov(
  const struct ddsi_sertype * type, enum ddsi_serdata_kind kind, ddsrt_msg_iovlen_t count,
  const ddsrt_iovec_t * parts, size_t size)
{
  raw_sample_t * sample = sample_new(type, kind, size);
  if (sample == NULL) return NULL;
  size_t have = 0;
  for (ddsrt_msg_iovlen_t i = 0; i < count && have < size; i++) {
    size_t n = parts[i].iov_len < size - have ? parts[i].iov_len : size - have;
    memcpy(sample->data + have, parts[i].iov_base, n);
    have += n;
  }
  memset(sample->data + have, 0, size - have);
  return &sample->base;
}

static struct ddsi_serdata *
serdata_from_keyhash(const struct ddsi_sertype * type, const struct ddsi_keyhash * keyhash)
{
  (void)keyhash;
  raw_sample_t * sample = sample_new(type, SDK_KEY, 0);
  return sample == NULL ? NULL : &sample->base;
}

// dds_write is never used on these topics
static struct ddsi_serdata *
serdata_from_sample(
  const struct ddsi_sertype * type, enum ddsi_serdata_kind kind, const void * sample)
{
  (void)type;
  (void)kind;
  (void)sample;
  return NULL;
}

static struct ddsi_serdata *
serdata_to_untyped(const struct ddsi_serdata * serdata)
{
  struct ddsi_serdata * untyped = serdata_from_keyhash(serdata->type, NULL);
  if (untyped != NULL) untyped->type = NULL;
  return untyped;
}

static void
serdata_to_ser(const struct ddsi_serdata * serdata, size_t offset, size_t size, void * buffer)
{
  memcpy(buffer, sample_of(serdata)->data + offset, size);
}

static struct ddsi_serdata *
serdata_to_ser_ref(
  const struct ddsi_serdata * serdata, size_t offset, size_t size, ddsrt_iovec_t * ref)
{
  ref->iov_base = (void *)(sample_of(serdata)->data + offset);
  ref->iov_len = (ddsrt_iov_len_t)size;
  return ddsi_serdata_ref(serdata);
}

static void
serdata_to_ser_unref(struct ddsi_serdata * serdata, const ddsrt_iovec_t * ref)
{
  (void)ref;
  ddsi_serdata_unref(serdata);
}

// dds_take is never used on these topics
static bool
serdata_to_sample(const struct ddsi_serdata * serdata, void * sample, void ** bufptr, void * buflim)
{
  (void)serdata;
  (void)sample;
  (void)bufptr;
  (void)buflim;
  return false;
}

static bool
serdata_untyped_to_sample(
  const struct ddsi_sertype * type, const struct ddsi_serdata * serdata, void * sample,
  void ** bufptr, void * buflim)
{
  (void)type;
  return serdata_to_sample(serdata, sample, bufptr, buflim);
}

static size_t
serdata_print(
  const struct ddsi_sertype * type, const struct ddsi_serdata * serdata, char * buffer, size_t size)
{
  (void)type;
  int n = snprintf(buffer, size, "(%u bytes)", sample_of(serdata)->size);
  return n < 0 ? 0 : (size_t)n;
}

static void
serdata_get_keyhash(const struct ddsi_serdata * serdata, struct ddsi_keyhash * keyhash, bool md5)
{
  (void)serdata;
  (void)md5;
  memset(keyhash, 0, sizeof *keyhash);
}

static const struct ddsi_serdata_ops serdata_ops = {
  .eqkey = serdata_eqkey,
  .get_size = serdata_size,
  .from_ser = serdata_from_ser,
  .from_ser_iov = serdata_from_ser_iov,
  .from_keyhash = serdata_from_keyhash,
  .from_sample = serdata_from_sample,
  .to_ser = serdata_to_ser,
  .to_ser_ref = serdata_to_ser_ref,
  .to_ser_unref = serdata_to_ser_unref,
  .to_sample = serdata_to_sample,
  .to_untyped = serdata_to_untyped,
  .untyped_to_sample = serdata_untyped_to_sample,
  .free = serdata_free,
  .print = serdata_print,
  .get_keyhash = serdata_get_keyhash,
};

//---------- operations on types ----------

static void
sertype_free(struct ddsi_sertype * type)
{
  ddsi_sertype_fini(type);
  free(type);
}

static void
sertype_zero_samples(const struct ddsi_sertype * type, void * samples, size_t count)
{
  (void)type;
  (void)samples;
  (void)count;
}

static void
sertype_realloc_samples(
  void ** samples, const struct ddsi_sertype * type, void * old, size_t oldcount, size_t count)
{
  (void)type;
  (void)old;
  (void)oldcount;
  for (size_t i = 0; i < count; i++) samples[i] = NULL;
}

static void
sertype_free_samples(
  const struct ddsi_sertype * type, void ** samples, size_t count, dds_free_op_t op)
{
  (void)op;
  sertype_zero_samples(type, samples, count);
}

// Cyclone has already compared names
static bool
sertype_equal(const struct ddsi_sertype * a, const struct ddsi_sertype * b)
{
  (void)a;
  (void)b;
  return true;
}

static uint32_t
sertype_hash(const struct ddsi_sertype * type)
{
  (void)type;
  return 0;
}

// no type information: like rmw_cyclonedds, nothing of XTypes goes on the wire
static const struct ddsi_sertype_ops sertype_ops = {
  .version = ddsi_sertype_v0,
  .free = sertype_free,
  .zero_samples = sertype_zero_samples,
  .realloc_samples = sertype_realloc_samples,
  .free_samples = sertype_free_samples,
  .equal = sertype_equal,
  .hash = sertype_hash,
};

struct ddsi_sertype *
raw_sertype_new(const char * type_name)
{
  struct ddsi_sertype * type = calloc(1, sizeof *type);
  if (type == NULL) return NULL;
  ddsi_sertype_init_flags(
    type, type_name, &sertype_ops, &serdata_ops, DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
  type->allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
  return type;
}
