// Loading a URDF by Pinocchio 3: its parser of URDF is a library, the rest headers.
#include <exception>

#include <pinocchio/algorithm/center-of-mass.hpp>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include "load_peer.h"

bool
load_pinocchio(const char * urdf, bool floating, load_result_t * result)
{
  try {
    pinocchio::Model model;
    if (floating) {
      pinocchio::urdf::buildModelFromXML(urdf, pinocchio::JointModelFreeFlyer(), model);
    } else {
      pinocchio::urdf::buildModelFromXML(urdf, model);
    }
    *result = {model.nv, pinocchio::computeTotalMass(model)};
    return true;
  } catch (const std::exception &) {
    return false;
  }
}
