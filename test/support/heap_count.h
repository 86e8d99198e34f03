/// \file heap_count.h
/// The functions of the heap, in place of the C library's: what is allocated and freed is counted while
/// `armed`. For programs that link mbdyn_test_heap.
#ifndef HEAP_COUNT_H_
#define HEAP_COUNT_H_

extern volatile int armed, touched;

#endif  // HEAP_COUNT_H_
