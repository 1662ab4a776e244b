/* Experiments that give no number of the cloth, but show what a program does with it:
 * docs/reference/experiments-motion.md. */
#ifndef CONF_EXTRA_H
#define CONF_EXTRA_H

#include "conf_case.h"

typedef struct conf_extra {
  bool (*possible)(double level, double edge_m, const exch_cloth *s);
  /* Makes mesh, load and times of a case with kind, level and cloth. Error: CB_E_NOMEM. */
  cb_status (*make)(conf_case *c, double edge_m, cb_err *err);
  /* position: CONF_TIMES blocks. The finding's fields are 0 before. */
  void (*judge)(const conf_case *c, const exch_cloth *s, const double (*position)[3], conf_finding *out);
} conf_extra;

/* NULL: the experiment gives a number of the cloth. */
extern const conf_extra *const conf_extras[CONF_KINDS];
extern const conf_extra conf_drift, conf_layers, conf_capstan, conf_pinch, conf_tablecloth;

/* Allocates the mesh. Error: CB_E_NOMEM; then nothing is held. */
CB_CHECKED cb_status conf_mesh_room(conf_case *c, int n_vertices, int n_faces, bool bent, cb_err *err);

/* A rectangle of square cells: its first vertex and face, and the place of the first vertex. */
typedef struct conf_grid {
  int vertex, face, nx, ny;
  double corner_m[3], edge_m;
} conf_grid;
/* Writes its vertices and faces; vertex i, j is the first one + i (ny + 1) + j. */
void conf_mesh_grid(conf_case *c, const conf_grid *g);

/* Gravity on a slope of this tangent, down along x. */
void conf_tilt(conf_case *c, double tangent);
/* Three even times, the last one near last_s. All are whole frames of 40 ms. */
void conf_even_times(conf_case *c, double last_s);

/* Mean of the free vertices at a time. */
void conf_mean(const conf_case *c, const double (*position)[3], int time, double out[3]);
/* The friction from the acceleration along x, or the speed at which what should hold creeps.
 * press_m_per_s2: the pressing forces over the mass. */
void conf_slide_judge(const conf_case *c, const exch_cloth *s, const double (*position)[3],
                      double press_m_per_s2, conf_finding *out);
/* Second difference over time of three values. */
double conf_acceleration(const conf_case *c, const double value[CONF_TIMES]);

#endif
