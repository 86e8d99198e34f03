/// \file impedance.h
/// Springs with a damping ratio, for coordinates that their inertia couples. With the compliance C = M^-1
/// and a diagonal stiffness K, the eigenvectors of K^1/2 C K^1/2 = U Omega^2 U^T are the modes:
///   K = S S^T,  S = K^1/2 U,  and  D = S (2 zeta / Omega) S^T
/// gives each of them the ratio zeta (double diagonalisation of M and K: Albu-Schaeffer et al., ICRA 2003).
/// D is positive semidefinite, so that it only dissipates. C may be singular: in directions that cannot be
/// moved.
///
///   impedance_work     memory
///   impedance_init     n coordinates in this memory
///   impedance_modes    S and omega of C and K
///   impedance_spring   f += K x, of modes that may have been made softer
///   impedance_damper   f += D xd
///
/// Modes that change little from one call to the next are found from the last ones in a sweep or two.
#ifndef MBDYN_ROS__IMPEDANCE_H_
#define MBDYN_ROS__IMPEDANCE_H_

#include <stddef.h>

typedef struct impedance {
  int n;
  double * S;      ///< [n][n], row-major: column j is mode j
  double * omega;  ///< angular frequencies [n], not sorted
  double * rate;   ///< 2 zeta omega [n], to be set by the caller
  double * soft;   ///< factors of omega^2 [n], 1 unless the caller sets others
  double *basis, *scratch;
} impedance_t;

/// Number of doubles.
size_t impedance_work(int n);
void impedance_init(impedance_t * s, int n, double * work);

/// \param[in] C  inverse of the inertia [n][n], row-major
/// \param[in] k  diagonal of K [n], not negative
void impedance_modes(impedance_t * s, const double * C, const double * k);

void impedance_spring(const impedance_t * s, const double * x, double * f);
void impedance_damper(const impedance_t * s, const double * xd, double * f);

#endif  // MBDYN_ROS__IMPEDANCE_H_
