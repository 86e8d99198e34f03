/// \file codegen_order.h
/// The order of statements: few variables alive at a time, so that a compiler can keep them in
/// registers.
#ifndef CODEGEN_ORDER_H_
#define CODEGEN_ORDER_H_

#include <stdbool.h>

/// Statements 0 to n - 1, each made of some that come before it.
typedef struct statements {
  int n;
  int * first;      ///< operands of i are operand[first[i]] to operand[first[i + 1] - 1]  [n + 1]
  int * operand;    ///< statements with a variable, each once
  bool * variable;  ///< keeps a value for others  [n]
} statements_t;

/// An order in which every statement comes after its operands: next is always the one that frees
/// most variables, of equals the first.
/// \param[out] order  [n]
/// \return false without memory
bool order_statements(const statements_t * statements, int * order);

#endif  // CODEGEN_ORDER_H_
