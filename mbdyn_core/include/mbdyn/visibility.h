/// \file visibility.h
/// Attributes of exported functions: symbol visibility and warnings for unused results.
#ifndef MBDYN__VISIBILITY_H_
#define MBDYN__VISIBILITY_H_

#if defined(__GNUC__) || defined(__clang__)
#define MBD_PUBLIC      __attribute__((visibility("default")))
#define MBD_WARN_UNUSED __attribute__((warn_unused_result))
#else
#define MBD_PUBLIC
#define MBD_WARN_UNUSED
#endif

#endif  // MBDYN__VISIBILITY_H_
