/// \file status.h
/// Status codes returned by all functions that can fail.
///
///   mbd_status_t         0: success; errors are grouped by cause in hundreds
///   mbd_status_string    one sentence
///   mbd_status_name      the identifier, e.g. "MBD_ERROR_STAGE"
///
/// 1xx are errors in the arguments, 2xx in the model, 3xx in numerical values or solvers, 4xx in files.
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
  X(MBD_ERROR_STAGE,               103, "a required stage has not been computed for this state") \
  X(MBD_ERROR_MODEL_MISMATCH,      104, "the workspace was created for another model") \
  X(MBD_ERROR_TOO_SMALL,           105, "the given memory is too small") \
  X(MBD_ERROR_OUT_OF_MEMORY,       106, "out of memory") \
  X(MBD_ERROR_NOT_FOUND,           107, "no frame, joint or payload of that name") \
  X(MBD_ERROR_MASSLESS_SUBTREE,    201, "a joint moves a subtree that has no inertia along its motion") \
  X(MBD_ERROR_MIMIC,               202, "the model has a mimic joint that is not treated as " \
                                        "independent") \
  X(MBD_ERROR_FINALIZED,           203, "the model is finalized and can no longer be changed") \
  X(MBD_ERROR_NOT_FINALIZED,       204, "the model is not finalized") \
  X(MBD_ERROR_DUPLICATE_NAME,      205, "two links, frames or joints have the same name") \
  X(MBD_ERROR_BAD_INERTIA,         206, "an inertia is not physically consistent") \
  X(MBD_ERROR_BAD_AXIS,            207, "a joint axis has zero length") \
  X(MBD_ERROR_BAD_JOINT,           208, "a joint description is incomplete or inconsistent") \
  X(MBD_ERROR_BAD_CLOSURE,         209, "a closure is inconsistent or refers to an unknown name") \
  X(MBD_ERROR_UNSUPPORTED,         210, "this function does not support models of this kind " \
                                        "(embedded loops, flexible links)") \
  X(MBD_ERROR_BAD_MODES,           211, "modal data of a flexible body are inconsistent") \
  X(MBD_ERROR_NOT_SERIAL,          215, "the model is not a serial chain") \
  X(MBD_ERROR_NOT_FINITE,          301, "a value is not finite") \
  X(MBD_ERROR_SINGULAR,            302, "a matrix that must be inverted is singular") \
  X(MBD_ERROR_BAD_QUATERNION,      303, "a quaternion has zero norm") \
  X(MBD_ERROR_NOT_ASSEMBLED,       304, "the loops cannot be closed from this configuration") \
  X(MBD_ERROR_LOCKED,              305, "the loops are in a singular configuration") \
  X(MBD_ERROR_NO_SOLUTION,         306, "contact forces, or the loads of bearings, were not found") \
  X(MBD_ERROR_UNDERACTUATED,       307, "the actuators cannot produce this motion") \
  X(MBD_ERROR_STEP,                308, "the step size of an integration fell below its minimum: the " \
                                        "problem is stiff, singular or discontinuous here") \
  X(MBD_ERROR_NOT_CONVERGED,       310, "an iteration did not converge: contact forces, which are a " \
                                        "fallback then, or an implicit step of fixed length") \
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

/// One English sentence that describes a status; "unknown status" for other values. Never NULL.
MBD_PUBLIC
const char * mbd_status_string(mbd_status_t status);

/// The identifier of a status, e.g. "MBD_ERROR_STAGE". Never NULL.
MBD_PUBLIC
const char * mbd_status_name(mbd_status_t status);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__STATUS_H_
