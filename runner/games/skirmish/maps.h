/* maps: the left halves of the maps; the right half is the left one turned by
 * 180 degrees, so no side is better. Each is a file of maps/: 16 rows of 12
 * cells as C strings. Each has one B, the base; '$' is a mine (at most 4), '#'
 * rock, 'f' forest. The seed picks which are played and scatters a little more.
 *
 * hidden_1.map to hidden_8.map are those that a service keeps to itself: bout
 * takes them from DATA/maps/skirmish (docs/organiser.md). */
#pragma once

enum { MAP_HALF = 12, MAP_HEIGHT = 16 };

// clang-format off
static const char map_rows[][MAP_HEIGHT][MAP_HALF + 1] = {
    {
#include "maps/meadow.map"
    },
    {
#include "maps/river.map"
    },
    {
#include "maps/woods.map"
    },
    {
#include "maps/quarry.map"
    },
    {
#include "maps/halls.map"
    },
#if __has_include("maps/hidden_1.map")
    {
#include "maps/hidden_1.map"
    },
#endif
#if __has_include("maps/hidden_2.map")
    {
#include "maps/hidden_2.map"
    },
#endif
#if __has_include("maps/hidden_3.map")
    {
#include "maps/hidden_3.map"
    },
#endif
#if __has_include("maps/hidden_4.map")
    {
#include "maps/hidden_4.map"
    },
#endif
#if __has_include("maps/hidden_5.map")
    {
#include "maps/hidden_5.map"
    },
#endif
#if __has_include("maps/hidden_6.map")
    {
#include "maps/hidden_6.map"
    },
#endif
#if __has_include("maps/hidden_7.map")
    {
#include "maps/hidden_7.map"
    },
#endif
#if __has_include("maps/hidden_8.map")
    {
#include "maps/hidden_8.map"
    },
#endif
};
// clang-format on

enum { MAP_COUNT = sizeof map_rows / sizeof *map_rows };
