/// \file robot_parts.h
/// What a case is made from, step by step (robot.c).
///
///   bench_links_chain     links of a generated chain            links_chain.c
///   bench_links_model     links of a model, joints merged       links_model.c
///   bench_urdf_text       links as URDF                         urdf_text.c
///   bench_choose_frames   tips that can be moved every way      frames.c
///   bench_free_frames     how many given frames can be moved so   frames.c
///   bench_avoid_singular  states at which they can move so       frames.c
///   bench_make_states     random q, v, a, tau                   states.c
///   bench_random_configuration
///   bench_random          numbers in [-1, 1]
#ifndef ROBOT_PARTS_H_
#define ROBOT_PARTS_H_

#include "mbdyn/model.h"
#include "robot.h"

/// Fill c->link, c->link_names and c->robot.nlink; false without memory.
bool bench_links_chain(bench_case_t * c, int n, bool floating, uint64_t seed);

/// The same from a model whose joints have one degree of freedom but for the base's.
bool bench_links_model(bench_case_t * c, const mbd_model_t * model, bool floating, char * why);

/// URDF text, to be freed; NULL without memory.
char * bench_urdf_text(const bench_robot_t * robot);

/// Most frames that are chosen.
enum { BENCH_MAX_FRAMES = 4 };

/// Choose tips: the deepest first, then those that can be accelerated in all directions whatever
/// the ones before do. Needs states; fills c->frame and c->robot.nframe.
/// \return how many of them are free to move in all directions, independently of each other: 0 if
///   not even the first is; -1 without memory
int bench_choose_frames(bench_case_t * c);

/// How many of the frames, from the first on, are free to move in all directions, independently of
/// each other; -1 without memory.
int bench_free_frames(const bench_case_t * c);

/// Draw states anew at which the first n frames can hardly move in some direction: their inertia
/// there is nearly infinite, and no two libraries agree on it. False without memory.
bool bench_avoid_singular(bench_case_t * c, int n, uint64_t seed);

/// A configuration within the ranges of the joints.
void bench_random_configuration(const bench_robot_t * robot, uint64_t * seed, double * q);

/// Fill c->states; false without memory.
bool bench_make_states(bench_case_t * c, const bench_settings_t * settings);

/// A number in [-1, 1]; the same on every machine.
double bench_random(uint64_t * state);

#endif  // ROBOT_PARTS_H_
