// Modes of a spring by Jacobi rotations.
#include "impedance.h"

#include <math.h>
#include <string.h>

size_t
impedance_work(int n)
{
  const size_t m = (size_t)n;
  return 4 * m * m + 4 * m;
}

void
impedance_init(impedance_t * s, int n, double * work)
{
  const size_t m = (size_t)n;
  s->n = n;
  s->S = work;
  s->basis = s->S + m * m;
  s->omega = s->basis + m * m;
  s->rate = s->omega + m;
  s->soft = s->rate + m;
  s->scratch = s->soft + m;
  memset(work, 0, impedance_work(n) * sizeof *work);
  for (size_t i = 0; i < m; i++) s->basis[i * m + i] = s->soft[i] = 1;
}

//---------- modes ----------

// the rotation that clears B(p,q); U gathers it
static void
rotate(int n, double * B, double * U, int p, int q)
{
  const double b = B[p * n + q];
  if (b == 0) return;
  const double tau = (B[q * n + q] - B[p * n + p]) / (2 * b);
  const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
  const double c = 1 / sqrt(1 + t * t), sine = t * c;
  for (int k = 0; k < n; k++) {
    const double x = B[k * n + p], y = B[k * n + q], u = U[k * n + p], v = U[k * n + q];
    B[k * n + p] = c * x - sine * y, B[k * n + q] = sine * x + c * y;
    U[k * n + p] = c * u - sine * v, U[k * n + q] = sine * u + c * v;
  }
  for (int k = 0; k < n; k++) {
    const double x = B[p * n + k], y = B[q * n + k];
    B[p * n + k] = c * x - sine * y, B[q * n + k] = sine * x + c * y;
  }
}

static void
diagonalise(int n, double * B, double * U)
{
  enum { SWEEPS = 30 };
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double off = 0, all = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        all += B[i * n + j] * B[i * n + j];
        if (i != j) off += B[i * n + j] * B[i * n + j];
      }
    }
    if (!(off > 1e-26 * all)) return;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) rotate(n, B, U, p, q);
    }
  }
}

// Products of thousands of rotations leave the orthogonal matrices slowly: Gram-Schmidt.
static void
orthonormalise(int n, double * U)
{
  for (int j = 0; j < n; j++) {
    double norm = 0;
    for (int i = 0; i < j; i++) {
      double dot = 0;
      for (int k = 0; k < n; k++) dot += U[k * n + i] * U[k * n + j];
      for (int k = 0; k < n; k++) U[k * n + j] -= dot * U[k * n + i];
    }
    for (int k = 0; k < n; k++) norm += U[k * n + j] * U[k * n + j];
    norm = sqrt(norm);
    for (int k = 0; k < n; k++) U[k * n + j] /= norm;
  }
}

// B = U^T K^1/2 C K^1/2 U, nearly diagonal if U is that of a configuration nearby; Y is scratch
static void
transform(int n, const double * C, const double * k, const double * U, double * Y, double * B)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < n; l++) sum += C[i * n + l] * sqrt(k[l]) * U[l * n + j];
      Y[i * n + j] = sqrt(k[i]) * sum;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int l = 0; l < n; l++) sum += U[l * n + i] * Y[l * n + j];
      B[i * n + j] = B[j * n + i] = sum;
    }
  }
}

void
impedance_modes(impedance_t * s, const double * C, const double * k)
{
  const int n = s->n;
  double *Y = s->scratch, *B = Y + n * n, *U = s->basis;
  transform(n, C, k, U, Y, B);
  diagonalise(n, B, U);
  orthonormalise(n, U);
  for (int i = 0; i < n; i++) {
    s->omega[i] = sqrt(fmax(B[i * n + i], 0));
    for (int j = 0; j < n; j++) s->S[i * n + j] = sqrt(k[i]) * U[i * n + j];
  }
}

//---------- forces ----------

// f += S diag(gain) S^T x
static void
add_product(const impedance_t * s, const double * gain, const double * x, double * f)
{
  const int n = s->n;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += s->S[i * n + j] * x[i];
    sum *= gain[j];
    for (int i = 0; i < n; i++) f[i] += s->S[i * n + j] * sum;
  }
}

void
impedance_spring(const impedance_t * s, const double * x, double * f)
{
  add_product(s, s->soft, x, f);
}

void
impedance_damper(const impedance_t * s, const double * xd, double * f)
{
  // what cannot be moved has no frequency
  const double SLOWEST = 1e-3;
  double fastest = 0, *gain = s->scratch;
  for (int j = 0; j < s->n; j++) fastest = fmax(fastest, s->omega[j]);
  for (int j = 0; j < s->n; j++) {
    const double omega = fmax(s->omega[j], SLOWEST * fastest);
    gain[j] = omega > 0 ? s->rate[j] / (omega * omega) : 0;
  }
  add_product(s, gain, xd, f);
}
