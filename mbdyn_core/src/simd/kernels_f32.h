// Batch kernels in single precision: the templates of kernels.c compiled with float (kernels_f32.c), and
// what they read of a model, rounded to float.
//
//   mbdi_plan_f32_t       mbdi_plan_t in single precision, with the inertias in use
//   mbdi_kernels_f32_t    table of the kernels for one instruction set
//   mbdi_kernels_f32      the table for this machine
//
// Members have the names of their counterparts in kernels.h and dh_frames.h, where they are documented.
#ifndef KERNELS_F32_H_
#define KERNELS_F32_H_

#include "simd/kernels.h"

typedef struct mbdi_vec3_f32 {
  float x, y, z;
} mbdi_vec3_f32_t;

typedef struct mbdi_sym3_f32 {
  float xx, xy, xz, yy, yz, zz;
} mbdi_sym3_f32_t;

typedef struct mbdi_angle_f32 {
  float c, s;
} mbdi_angle_f32_t;

typedef struct mbdi_angle_products_f32 {
  float cc, ss, cs, sin2, cos2;
} mbdi_angle_products_f32_t;

typedef struct mbdi_base_inertia_f32 {
  float mass, total;
  mbdi_vec3_f32_t h;
  mbdi_sym3_f32_t J;
} mbdi_base_inertia_f32_t;

typedef struct mbdi_dh_body_f32 {
  float p[3];
  mbdi_angle_f32_t alpha;
  int32_t parent, kind;
  int32_t q, v;
  int16_t form, massless_subtree, leaf;
  int32_t transform, general;
  float dh_a, dh_d;
  mbdi_angle_products_f32_t alpha_products;
  mbdi_angle_f32_t mount_angle, theta0;
  float T[9];
} mbdi_dh_body_f32_t;

typedef struct mbdi_plan_body_f32 {
  float R[9], p[3];
  int32_t parent, kind, q, v, serial_run_begin;
} mbdi_plan_body_f32_t;

typedef struct mbdi_frame_f32 {
  struct {
    struct {
      float m[9];
    } R;
    mbdi_vec3_f32_t p;
  } X;
  int32_t body;
} mbdi_frame_f32_t;

// Spans, quaternions and rows are those of the plan.
typedef struct mbdi_plan_f32 {
  int32_t nbody, nq, nv, ngeneral, shallow, free_base, slots, nquaternion;
  const mbdi_plan_span_t * span;
  const mbdi_plan_quaternion_t * quaternion;
  const size_t * packed_row_begin;
  const double * subtree_dof_end;
  mbdi_plan_body_f32_t * body;             // [nbody]
  mbdi_dh_body_f32_t * dh;                 // [nbody]
  mbdi_base_inertia_f32_t * base_inertia;  // [2 nbody], set by mbdi_plan_f32_inertias
  mbdi_frame_f32_t * frame;                // [nframe]
  float * rotor;                           // [nv]
} mbdi_plan_f32_t;

// in one block of memory, to be freed; NULL if out of memory
mbdi_plan_f32_t * mbdi_plan_f32_create(const mbd_model_t * model);
// M: mbdi_base_inertias of the inertias in use
void mbdi_plan_f32_inertias(mbdi_plan_f32_t * plan, const mbdi_base_inertia_t * M);

typedef struct mbdi_kernel_frames_f32 {
  int n;
  const int * index;
  const mbdi_frame_f32_t * all;
  mbd_reference_t reference;
} mbdi_kernel_frames_f32_t;

// gravity, q, v, u, out, general, S: vectors of floats
typedef struct mbdi_kernel_args_f32 {
  const mbdi_plan_f32_t * plan;
  const mbdi_base_inertia_f32_t * base_inertia;
  const float * rotor;  // or NULL
  const void * gravity;
  const void *q, *v, *u;
  void * out;
  void * work;
  const mbdi_kernel_frames_f32_t * frames;
  const void *general, *S;
  int count;
  const int * elements;
} mbdi_kernel_args_f32_t;

// false: the result is not reliable, compute it in double precision
typedef bool (*mbdi_kernel_f32_t)(const mbdi_kernel_args_f32_t * args);

typedef struct mbdi_kernels_f32 {
  const char * name;
  int vector_length;
  size_t (*work)(const mbdi_plan_f32_t * plan);
  mbdi_kernel_f32_t inverse_dynamics, bias, gravity, mass_matrix, mass_packed, forward_dynamics;
  mbdi_kernel_f32_t frame_placements, frame_jacobian;
  bool (*aos_to_soa)(const float * from, size_t width, int count, void * to);
  bool (*soa_to_aos)(const void * from, size_t width, int count, float * to);
  void (*matrix_to_aos)(const void * from, const int * index, size_t size, int count, float * to);
  void (*matrix_to_soa)(const float * from, size_t size, int count, float * to);
  bool (*load_soa)(const float * from, size_t width, int count, void * to);
  bool (*store_soa)(const void * from, size_t width, int count, float * to);
  bool (*unit_quaternions)(const mbdi_plan_f32_t * plan, void * q);
} mbdi_kernels_f32_t;

// NULL in a build without kernels
const mbdi_kernels_f32_t * mbdi_kernels_f32(void);

#endif  // KERNELS_F32_H_
