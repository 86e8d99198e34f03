// DDS writers and readers of raw CDR topics.
#include <string.h>

#include "impl.h"
#include "rmw/rmw.h"
#include "rosidl_typesupport_introspection_c/identifier.h"

const cdr_members_t *
sa_members(const rosidl_message_type_support_t * type_support)
{
  const rosidl_message_type_support_t * introspection =
    get_message_typesupport_handle(type_support, rosidl_typesupport_introspection_c__identifier);
  if (introspection == NULL) return NULL;
  const cdr_members_t * members = introspection->data;
  const char * bad = cdr_unsupported(members);
  if (bad == NULL) return members;
  RCL_SET_ERROR_MSG_WITH_FORMAT_STRING("unsupported type of field '%s'", bad);
  return NULL;
}

// the topic keeps the type; an equal one that exists already takes its place
static dds_entity_t
topic_open(
  const rcl_context_t * context, const cdr_members_t * members, const char * name,
  struct ddsi_sertype ** type)
{
  char type_name[512];
  if (!sa_dds_type(members, type_name, sizeof type_name)) {
    RCL_SET_ERROR_MSG("type name is too long");
    return DDS_RETCODE_BAD_PARAMETER;
  }
  struct ddsi_sertype * wanted = raw_sertype_new(type_name);
  if (wanted == NULL) return DDS_RETCODE_OUT_OF_RESOURCES;
  *type = wanted;
  dds_entity_t topic =
    dds_create_topic_sertype(context->impl->participant, name, type, NULL, NULL, NULL);
  if (topic < 0) {
    ddsi_sertype_unref(wanted);
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING(
      "failed to create topic '%s': %s", name, dds_strretcode(topic));
  }
  return topic;
}

static void
set_user_data(dds_qos_t * qos, const char * user_data)
{
  if (user_data != NULL) dds_qset_userdata(qos, user_data, strlen(user_data));
}

rcl_ret_t
sa_writer_open(
  sa_writer_t * writer, const rcl_context_t * context, const cdr_members_t * members,
  const char * topic_name, const rmw_qos_profile_t * profile, const char * user_data)
{
  dds_qos_t * qos = sa_qos(profile, false);
  if (qos == NULL) return RCL_RET_ERROR;
  set_user_data(qos, user_data);
  writer->members = members;
  dds_entity_t topic = topic_open(context, members, topic_name, &writer->type);
  writer->writer =
    topic < 0 ? topic : dds_create_writer(context->impl->publisher, topic, qos, NULL);
  dds_delete_qos(qos);
  if (topic >= 0) dds_delete(topic);
  if (writer->writer >= 0 && dds_get_instance_handle(writer->writer, &writer->handle) >= 0) {
    return RCL_RET_OK;
  }
  if (topic >= 0) RCL_SET_ERROR_MSG("failed to create writer");
  return RCL_RET_ERROR;
}

rcl_ret_t
sa_reader_open(
  sa_reader_t * reader, const rcl_context_t * context, const cdr_members_t * members,
  const char * topic_name, const rmw_qos_profile_t * profile, const char * user_data,
  bool ignore_local)
{
  dds_qos_t * qos = sa_qos(profile, ignore_local);
  if (qos == NULL) return RCL_RET_ERROR;
  set_user_data(qos, user_data);
  reader->members = members;
  atomic_init(&reader->dropped, 0);
  struct ddsi_sertype * type;
  dds_entity_t topic = topic_open(context, members, topic_name, &type);
  reader->reader =
    topic < 0 ? topic : dds_create_reader(context->impl->subscriber, topic, qos, NULL);
  dds_delete_qos(qos);
  if (topic >= 0) dds_delete(topic);
  if (reader->reader >= 0) {
    reader->condition = dds_create_readcondition(reader->reader, DDS_ANY_STATE);
    if (reader->condition >= 0) return RCL_RET_OK;
    dds_delete(reader->reader);
  }
  if (topic >= 0) RCL_SET_ERROR_MSG("failed to create reader");
  return RCL_RET_ERROR;
}

void
sa_writer_close(sa_writer_t * writer)
{
  dds_delete(writer->writer);
}

void
sa_reader_close(sa_reader_t * reader)
{
  dds_delete(reader->condition);
  dds_delete(reader->reader);
}

rcl_ret_t
sa_write(const sa_writer_t * writer, const void * message, const cdr_request_id_t * id)
{
  const cdr_members_t * members = writer->members;
  size_t size = id == NULL ? cdr_size(members, message) : cdr_service_size(members, message);
  if (size == 0) {
    RCL_SET_ERROR_MSG("message cannot be serialized: a field exceeds its bound");
    return RCL_RET_ERROR;
  }
  raw_sample_t * sample = raw_sample_new(writer->type, size);
  if (sample == NULL) {
    RCL_SET_ERROR_MSG("out of memory");
    return RCL_RET_BAD_ALLOC;
  }
  bool written = id == NULL ? cdr_write(members, message, sample->data, sample->size)
                            : cdr_service_write(members, id, message, sample->data, sample->size);
  if (!written) {
    ddsi_serdata_unref(&sample->base);
    RCL_SET_ERROR_MSG("message cannot be serialized");
    return RCL_RET_ERROR;
  }
  if (dds_writecdr(writer->writer, &sample->base) >= 0) return RCL_RET_OK;
  RCL_SET_ERROR_MSG("cannot publish data");
  return RCL_RET_ERROR;
}

raw_sample_t *
sa_take(const sa_reader_t * reader, dds_sample_info_t * info)
{
  struct ddsi_serdata * serdata;
  while (dds_takecdr(reader->reader, &serdata, 1, info, DDS_ANY_STATE) == 1) {
    // without data: a writer has gone
    if (info->valid_data) return raw_sample_of(serdata);
    ddsi_serdata_unref(serdata);
  }
  return NULL;
}

void
sa_count_dropped(sa_reader_t * reader)
{
  atomic_fetch_add_explicit(&reader->dropped, 1, memory_order_relaxed);
}

//---------- rmw: messages to bytes and back ----------

const char *
rmw_get_implementation_identifier(void)
{
  return "rmw_cyclonedds_cpp";
}

const char *
rmw_get_serialization_format(void)
{
  return "cdr";
}

rmw_ret_t
rmw_serialize(
  const void * ros_message, const rosidl_message_type_support_t * type_support,
  rmw_serialized_message_t * serialized_message)
{
  const cdr_members_t * members = sa_members(type_support);
  if (members == NULL) return RMW_RET_ERROR;
  size_t size = cdr_size(members, ros_message);
  if (size == 0) return RMW_RET_ERROR;
  if (serialized_message->buffer_capacity < size) {
    rcutils_ret_t ret = rcutils_uint8_array_resize(serialized_message, size);
    if (ret != RCUTILS_RET_OK) return RMW_RET_BAD_ALLOC;
  }
  if (!cdr_write(members, ros_message, serialized_message->buffer, size)) return RMW_RET_ERROR;
  serialized_message->buffer_length = size;
  return RMW_RET_OK;
}

rmw_ret_t
rmw_deserialize(
  const rmw_serialized_message_t * serialized_message,
  const rosidl_message_type_support_t * type_support, void * ros_message)
{
  const cdr_members_t * members = sa_members(type_support);
  if (members == NULL) return RMW_RET_ERROR;
  bool read = cdr_read(
    members, serialized_message->buffer, serialized_message->buffer_length, NULL, ros_message);
  if (read) return RMW_RET_OK;
  RCL_SET_ERROR_MSG("message cannot be deserialized");
  return RMW_RET_ERROR;
}
