/* A picture of a cloth among bodies, drawn by the processor: z-contact offset of 2 x 2 samples per pixel,
 * smooth normals, one lamp with its shadow, and the light of the sky, which is weaker in folds: the share of
 * 16 directions in which a vertex sees it. z is up.
 *
 * Same bits for any number of threads. */
#ifndef SIM_PICTURE_H
#define SIM_PICTURE_H

#include <stdbool.h>

#include "sim_frame.h"

typedef struct sim_drawn {
  int n_vertices, n_triangles;
  const double (*position_m)[3];
  const int (*triangle)[3];
  float face[3], back[3]; /* colour, 0 to 1, linear; face: where the triangle turns counter-clockwise */
  bool ground; /* takes shadows and fades into the background; casts none, and the camera does not care to
                  have it all */
  bool edges;  /* of its triangles are drawn as lines */

  /* For files and probes. */
  const double (*velocity_m_per_s)[3]; /* NULL: no probe looks at it, and files have 0 */
  const int *number; /* runs of `per_number` vertices change places: whose run each is; NULL: vertices stay */
  int per_number;
  const sim_mesh *flat; /* vertices come and go: a probe stays where it is in the flat cloth, of this mesh;
                           NULL: vertices stay */
} sim_drawn;

typedef struct sim_view {
  int width_px, height_px;
  double azimuth_rad, elevation_rad; /* where the camera stands, seen from the middle of what is drawn: 0, 0
                                        is along +x */
  double field_rad;                  /* opening angle of the shorter side; 0: orthographic */
} sim_view;

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
