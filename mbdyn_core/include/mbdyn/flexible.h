/// \file flexible.h
/// Flexible links: modal bodies and beams.
///
/// flexible/flexible_file.h (library mbdyn_urdf) reads them from a file.
#ifndef MBDYN__FLEXIBLE_H_
#define MBDYN__FLEXIBLE_H_

#include "mbdyn/flexible/flexible_links.h"

#endif  // MBDYN__FLEXIBLE_H_
