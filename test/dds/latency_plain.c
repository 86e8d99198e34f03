// Plain Cyclone: a type of its own compiler, dds_write, a wait set, dds_take with loans.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dds/dds.h"
#include "latency_path.h"
#include "plain.h"

static dds_entity_t participant, writer, reader, set;
static uint8_t load[LATENCY_BYTES - 8];
static plain_bytes out;

static dds_entity_t
good(dds_entity_t entity)
{
  if (entity >= 0) return entity;
  fprintf(stderr, "plain Cyclone: %s\n", dds_strretcode(entity));
  exit(1);
}

static void
plain_open(bool echo)
{
  const char * names[] = {"plain_ping", "plain_pong"};
  const char * domain = getenv("ROS_DOMAIN_ID");
  dds_domainid_t id = domain == NULL ? 0 : (dds_domainid_t)strtoul(domain, NULL, 10);
  participant = good(dds_create_participant(id, NULL, NULL));
  dds_qos_t * qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_qset_writer_data_lifecycle(qos, false);
  dds_entity_t topics[2];
  for (int i = 0; i < 2; i++) {
    topics[i] = good(dds_create_topic(participant, &plain_bytes_desc, names[i], NULL, NULL));
  }
  writer = good(dds_create_writer(participant, topics[echo], qos, NULL));
  reader = good(dds_create_reader(participant, topics[!echo], qos, NULL));
  dds_delete_qos(qos);
  set = good(dds_create_waitset(participant));
  good(dds_waitset_attach(set, good(dds_create_readcondition(reader, DDS_ANY_STATE)), 0));
  out.data._buffer = load;
  out.data._length = out.data._maximum = sizeof load;
}

static void
plain_close(void)
{
  dds_delete(participant);
}

static bool
plain_matched(void)
{
  dds_publication_matched_status_t readers;
  dds_subscription_matched_status_t writers;
  good(dds_get_publication_matched_status(writer, &readers));
  good(dds_get_subscription_matched_status(reader, &writers));
  return readers.current_count > 0 && writers.current_count > 0;
}

static void
plain_send(word_t word)
{
  memcpy(load, &word, sizeof word);
  good(dds_write(writer, &out));
}

static bool
take_word(word_t * word)
{
  void * sample[1] = {NULL};
  dds_sample_info_t info;
  if (good(dds_take(reader, sample, &info, 1, 1)) < 1) return false;
  const plain_bytes * bytes = sample[0];
  bool valid = info.valid_data && bytes->data._length == sizeof load;
  if (valid) memcpy(word, bytes->data._buffer, sizeof *word);
  good(dds_return_loan(reader, sample, 1));
  return valid;
}

static bool
plain_receive(word_t * word, int milliseconds)
{
  if (take_word(word)) return true;
  return good(dds_waitset_wait(set, NULL, 0, DDS_MSECS((int64_t)milliseconds))) > 0 &&
         take_word(word);
}

const path_t path_plain = {
  .name = "plain Cyclone",
  .open = plain_open,
  .close = plain_close,
  .matched = plain_matched,
  .send = plain_send,
  .receive = plain_receive,
};
