/// \file view_internal.h
/// What the files of the server share.
#ifndef VIEW_INTERNAL_H_
#define VIEW_INTERNAL_H_

#include <libwebsockets.h>

#include "view_server.h"

typedef struct view_server {
  const view_options_t * options;
  view_sources_t sources;
  const atomic_bool * stopped;  ///< Ctrl-C
  struct lws_context * context;
  lws_sorted_usec_list_t tick;
  view_scratch_t scratch;
  int connections, pages, uploads;
  double start, end;  ///< of serving; end 0: it goes on
} view_server_t;

typedef struct view_upload view_upload_t;

/// Largest recording that a page may upload [bytes].
#define VIEW_UPLOAD (8ull << 30)

/// Statuses that libwebsockets has no name for.
enum {
  HTTP_STATUS_ACCEPTED = 202,
  HTTP_STATUS_UNPROCESSABLE = 422,
  HTTP_STATUS_INSUFFICIENT_STORAGE = 507
};

/// One connection: a WebSocket, a file on its way here, or an answer on its way there.
typedef struct view_page {
  int fd;      ///< of a WebSocket
  bool early;  ///< it has sent WebSocket frames before the end of the handshake
  view_client_t * client;
  char * frame;  ///< [VIEW_FRAME], what has come of a message
  size_t frame_size;
  char * body;  ///< behind LWS_PRE bytes
  size_t body_size, body_sent;
  view_upload_t * upload;
} view_page_t;

/// HTTP status of a request by who asks: 0, 401 or 403.
unsigned view_http_refusal(view_server_t * server, struct lws * wsi);
/// What a callback returns after it.
int view_http_error(struct lws * wsi, view_page_t * page, unsigned status, const char * what);
/// A request for a path, decoded.
int view_http_request(
  view_server_t * server, struct lws * wsi, view_page_t * page, const char * in);
/// 202, for what is done afterwards.
int view_http_accepted(struct lws * wsi, view_page_t * page);
/// The next part of an answer.
int view_http_writable(struct lws * wsi, view_page_t * page);

/// A PUT request: 0 if its body is wanted, -1 to close, 1 if nothing can be put there.
int view_upload_begin(
  view_server_t * server, struct lws * wsi, view_page_t * page, const char * path);
int view_upload_body(struct lws * wsi, view_page_t * page, const char * in, size_t n);
int view_upload_complete(struct lws * wsi, view_page_t * page);
/// The connection ends, or the upload does.
void view_upload_end(view_page_t * page);

#endif  // VIEW_INTERNAL_H_
