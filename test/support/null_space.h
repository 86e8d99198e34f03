/// \file null_space.h
/// Constrained systems by elimination: what the core does by orthogonal factors.
///
///   null_space       columns that span it, by Gauss-Jordan with full pivoting
///   particular       one solution of G x = gamma
///   constrained_acceleration   of M qdd = rhs + G^T lambda, G qdd = gamma
#ifndef NULL_SPACE_H_
#define NULL_SPACE_H_

#include "matrix.h"

/// n x (n - rank); entries below tolerance times the largest count as zero.
mat_t null_space(mat_t G, double tolerance);

/// n x 1; zero where the elimination leaves a choice.
mat_t particular(mat_t G, mat_t gamma, double tolerance);

/// x_p + N (N^T M N)^-1 N^T (rhs - M x_p)                                        (11.36)
mat_t constrained_acceleration(mat_t M, mat_t rhs, mat_t G, mat_t gamma);

#endif  // NULL_SPACE_H_
