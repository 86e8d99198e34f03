/// \file urdf_generator.h
/// Seeded robots as URDF text, to load the same robot here and in a peer.
///
///   urdf_random_tree   revolute, continuous, prismatic and fixed joints, anything goes
///   urdf_chain         long chain of revolute joints, tame at any length
///
/// Both write a root link `base` and `links` more, link_0, link_1, ...; joint_i carries link_i.
/// All links have mass, the root too, so that the base may be fixed or floating. Siblings are in
/// the order of their numbers, which is not that of their names (joint_10 comes before joint_2).
/// No <dynamics>, <mimic> or shapes: what peers make of those differs.
///
/// The same text for the same arguments on every machine: numbers are drawn from a coarse grid of
/// powers of two where sums of products are needed, so that they are exact with or without fused
/// multiply-add; all else is one correctly rounded operation. Printed with %.17g, so every digit
/// counts, in the decimal point of the C locale: a test that calls setlocale(LC_NUMERIC, ...) has
/// to call these first.
#ifndef URDF_GENERATOR_H_
#define URDF_GENERATOR_H_

#include <stdbool.h>
#include <stdint.h>

/// A tree of `links` links on the base; free() it. Never NULL; aborts the test without memory.
/// joint_0 is revolute, so that something moves; later ones are fixed one time in ten. Origins are
/// shifted and turned, axes are along x, y or z or oblique, inertial origins are shifted and turned
/// and tensors full. Not branched: joint_i sits on link_(i-1); branched: on any earlier link.
char * urdf_random_tree(uint64_t seed, int links, bool branched);

/// A chain of `links` links on the base, revolute about x, y, z in turn; free() it. Never NULL;
/// aborts the test without memory. Links of 0.5 m and about 1 kg, folded at zero like a carpenter's
/// rule and slightly off: 10 000 of them fit into some metres, and in a random pose they walk away
/// as the square root of their number, so that numbers stay of moderate size. 0.7 kB a link. (Our
/// loader takes 4096 links, the base among them.)
char * urdf_chain(int links, uint64_t seed);

#endif  // URDF_GENERATOR_H_
