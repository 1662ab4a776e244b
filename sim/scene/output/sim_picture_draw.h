/* Drawing of pictures, for the player. */
#ifndef SIM_PICTURE_DRAW_H
#define SIM_PICTURE_DRAW_H

#include "sim_body.h"
#include "sim_frame.h"
#include "sim_picture.h"

/* Returns a view of 1000 x 1000 pixels from -60 deg, 25 deg above, with an opening angle of 25 deg. */
sim_view sim_view_default(void);

/* Error: CB_E_RANGE for a number out of range. */
CB_CHECKED cb_status sim_view_check(const sim_view *view, cb_err *err);

/* Draws n surfaces into rgb: 3 x width x height bytes, sRGB, rows from above. Errors: those of
 * sim_view_check; CB_E_RANGE if all surfaces are ground; memory. */
CB_CHECKED cb_status sim_picture_draw(const sim_view *view, const sim_drawn *surface, int n,
                                      unsigned char *rgb, cb_err *err);

/* Writes such an image as a PNG file, whole or not at all. */
CB_CHECKED cb_status sim_picture_write(const unsigned char *rgb, int width_px, int height_px,
                                       const char *path, cb_err *err);

/* Draws n surfaces and n_bodies bodies to a PNG file; planes are the ground. n_bodies may be 0. */
CB_CHECKED cb_status sim_picture_of(const sim_drawn *surface, int n, const sim_body *bodies, int n_bodies,
                                    const sim_view *view, const char *path, cb_err *err);

/* Lists the surfaces of a frame in their colours: the parts of the cloth, then the bodies in layers. out has
 * room for all parts (1 at least) and layers. Returns their number. */
int sim_picture_surfaces(const sim_frame *frame, sim_drawn *out);

#endif
