/* The camera and the picture of a window, private to window/. */
#ifndef WIN_IMPL_H
#define WIN_IMPL_H

#include "win_window.h"

/* Looks at the middle from a distance, in a direction given by two angles. */
typedef struct win_camera {
  double middle_m[3], reach_m; /* what there is to see: a ball */
  double azimuth_rad, elevation_rad, zoom;
  int width_px, height_px;
  double eye_m[3], right[3], up[3], forward[3]; /* from win_camera_aim */
  double px_per_1;                              /* pixels per unit of side over depth */
} win_camera;

void win_camera_aim(win_camera *c);
/* Pixels and depth [m] of a place. Depths below win_camera_near are behind the camera. */
void win_camera_see(const win_camera *c, const double x_m[3], double px[2], double *depth_m);
/* The direction of a pixel from the eye: one unit deep. */
void win_camera_ray(const win_camera *c, const double px[2], double ray[3]);

/* A corner of a triangle on the screen; r, g, b: 0 to 255. */
typedef struct win_corner {
  float px[2];
  unsigned char rgb[3];
} win_corner;

/* Triangles in the order of drawing, the farthest first. Zero it before the first use. */
typedef struct win_picture {
  win_corner *corner; /* 3 n */
  int n;
  /* Working memory. */
  struct win_seen *seen;
  double (*normal)[3], (*at)[3];
  int room_triangles, room_vertices;
} win_picture;

/* Projects, shades and sorts n surfaces. Error: memory. */
CB_CHECKED cb_status win_picture_draw(win_picture *p, const win_camera *c, const sim_drawn *surface, int n,
                                      cb_err *err);
void win_picture_clear(win_picture *p);

#endif
