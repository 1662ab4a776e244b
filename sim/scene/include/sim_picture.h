/* A picture of a cloth among bodies, drawn by the processor: z-buffer of 2 x 2 samples per pixel,
 * smooth normals, one lamp with its shadow, and the light of the sky, which is weaker in folds: the share of
 * 16 directions in which a vertex sees it. z is up.
 *
 * Same bits for any number of threads. */
#ifndef SIM_PICTURE_H
#define SIM_PICTURE_H

#include <stdbool.h>

#include "sim_mesh.h"

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

#endif
