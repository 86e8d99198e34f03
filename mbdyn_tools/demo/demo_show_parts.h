/// \file demo_show_parts.h
/// What the phases of the show share.
#ifndef DEMO_SHOW_PARTS_H_
#define DEMO_SHOW_PARTS_H_

#include "controller.h"
#include "demo_show.h"

/// A phase.
typedef struct demo_act {
  controller_mode_t mode;
  bool (*play)(demo_t * demo, double seconds);
  bool in_show;    ///< of the whole show, or only of its mode's
  double seconds;  ///< when there is no hurry
  double part;     ///< of the time with --headless, of the whole show
} demo_act_t;

/// Those of a robot that stands.
const demo_act_t * demo_stand_acts(int * n);

/// Phases return false once the show is over, as do these.
bool demo_show_wait(demo_t * demo, double seconds);
bool demo_show_mode(demo_t * demo, const char * mode);
/// A call that did not work: because of Ctrl-C, or for good.
bool demo_show_done(demo_t * demo, bool good);

void demo_show_scene(demo_t * demo, const char * mode, const char * title, const char * text);
void demo_show_stop_probe(demo_t * demo);

bool demo_play_held(demo_t * demo, double seconds);

#endif  // DEMO_SHOW_PARTS_H_
