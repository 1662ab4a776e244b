/* Frames of a scene that plays: its cloth, liquids and bodies, as pictures show them. */
#ifndef SHOW_PLAY_H
#define SHOW_PLAY_H

#include "show_frames.h"
#include "show_run.h"

/* Makes a frame of the present state. A plane becomes a square with `ground` set. Surfaces have only the
 * vertices that their triangles use.
 *
 * Channels of the main cloth: "warp strain" and "weft strain" (Green-Lagrange), "mean curvature" [1/m],
 * "contact pressure" [Pa] of rigid bodies, each the mean over the triangles around a vertex or its own value.
 * Every surface whose model knows velocities has "speed" [m/s]. The caller clears *out, also after an error.
 * Error: CB_E_NOMEM; those of the skin of a liquid. */
CB_CHECKED cb_status show_frame_of(sim_play *play, const show_stage *stage, show_frame *out, cb_err *err);

#endif
