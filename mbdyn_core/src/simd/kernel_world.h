// Bodies of several states, one in each lane, in world axes, and small things that need more than one
// of the kernels for several states. Included by kernel_instance.c after kernel_inverse.h.

typedef struct KN(s3) {
  REAL xx, xy, xz, yy, yz, zz;
} KN(s3);

#define S3 KN(s3)

ALWAYS REAL
KN(dot)(V3 a, V3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// y + a x
ALWAYS V3
KN(axpy)(REAL a, V3 x, V3 y)
{
  return (V3){y.x + a * x.x, y.y + a * x.y, y.z + a * x.z};
}

// rows of T turned about z by the angle with sine s and cosine c
ALWAYS void
KN(turn_z)(const REAL * T, REAL s, REAL c, REAL * R)
{
  for (int i = 0; i < 9; i += 3) {
    R[i] = c * T[i] + s * T[i + 1];
    R[i + 1] = c * T[i + 1] - s * T[i];
    R[i + 2] = T[i + 2];
  }
}

//---------- bodies in world axes, each at its own origin ----------

ALWAYS M3
KN(mul_const)(const M3 * B, const double * T)
{
  M3 C;
  for (int i = 0; i < 9; i += 3) {
    for (int j = 0; j < 3; j++) {
      C.m[i + j] = B->m[i] * T[j] + B->m[i + 1] * T[3 + j] + B->m[i + 2] * T[6 + j];
    }
  }
  return C;
}

ALWAYS M3
KN(mat_mul)(const M3 * A, const M3 * B)
{
  M3 C;
  for (int i = 0; i < 9; i += 3) {
    for (int j = 0; j < 3; j++) {
      C.m[i + j] = A->m[i] * B->m[j] + A->m[i + 1] * B->m[3 + j] + A->m[i + 2] * B->m[6 + j];
    }
  }
  return C;
}

ALWAYS V3
KN(column)(const M3 * R, int j)
{
  return (V3){R->m[j], R->m[3 + j], R->m[6 + j]};
}

// body axes in the world from those of the parent (NULL: the world's), and the way between origins
ALWAYS void
KN(world_place)(
  const mbdi_plan_body_t * b, const M3 * P, const REAL * q, REAL s, REAL c, M3 * R, V3 * d)
{
  const double *T = b->R, *p = b->p;
  M3 B;
  if (!P) {
    for (int k = 0; k < 9; k++) B.m[k] = SPLAT(T[k]);
    *d = (V3){SPLAT(p[0]), SPLAT(p[1]), SPLAT(p[2])};
  } else {
    B = KN(mul_const)(P, T);
    *d = (V3){
      P->m[0] * p[0] + P->m[1] * p[1] + P->m[2] * p[2],
      P->m[3] * p[0] + P->m[4] * p[1] + P->m[5] * p[2],
      P->m[6] * p[0] + P->m[7] * p[1] + P->m[8] * p[2]};
  }
  if (b->kind == PLAN_REVOLUTE) {
    KN(turn_z)(B.m, s, c, R->m);
  } else if (b->kind == PLAN_PRISMATIC) {
    *R = B;
    *d = KN(axpy)(q[b->q], KN(column)(&B, 2), *d);
  } else {
    const REAL * x = q + b->q;
    const M3 turn = KN(from_quaternion)(x + 3);
    *R = KN(mat_mul)(&B, &turn);
    *d = KN(add)(*d, KN(mul)(&B, (V3){x[0], x[1], x[2]}));
  }
}

//---------- joints ----------

// axis and kind of degree of freedom k of a body: linear or angular
ALWAYS bool
KN(is_linear)(const mbdi_plan_body_t * b, int k)
{
  return b->kind == PLAN_PRISMATIC || (b->kind == PLAN_FREE && k < 3);
}

ALWAYS V3
KN(axis)(const mbdi_plan_body_t * b, const M3 * R, int k)
{
  return KN(column)(R, b->kind == PLAN_FREE ? k % 3 : 2);
}
