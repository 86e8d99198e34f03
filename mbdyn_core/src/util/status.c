#include "mbdyn/status.h"

const char *
mbd_status_string(mbd_status_t status)
{
  switch (status) {
#define TEXT(name, number, text) \
  case name: return text;
    MBD_STATUS_LIST(TEXT)
#undef TEXT
  }
  return "unknown status";
}

const char *
mbd_status_name(mbd_status_t status)
{
  switch (status) {
#define NAME(name, number, text) \
  case name: return #name;
    MBD_STATUS_LIST(NAME)
#undef NAME
  }
  return "unknown status";
}
