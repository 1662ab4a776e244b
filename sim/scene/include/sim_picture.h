/* Pictures of cloth and bodies, drawn by the processor. A z-buffer has 2 x 2 samples per pixel. Normals are
 * smooth, but for creases. One lamp casts a shadow. The light of the sky is weaker in folds: it is the share
 * of 16 directions in which a vertex sees the sky. z is up. The result has the same bits for any number of
 * threads. */
#ifndef SIM_PICTURE_H
#define SIM_PICTURE_H

#include <stdbool.h>

#include "cb_bytes.h"
#include "sim_mesh.h"

/* A surface of triangles to be drawn. It owns nothing. */
typedef struct sim_drawn {
  int n_vertices, n_triangles;
  const double (*position_m)[3];
  const int (*triangle)[3];
  float face[3], back[3]; /* colour, 0 to 1, linear; face: the side on which the corners run
                             counter-clockwise */
  bool ground; /* takes shadows but casts none, fades into the background, and may extend beyond the picture
                */
  float behind_m; /* is hidden by surfaces up to so much behind it: what touches it hides it */
  bool edges;     /* the edges of its triangles are drawn */
  bool sharp;     /* a body: its edges of 60 degrees and more stay sharp. Cloth is smooth up to folds of 90 */

  /* For files and probes. */
  const double (*velocity_m_per_s)[3]; /* NULL: probes ignore the surface, and files have 0 */
  const int *number; /* if runs of per_number vertices change their order: the number of each run; NULL: they
                        do not */
  int per_number;
  const sim_mesh *flat; /* if vertices are added and removed: the mesh, in whose flat cloth probes keep their
                           place; NULL: they are not */
} sim_drawn;

/* Size and camera of a picture. */
typedef struct sim_view {
  int width_px, height_px;
  double azimuth_rad, elevation_rad; /* direction of the camera from the middle of the picture; 0, 0 is
                                        +x */
  double field_rad;                  /* opening angle of the shorter side; 0: orthographic */
} sim_view;

/* Draws n surfaces and appends them to out as a PNG file. Errors: CB_E_RANGE for a view that cannot be, or if
 * all surfaces are ground; CB_E_NOMEM. */
CB_CHECKED cb_status sim_picture_png(const sim_drawn *surface, int n, const sim_view *view, cb_bytes *out,
                                     cb_err *err);

#endif
