/// \file flexible.h
/// Flexible links: modal bodies and beams. Reading them from a file is in flexible/flexible_file.h
/// (library mbdyn_urdf).
#ifndef MBDYN__FLEXIBLE_H_
#define MBDYN__FLEXIBLE_H_

#include "mbdyn/flexible/flexible_links.h"

#endif  // MBDYN__FLEXIBLE_H_
