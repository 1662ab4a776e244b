/* Rasterisation: which triangle is nearest at each sample of a grid, seen from a camera. */
#ifndef SIM_RASTER_H
#define SIM_RASTER_H

#include <stdbool.h>

typedef struct sim_camera {
  double middle[3], right[3], up[3], back[3]; /* unit vectors; back: from the middle to the camera */
  double distance;                            /* of the camera from the middle; 0: orthographic */
  double depth;                               /* orthographic: all is nearer than this behind the middle */
  double scale, x, y; /* samples per metre (perspective: per unit of tangent); the middle in samples */
} sim_camera;

/* Sets back, right and up; z is up in the world. */
void sim_camera_turn(sim_camera *c, const double back[3]);

/* Projects a point: out is x, y in samples (y downwards), and a key. The key is linear on the screen and
 * greater for nearer points. A key <= 0 is not in front of the camera. */
void sim_camera_see(const sim_camera *c, const double p[3], float out[3]);

typedef struct sim_raster {
  int width, height;
  float *key;    /* per sample: key of the nearest triangle; 0: none */
  int *triangle; /* per sample: its number; NULL: not wanted */
  int top;       /* row of the grid that key and triangle begin with */
} sim_raster;

/* Clears and draws the rows first to last - 1. seen has the projected vertices. Triangles with skip[t] are
 * left out; skip may be NULL. */
void sim_raster_fill(const sim_raster *r, const float (*seen)[3], const int (*triangle)[3], const bool *skip,
                     int n_triangles, int first, int last);

/* Returns the barycentric co-ordinates of the point x, y in the projected triangle a, b, c. */
void sim_raster_weights(const float a[3], const float b[3], const float c[3], float x, float y,
                        float weight[3]);

#endif
