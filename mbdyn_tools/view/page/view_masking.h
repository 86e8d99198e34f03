/// \file view_masking.h
/// RFC 6455, 5.1: a server closes a connection on which a client has sent a frame that is not masked.
/// libwebsockets 4.1 takes such frames and does not tell. All that it reads it reads with recv(), so
/// view_masking.c has a recv() of its own, which follows the frames of the view's connections.
///
///   view_masking_begin      a connection that speaks HTTP
///   view_masking_upgrade    from here on it has frames
///   view_masking_end
///   view_masking_feed       what has come; recv() calls it
///
/// On the server's thread; recv() of other descriptors goes through unchanged.
#ifndef VIEW_MASKING_H_
#define VIEW_MASKING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VIEW_DESCRIPTORS = 4096 };  ///< descriptors from here on are refused

bool view_masking_begin(int fd);
/// \return false if more than the request has come: frames that nobody has looked at
bool view_masking_upgrade(int fd);
void view_masking_end(int fd);
/// \return false if a frame is not masked
bool view_masking_feed(int fd, const uint8_t * bytes, size_t n);

#endif  // VIEW_MASKING_H_
