/// \file codegen_angles.h
/// Sines and cosines of joint angles in generated code: four at a time, straight from q.
///
///   angles_t, angles_plan   which stretches of q a function takes sines of
///   angles_put              the call at the top of the function
///   angles_put_library      the function that computes them, once in a file
#ifndef CODEGEN_ANGLES_H_
#define CODEGEN_ANGLES_H_

#include <stdio.h>

#include "codegen_robot.h"

/// Stretches of q, each at least four numbers long where q is. Neighbours that are not needed come
/// along: they cost nothing beside the others.
typedef struct angles {
  int nrun;
  int * first;   ///< in q      [nrun]
  int * length;  ///<           [nrun]
  int * place;   ///< in s, c   [nrun]
  int total;     ///< length of s and c
} angles_t;

/// \param[in] needed  whether the function needs the angle of each body [robot->n]
/// \return false without memory
bool angles_plan(const gen_robot_t * robot, const bool * needed, angles_t * angles);
void angles_free(angles_t * angles);

/// Where the sine and cosine of a body's angle are in s and c.
int angles_place(const angles_t * angles, const gen_body_t * body);

void angles_put(FILE * to, const gen_robot_t * robot, const angles_t * angles);

/// `sines` and what it needs; `real`, K(), SIN(), COS() and FLOAT must be defined before.
void angles_put_library(FILE * to, const gen_robot_t * robot);

#endif  // CODEGEN_ANGLES_H_
