/// \file status.h
/// What a call can return, as one list.
///
///   mbd_status_t         0 is success; blocks of a hundred tell where an error comes from
///   mbd_status_string    one sentence
///   mbd_status_name      the identifier, e.g. "MBD_ERROR_STAGE"
///
/// 1xx the arguments of the call, 2xx the model, 3xx numbers, 4xx reading a file.
#ifndef MBDYN__STATUS_H_
#define MBDYN__STATUS_H_

#include "mbdyn/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
#define MBD_STATUS_LIST(X) \
  X(MBD_OK,                          0, "no error") \
  X(MBD_ERROR_NULL_ARGUMENT,       101, "a required argument is NULL") \
  X(MBD_ERROR_BAD_ARGUMENT,        102, "an argument is outside its range") \
  X(MBD_ERROR_STAGE,               103, "the stage this needs was not computed for this state") \
  X(MBD_ERROR_MODEL_MISMATCH,      104, "the data was made for another model") \
  X(MBD_ERROR_TOO_SMALL,           105, "the memory given is too small") \
  X(MBD_ERROR_OUT_OF_MEMORY,       106, "out of memory") \
  X(MBD_ERROR_NOT_FOUND,           107, "no frame, joint or payload of that name") \
  X(MBD_ERROR_MASSLESS_SUBTREE,    201, "a joint moves a subtree without inertia along its motion") \
  X(MBD_ERROR_MIMIC,               202, "the model has a mimic joint and dynamics was not told to " \
                                        "treat it as independent") \
  X(MBD_ERROR_FINALIZED,           203, "the model is finalized and can no longer be changed") \
  X(MBD_ERROR_NOT_FINALIZED,       204, "the model is not finalized") \
  X(MBD_ERROR_DUPLICATE_NAME,      205, "two links, frames or joints have the same name") \
  X(MBD_ERROR_BAD_INERTIA,         206, "an inertia is not that of a rigid body") \
  X(MBD_ERROR_BAD_AXIS,            207, "a joint axis has no direction") \
  X(MBD_ERROR_BAD_JOINT,           208, "a joint's description is incomplete or contradicts itself") \
  X(MBD_ERROR_BAD_CLOSURE,         209, "a closure contradicts itself or names what is not there") \
  X(MBD_ERROR_UNSUPPORTED,         210, "this kind of model (embedded loops, flexible links) does not " \
                                        "have this function") \
  X(MBD_ERROR_BAD_MODES,           211, "modal data are not those of a body that bends") \
  X(MBD_ERROR_NOT_SERIAL,          215, "the model is not one chain of joints") \
  X(MBD_ERROR_NOT_FINITE,          301, "a value is not finite") \
  X(MBD_ERROR_SINGULAR,            302, "a matrix that must be inverted is singular") \
  X(MBD_ERROR_BAD_QUATERNION,      303, "a quaternion has no direction (its norm is zero)") \
  X(MBD_ERROR_NOT_ASSEMBLED,       304, "the loops cannot be closed from here") \
  X(MBD_ERROR_LOCKED,              305, "the loops are in a singular configuration") \
  X(MBD_ERROR_NO_SOLUTION,         306, "the complementarity problem was not solved") \
  X(MBD_ERROR_UNDERACTUATED,       307, "the actuators cannot produce this motion") \
  X(MBD_ERROR_NOT_CONVERGED,       310, "the contact problem was not solved to tolerance: the result " \
                                        "is a fallback") \
  X(MBD_ERROR_FILE,                401, "the file cannot be read") \
  X(MBD_ERROR_XML,                 402, "the file is not well-formed XML") \
  X(MBD_ERROR_URDF,                403, "the robot description has errors") \
  X(MBD_ERROR_LIMIT,               404, "the robot description exceeds a size limit")
// clang-format on

typedef enum mbd_status {
#define MBD_STATUS_ENUM(name, number, text) name = number,
  MBD_STATUS_LIST(MBD_STATUS_ENUM)
#undef MBD_STATUS_ENUM
} mbd_status_t;

/// One English sentence for a status; "unknown status" for a number that is none. Never NULL.
MBD_PUBLIC
const char * mbd_status_string(mbd_status_t status);

/// The identifier of a status, e.g. "MBD_ERROR_STAGE". Never NULL.
MBD_PUBLIC
const char * mbd_status_name(mbd_status_t status);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__STATUS_H_
