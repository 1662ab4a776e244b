/* Triangles onto a grid of samples: which one is nearest, seen from a camera. */
#ifndef SIM_RASTER_H
#define SIM_RASTER_H

#include <stdbool.h>

typedef struct sim_camera {
  double middle[3], right[3], up[3], back[3]; /* unit vectors; back: from the middle to the camera */
  double distance;                            /* of the camera from the middle; 0: orthographic */
  double depth;       /* orthographic: nothing lies further than this behind the middle */
  double scale, x, y; /* samples per metre (per unit of tangent); where the middle lies */
} sim_camera;

/* right and up from `back`, z being up. */
void sim_camera_turn(sim_camera *c, const double back[3]);

/* Sample co-ordinates, y downwards, and a key that is linear on the screen and greater for what is nearer; <=
 * 0: not in front. */
void sim_camera_see(const sim_camera *c, const double p[3], float out[3]);

typedef struct sim_raster {
  int width, height;
  float *key;    /* of the nearest triangle; 0: none */
  int *triangle; /* its number; NULL: not wanted */
} sim_raster;

/* The rows first to last - 1 from nothing. seen: the vertices, n_triangles those of which `skip` (NULL: none)
 * is not set. */
void sim_raster_fill(const sim_raster *r, const float (*seen)[3], const int (*triangle)[3], const bool *skip,
                     int n_triangles, int first, int last);

/* Barycentric co-ordinates of a sample's centre on the screen. */
void sim_raster_weights(const float a[3], const float b[3], const float c[3], float x, float y,
                        float weight[3]);

#endif
