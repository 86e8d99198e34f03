// A complementarity problem with friction cones, in whitened rows: solver of contact.c.
#ifndef COMPLEMENTARITY_H_
#define COMPLEMENTARITY_H_

#include <stdbool.h>
#include <stddef.h>

// Rows of unit: three of each contact (normal, two tangents), then one of each limit.
//   w = bias + B B^T p,   normal rows and limits: 0 <= w _|_ p >= 0,  tangents: |p_t| <= mu p_n
typedef struct mbd_complementarity {
  int n, ncontact, nlimit;  // numbers of a row, contacts, limits
  double * B;               // rows                                               [nrow n]
  double * bias;            // w without forces                                   [nrow]
  double * p;               // forces; a start on entry                           [nrow]
  double * square;          // |row|^2                                            [nrow]
  double * mu;              // of each contact                                    [ncontact]
  double * slip;  // direction of slip of each contact where it slides already, two numbers
                  // of unit length, else zeros                         [2 ncontact]
  double * x;     // B^T p                                              [n]
  // of the active set
  double *force, *b, *y;      //                                                      [nrow]
  double *trial, *g;          //                                                      [n]
  double *equations, *small;  // of factorisations
  bool * active;              //                                                  [nrow]
} mbd_complementarity_t;

static inline int
mbd_complementarity_rows(const mbd_complementarity_t * c)
{
  return 3 * c->ncontact + c->nlimit;
}

// numbers that all arrays take, work included
size_t mbd_complementarity_work(int n, int ncontact, int nlimit);

// lay it out in work
void mbd_complementarity_init(
  mbd_complementarity_t * c, int n, int ncontact, int nlimit, double * work);

// solve; false if it took more than `most` iterations. p and x are the solution.
bool mbd_complementarity_solve(
  mbd_complementarity_t * c, double tolerance, int most, int * iterations, double * residual);

#endif  // COMPLEMENTARITY_H_
