/// \file simbody_time.h
/// Mechanisms of Haug's book integrated by Simbody: its own dynamics, constraints and Runge-Kutta-Merson.
#ifndef SIMBODY_TIME_H_
#define SIMBODY_TIME_H_

#ifdef __cplusplus
extern "C" {
#endif

/// 5.8.2: angle and angular velocity of the crank, place of the cutter.
void simbody_quick_return(double t, double out[3]);
/// 5.4.4: centre of the second sphere, which begins to turn at omega about y.
void simbody_spheres(double t, double omega, double out[3]);
/// 5.8.5: angle and angular velocity of the crank.
void simbody_slider_crank(double t, double length, double out[2]);
/// 5.10.5: angular velocity of the crank, place of the slider.
void simbody_spatial_crank(double t, double length, double speed, double out[2]);
/// 5.4.2: centre of mass of the top with its tip fixed, gravity along -z, angular velocity in its axes.
void simbody_top(double t, const double omega[3], double out[3]);
/// 5.10.6: places of the four bodies.
void simbody_four_sliders(double t, double out[4]);
/// 5.4.1: angles and angular velocities of both pins.
void simbody_bars(double t, double out[4]);
/// 5.8.6: angle of the disk, place of the slider, their rates.
void simbody_disk(double t, double out[4]);
/// 5.10.2: centre of mass of the top on a bar.
void simbody_top_on_bar(double t, double out[3]);
/// 5.10.4: angle, height, their rates.
void simbody_cylinder(double t, double out[4]);
/// 5.10.7, assembled by the library: angular velocity of the rotor, height of the collar, its speed. start: rotor,
/// collar, both balls; then their rates.
void simbody_governor(double t, const double start[8], double out[3]);
/// A ball of radius 0.5 m, whose centre of mass is off its centre, rolls on the ground: its centre, z of its axes.
void simbody_ball(double t, const double omega[3], double out[6]);

#ifdef __cplusplus
}
#endif

#endif  // SIMBODY_TIME_H_
