/* How pictures are drawn, for the player. */
#ifndef SIM_PICTURE_DRAW_H
#define SIM_PICTURE_DRAW_H

#include "sim_body.h"
#include "sim_frame.h"
#include "sim_picture.h"

/* 1000 x 1000, from -60 deg and 25 deg above, 25 deg wide. */
sim_view sim_view_default(void);

CB_CHECKED cb_status sim_view_check(const sim_view *view, cb_err *err);

/* rgb: 3 width height bytes, sRGB, rows from above. At least one surface that is no ground. */
CB_CHECKED cb_status sim_picture_draw(const sim_view *view, const sim_drawn *surface, int n,
                                      unsigned char *rgb, cb_err *err);

/* As a PNG file, whole or not at all. */
CB_CHECKED cb_status sim_picture_write(const unsigned char *rgb, int width_px, int height_px,
                                       const char *path, cb_err *err);

/* Surfaces, and bodies as they are now, planes as the ground; n_bodies may be 0. */
CB_CHECKED cb_status sim_picture_of(const sim_drawn *surface, int n, const sim_body *bodies, int n_bodies,
                                    const sim_view *view, const char *path, cb_err *err);

/* The cloth's parts, then the bodies in layers, in their colours; out: one for each. Returns how many. */
int sim_picture_surfaces(const sim_frame *frame, sim_drawn *out);

/* These, its bodies as they are now, planes as the ground; n_bodies may be 0. */
CB_CHECKED cb_status sim_picture_of_frame(const sim_frame *frame, const sim_body *bodies, int n_bodies,
                                          const sim_view *view, const char *path, cb_err *err);

#endif
