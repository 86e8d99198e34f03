/// \file view_server.h
/// HTTP and WebSocket of `mbdyn view`, by libwebsockets.
#ifndef VIEW_SERVER_H_
#define VIEW_SERVER_H_

#include <stdatomic.h>

#include "view_client.h"
#include "view_guard.h"

enum { VIEW_PAGES = 64, VIEW_CONNECTIONS = 2000, VIEW_FRAME = 16384 };

/// A folder that is served.
typedef struct view_folder {
  const char * package;  ///< of package://
  char * path;           ///< as realpath has it
} view_folder_t;

typedef struct view_options {
  const char * bind;  ///< address
  int port;           ///< 0: any that is free
  char * web;         ///< folder of the page, as realpath has it; NULL: none
  view_folder_t mesh[64];
  int nmesh;
  view_guard_t guard;
  view_facts_t facts;
} view_options_t;

/// Serves until *stopped.
/// \return exit code; CLI_TROUBLE after a message on stderr
int view_serve(
  const view_options_t * options, const view_sources_t * sources, const atomic_bool * stopped);

#endif  // VIEW_SERVER_H_
