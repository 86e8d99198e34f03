// What the files of the natural orthogonal complement share: the chain and turning vectors.
#ifndef NOC_INTERNAL_H_
#define NOC_INTERNAL_H_

#include "mbdyn/operators/noc.h"
#include "mbdyn/spatial.h"

// Link i carries frame i + 1, which all of its vectors are written in; frame i is on link i - 1 and
// has joint i along its z axis. Indices in arrays are one less than the text's.
typedef struct noc_link {
  // constant
  bool slides;
  double a, d, theta;
  double lambda, mu;  // cosine and sine of alpha
  double mass, root_mass;
  mbd_vec3_t com;   // O_{i+1} -> C_i: the negative of the text's delta
  mbd_sym3_t I;     // about C_i
  mbd_mat3_t root;  // N of I = N^T N, upper triangular                                 (7.96)
  // position
  double c, s;     // of theta
  mbd_vec3_t rho;  // O_i -> C_i; the slide of a prismatic joint is in it
  // motion
  mbd_vec3_t w, dw, ddc;  // angular velocity and acceleration, acceleration of C_i
  mbd_vec3_t f, n;        // what joint i carries, about O_i
} noc_link_t;

// the same link in world axes
typedef struct noc_world {
  mbd_mat3_t R;                // of frame i + 1
  mbd_vec3_t e, O, c;          // axis of joint i, points O_i and C_i
  mbd_vec3_t w, dO, dc;        // angular velocity, velocities of the points (O_i on link i - 1)
  mbd_sym3_t I;                // about C_i
  mbd_vec3_t delta_last, rho;  // C_{i-1} -> O_i, O_i -> C_i
} noc_world_t;

struct mbd_noc {
  int n;
  bool moved;  // inverse dynamics was called
  mbd_placement_t base, tool;
  mbd_vec3_t gravity;     // in the axes of frame 1
  noc_link_t * link;      // [n]
  noc_world_t * world;    // [n]
  double * P;             // p_ij = H_i t_ij for j <= i: 6 numbers at 6 (i n + j)     (7.98)
  double * I;             // mass matrix, then its factor L                             [n n]
  double * dense;         // P, column after column, for reflections                    [6n n]
  double *x, *y, *scale;  // [n]
};

// components in frame i + 1 of a vector that is given in frame i: Q_i^T r          (7.23)
static inline mbd_vec3_t
noc_out(const noc_link_t * k, mbd_vec3_t r)
{
  const double u = r.x * k->s - r.y * k->c;
  return mbdu_vec3(
    r.x * k->c + r.y * k->s, k->mu * r.z - k->lambda * u, k->mu * u + k->lambda * r.z);
}

// and back: Q_i v                                                                  (7.24)
static inline mbd_vec3_t
noc_in(const noc_link_t * k, mbd_vec3_t v)
{
  const double u = v.y * k->lambda - v.z * k->mu;
  return mbdu_vec3(v.x * k->c - u * k->s, v.x * k->s + u * k->c, v.y * k->mu + v.z * k->lambda);
}

// the axis of joint i in frame i + 1: the third row of Q_i
static inline mbd_vec3_t
noc_axis(const noc_link_t * k)
{
  return mbdu_vec3(0, k->mu, k->lambda);
}

// Q_i and rho_i of all links; false if q is not finite
bool mbdi_noc_place(mbd_noc_t * noc, const double * q);

// accelerations outward, forces inward; qdd may be NULL
void mbdi_noc_sweep(
  mbd_noc_t * noc, const double * v, const double * qdd, const mbd_force_t * f_tool, double * tau);

#endif  // NOC_INTERNAL_H_
