/// \file contacts.h
/// Where a robot can touch the ground, from the shapes of its links.
///
///   contacts_create   spheres, capsules, corners of boxes, rims of cylinders; points
#ifndef MBDYN_SIM__CONTACTS_H_
#define MBDYN_SIM__CONTACTS_H_

#include "mbdyn/shapes.h"
#include "plant.h"

/// \param[in]  name     links and frames that touch the ground; one without a shape is a point at its origin; n = 0:
///   all shapes
/// \param[out] contact  to be freed
/// \param[out] reason   what is wrong: an unknown name, memory
/// \return number of contacts, or -1
int contacts_create(
  const mbd_model_t * model, const mbdx_shapes_t * shapes, const char * const * name, size_t n,
  plant_contact_t ** contact, char * reason, size_t size);

#endif  // MBDYN_SIM__CONTACTS_H_
