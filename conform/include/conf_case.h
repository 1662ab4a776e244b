/* An experiment that any cloth simulator can play: a mesh, what holds it, gravity, and times at which
 * positions are wanted. Positions are all that comes back, because every program can give them. So loads are
 * weights: gravity is set to what the load wants.
 *
 * docs/reference/experiment-folder.md describes the files. SI units; z is up; the warp runs along x. */
#ifndef CONF_CASE_H
#define CONF_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "exch_cloth.h"

typedef enum conf_kind {
  CONF_CANTILEVER, /* a strip of 100 x 20 mm from a clamp; level: w g L^3 / B; gives B */
  CONF_STRIP,      /* a square of 100 mm hangs in its plane; level: mean strain; gives E h [N/m] */
  CONF_SHEAR,      /* a sheet of 100 x 200 mm between two clamps; level: shear angle there; gives G h [N/m] */
  CONF_FALL,       /* a square of 100 mm falls, without air; gives the acceleration */
  CONF_SLOPE,      /* on a slope; level: tangent / coefficient; gives mu, or the creep of what should hold */
  CONF_KINDS
} conf_kind;
extern const char *const conf_kind_names[]; /* "cantilever", "strip", "shear", "fall", "slope", NULL */

/* The levels of an experiment, ended by 0. */
extern const double conf_levels[CONF_KINDS][6];

#define CONF_TIMES 3

typedef struct conf_case {
  conf_kind kind;
  double level;
  double edge_m;    /* of the mesh's square cells; near what was wanted, so that whole cells fit */
  int nx, ny;       /* cells along x and y; vertex i, j has the number i (ny + 1) + j */
  exch_cloth cloth; /* the numbers that the program is told */
  double gravity_m_per_s2[3];
  bool rest;  /* wanted is the state of rest; damping that does not shift it is welcome */
  bool plane; /* a rigid plane at z = 0 with the friction of the cloth */
  double time_s[CONF_TIMES];
  int n_vertices;
  double (*vertex)[3]; /* owned */
  bool *pinned;        /* owned */
} conf_case;

/* Makes a case for a measured cloth: it decides gravity and times. edge_m: 1 to 25 mm. The cloth that is told
 * may be changed afterwards. The caller calls conf_case_clear. Errors: CB_E_NOTFOUND if the cloth lacks a
 * property that the experiment wants; CB_E_RANGE; CB_E_NOMEM. */
CB_CHECKED cb_status conf_case_init(conf_kind kind, double level, double edge_m, const exch_cloth *measured,
                                    conf_case *out, cb_err *err);
void conf_case_clear(conf_case *c);

/* Returns true if the cloth has the property of the experiment. */
bool conf_case_possible(conf_kind kind, const exch_cloth *measured);

/* What positions mean. */
typedef struct conf_finding {
  double found_inside;  /* cantilever: B, if the clamp ends half an edge within the pinned cells */
  double wanted, found; /* the property (SI); slope that should hold: creep [m/s], wanted 0 */
  double drift_m_per_s; /* fastest vertex between the last two times */
} conf_finding;
/* position: CONF_TIMES blocks of n_vertices. measured: the cloth the case was made for. */
conf_finding conf_case_judge(const conf_case *c, const exch_cloth *measured, const double (*position)[3]);

#endif
