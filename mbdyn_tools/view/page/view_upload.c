// PUT: a recording or a URDF from a page. A recording goes into a temporary file as it comes, which is
// deleted as soon as it is open.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "view_internal.h"

enum { NAME = 200 };

struct view_upload {
  view_server_t * server;
  size_t size, got;  // announced; so far
  int fd;            // of a recording; -1: a URDF, in text
  char * text;
  char path[PATH_MAX], name[NAME];
  int error;  // of writing
};

//---------- start and end ----------

static const char *
ending_of(const char * name)
{
  static const char * const endings[] = {".mcap", ".db3"};
  const size_t n = strlen(name);
  for (int i = 0; i < 2; i++) {
    const size_t m = strlen(endings[i]);
    if (n > m && strcasecmp(name + n - m, endings[i]) == 0) return endings[i];
  }
  return NULL;
}

// on a disk: what is in /tmp may be in memory
static bool
make_file(view_upload_t * u, const char * ending)
{
  const char * folder = getenv("TMPDIR");
  const int n = snprintf(
    u->path, sizeof u->path, "%s/mbdyn_view_XXXXXX%s", folder && *folder ? folder : "/var/tmp",
    ending);
  if (n >= (int)sizeof u->path) return errno = ENAMETOOLONG, false;
  u->fd = mkstemps(u->path, (int)strlen(ending));
  if (u->fd >= 0) return true;
  u->path[0] = 0;
  return false;
}

void
view_upload_end(view_page_t * page)
{
  view_upload_t * u = page->upload;
  if (!u) return;
  if (u->fd >= 0) close(u->fd);
  if (u->path[0]) (void)unlink(u->path);
  u->server->uploads--;
  free(u->text);
  free(u);
  page->upload = NULL;
}

// closes the connection after the answer: what else comes is not read
static int
refuse_upload(struct lws * wsi, view_page_t * page, unsigned status, const char * what)
{
  view_upload_end(page);
  (void)view_http_error(wsi, page, status, what);
  return -1;
}

static int
begin_recording(struct lws * wsi, view_page_t * page)
{
  char argument[NAME + 8];
  view_upload_t * u = page->upload;
  const char * name = lws_get_urlarg_by_name(wsi, "name=", argument, sizeof argument);
  const char * ending = name ? ending_of(name) : NULL;
  if (!ending) {
    return refuse_upload(
      wsi, page, HTTP_STATUS_BAD_REQUEST, "?name= must be FILE.mcap or FILE.db3");
  }
  snprintf(u->name, sizeof u->name, "%s", name);
  if (!make_file(u, ending)) {
    return refuse_upload(wsi, page, HTTP_STATUS_INTERNAL_SERVER_ERROR, strerror(errno));
  }
  return 0;
}

int
view_upload_begin(view_server_t * server, struct lws * wsi, view_page_t * page, const char * path)
{
  char header[32];
  const bool urdf = strcmp(path, "/api/recording/urdf") == 0;
  const unsigned long long most = urdf ? LIVE_MESSAGE : VIEW_UPLOAD;
  if (!urdf && strcmp(path, "/api/recording") != 0) return 1;
  view_upload_end(page);
  if (lws_hdr_copy(wsi, header, sizeof header, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0) {
    return refuse_upload(wsi, page, HTTP_STATUS_LENGTH_REQUIRED, "Content-Length is required");
  }
  const unsigned long long size = strtoull(header, NULL, 10);
  if (size == 0) return refuse_upload(wsi, page, HTTP_STATUS_BAD_REQUEST, "the file is empty");
  if (size > most) {
    return refuse_upload(
      wsi, page, HTTP_STATUS_REQ_ENTITY_TOO_LARGE,
      urdf ? "more than 4 MiB" : "more than 8 GiB; start mbdyn view FILE instead");
  }
  if (server->uploads > 0) {
    return refuse_upload(
      wsi, page, HTTP_STATUS_SERVICE_UNAVAILABLE, "another upload is in progress");
  }
  page->upload = calloc(1, sizeof *page->upload);
  if (!page->upload) return -1;
  *page->upload = (view_upload_t){.server = server, .size = (size_t)size, .fd = -1};
  server->uploads++;
  if (!urdf) return begin_recording(wsi, page);
  page->upload->text = malloc((size_t)size);
  return page->upload->text ? 0 : -1;
}

//---------- the file ----------

static bool
write_all(int fd, const char * from, size_t n)
{
  while (n > 0) {
    const ssize_t done = write(fd, from, n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    from += done;
    n -= (size_t)done;
  }
  return true;
}

int
view_upload_body(struct lws * wsi, view_page_t * page, const char * in, size_t n)
{
  view_upload_t * u = page->upload;
  if (!u || n > u->size - u->got) return -1;
  if (u->fd < 0) {
    memcpy(u->text + u->got, in, n);
  } else if (!write_all(u->fd, in, n)) {
    return refuse_upload(wsi, page, HTTP_STATUS_INSUFFICIENT_STORAGE, strerror(errno));
  }
  u->got += n;
  return 0;
}

int
view_upload_complete(struct lws * wsi, view_page_t * page)
{
  char reason[400] = "the upload is incomplete";
  view_upload_t * u = page->upload;
  if (!u) return -1;
  recording_t * recording = u->server->sources.recording;
  bool good = u->got == u->size;
  if (good && u->fd < 0) {
    good = recording_set_urdf(recording, u->text, u->size, reason, sizeof reason);
  } else if (good) {
    good = recording_open(recording, u->path, u->name, true);
    // it is the recording's now
    if (good) u->path[0] = 0;
  }
  view_upload_end(page);
  if (!good) return view_http_error(wsi, page, HTTP_STATUS_UNPROCESSABLE, reason);
  return view_http_accepted(wsi, page);
}
