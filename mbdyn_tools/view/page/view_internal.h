/// \file view_internal.h
/// What the files of the server share.
#ifndef VIEW_INTERNAL_H_
#define VIEW_INTERNAL_H_

#include <libwebsockets.h>

#include "view_server.h"

typedef struct view_server {
  const view_options_t * options;
  live_t * live;
  ros_session_t * session;
  struct lws_context * context;
  lws_sorted_usec_list_t tick;
  view_scratch_t scratch;
  int connections, pages;
  double start, end;  ///< of serving; end 0: it goes on
} view_server_t;

/// One connection: a WebSocket, or an answer on its way.
typedef struct view_page {
  int fd;      ///< of a WebSocket
  bool early;  ///< it has sent frames before the answer
  view_client_t * client;
  char * frame;  ///< [VIEW_FRAME], what has come of a message
  size_t frame_size;
  char * body;  ///< behind LWS_PRE bytes
  size_t body_size, body_sent;
} view_page_t;

/// HTTP status of a request by who asks: 0, 401 or 403.
unsigned view_http_refusal(view_server_t * server, struct lws * wsi);
/// What a callback returns after it.
int view_http_error(struct lws * wsi, view_page_t * page, unsigned status, const char * what);
/// A request for a path, decoded.
int view_http_request(
  view_server_t * server, struct lws * wsi, view_page_t * page, const char * in);
/// The next part of an answer.
int view_http_writable(struct lws * wsi, view_page_t * page);

#endif  // VIEW_INTERNAL_H_
