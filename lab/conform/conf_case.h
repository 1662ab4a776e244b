/* An experiment that any cloth simulator can play: a mesh, what holds it, gravity, and times at which
 * positions are wanted. Positions are all that comes back, because every program can give them. So loads are
 * weights: gravity is set to what the load wants.
 *
 * docs/reference/experiment-folder.md describes the files. SI units; z is up; the warp runs along x. */
#ifndef CONF_CASE_H
#define CONF_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "conf_proof.h"

/* The levels of an experiment, ended by 0. */
extern const double conf_levels[CONF_KINDS][6];

#define CONF_TIMES 3

/* Two rigid boxes with the friction of the cloth between them. The face of the lower one is at z = 0, and it
 * stays. The upper one begins apart_m above, moves along z alone, and is pressed down with the force. */
typedef struct conf_pads {
  double x_m[2], y_m[2], apart_m;
  double force_N; /* 0: there are none */
} conf_pads;

/* The pinned vertices stay, and then move along x: from a time on they speed up evenly, until they go on as
 * fast as they are. */
typedef struct conf_pull {
  double from_s, ramp_s, m_per_s; /* 0: they stay */
} conf_pull;
/* Their speed at a time. */
double conf_pull_speed(const conf_pull *p, double time_s);

typedef struct conf_case {
  conf_kind kind;
  double level;
  double edge_m;    /* of the mesh's square cells; near what was wanted, so that whole cells fit */
  double length_m;  /* along x, without what lies in the clamp */
  int nx, ny;       /* cells along x and y; vertex i, j has the number i (ny + 1) + j */
  exch_cloth cloth; /* the numbers that the program is told */
  double gravity_m_per_s2[3];
  bool rest;     /* wanted is the state of rest; damping that does not shift it is welcome */
  bool plane;    /* a rigid plane at z = 0 with the friction of the cloth */
  bool self;     /* the cloth meets itself, with that friction */
  double drum_m; /* > 0: radius of a rigid drum around the y axis, with that friction */
  conf_pads pads;
  conf_pull pull;
  double gravity_from_s; /* there is none before */
  double time_s[CONF_TIMES];
  int n_vertices, n_faces;
  double (*vertex)[3]; /* owned: at rest */
  double (*start)[3];  /* owned: where it begins, without motion; NULL: as `vertex` */
  int (*face)[4];      /* owned: a quad, or a triangle, whose fourth corner is -1 */
  bool *pinned;        /* owned */
} conf_case;

/* Makes a case for a measured cloth: it decides lengths, gravity and times. Cantilevers hang under standard
 * gravity, as in a laboratory; a level is a length, near which whole cells fit. edge_m: 1 to 25 mm. The cloth
 * that is told may be changed afterwards. The caller calls conf_case_clear. Errors: CB_E_NOTFOUND if it is
 * not possible; CB_E_RANGE; CB_E_NOMEM. */
CB_CHECKED cb_status conf_case_init(conf_kind kind, double level, double edge_m, const exch_cloth *measured,
                                    conf_case *out, cb_err *err);
void conf_case_clear(conf_case *c);

/* Returns true if the cloth has the property of the experiment, and the mesh is neither too coarse for it nor
 * too fine. */
bool conf_case_possible(conf_kind kind, double level, double edge_m, const exch_cloth *measured);

/* Returns true if the cloth should not move at this level. */
bool conf_case_holds(conf_kind kind, double level);

/* position: CONF_TIMES blocks of n_vertices. measured: the cloth the case was made for. hinges: the program
 * bends at edges alone (conf_engine.h). */
conf_finding conf_case_judge(const conf_case *c, const exch_cloth *measured, bool hinges,
                             const double (*position)[3]);

#endif
