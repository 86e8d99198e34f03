/// \file demo_table.h
/// The live table: one screen of text, drawn over the last one.
///
///   demo_table_render   a screen of a given size into memory
///   demo_table_open     takes the terminal: its second screen, no cursor
///   demo_table_draw     render and write
///   demo_table_close    gives it back as it was
#ifndef DEMO_TABLE_H_
#define DEMO_TABLE_H_

#include <stdbool.h>

#include "demo_view.h"

typedef struct demo_screen {
  int rows, columns;
  bool color, utf8;
} demo_screen_t;

typedef struct demo_table {
  bool open;
  demo_screen_t screen;
  char text[65536];
} demo_table_t;

/// Never more rows or columns than there are; joints that do not fit are counted.
/// \return bytes, without the 0 at the end
size_t demo_table_render(
  const demo_view_t * view, const demo_screen_t * screen, char * text, size_t size);

/// \param[in] utf8  the terminal has more than ASCII
/// \return false if standard output is no terminal that can be drawn on
bool demo_table_open(demo_table_t * table, bool utf8);
void demo_table_draw(demo_table_t * table, const demo_view_t * view);
void demo_table_close(demo_table_t * table);

#endif  // DEMO_TABLE_H_
