/* The state of sim_splash and the stages of its step, private to sim/models/fluid/. */
#ifndef SIM_SPLASH_IMPL_H
#define SIM_SPLASH_IMPL_H

#include <stdbool.h>

#include "sim_fluid_impl.h"
#include "sim_splash.h"
#include "sim_wet_cloth.h"

/* Continuous collision of a moving point with a moving triangle, all vertices on straight paths. The four
 * points are coplanar where
 *   (p - x1).((x2 - x1) x (x3 - x1)) = 0, a cubic in the time,
 * and they meet if the point is within the triangle then. The cubic is in Bernstein form: there is no root
 * where all four coefficients have one sign, else the interval is halved. Doubtful cases count as impacts:
 * within 1e-9 outside the sides, and where the four points stay coplanar. */

typedef struct sim_impact {
  double time;      /* of the first passage, as a share of the step */
  double weight[3]; /* of the corners at the point of impact */
  double side;      /* 1: the point came from the side of the triangle's face, -1: from its back */
} sim_impact;

/* Returns true and fills *out if the point passes the triangle. start and end are the corners. */
bool sim_impact_find(const double point_start[3], const double point_end[3], const double start[3][3],
                     const double end[3][3], sim_impact *out);

/* Triangles per list of candidates. */
#define SIM_SPLASH_CHUNK 128

typedef struct sim_splash_pair {
  int particle, triangle;
} sim_splash_pair;

typedef struct sim_splash_list {
  sim_splash_pair *pair;
  int n;
  size_t capacity;
} sim_splash_list;

struct sim_splash {
  sim_fluid *fluid;
  sim_wet_cloth *sheet;
  double gap_m, slack_m, slow_m;
  int n_vertices, n_chunks; /* capacity of the arrays below */
  double (*expected)[3];    /* per vertex: end position without contacts */
  double (*cloth_v)[3];     /* per vertex: velocity at the start of the step */
  double (*end)[3];         /* per particle: end position */
  sim_splash_list *list;    /* per chunk of triangles */
  int *first, *triangle;    /* candidates of particle i: triangle[first[i]] to triangle[first[i + 1] - 1] */
  size_t triangles_capacity;
  int *guest_of;              /* per particle: its guest; -1: no contact */
  sim_wet_cloth_guest *guest; /* n_guests; room for one per particle */
  int *toucher, n_guests;     /* per guest: its particle */
  double seep_m_per_s_Pa;     /* 0: no seepage */
  double *gone_m3;            /* by particle number: volume that has seeped */
  bool *goes;                 /* per particle: it seeps through in this step */
  float *way;                 /* per particle: length of its path along the longest axis */
  int *fast, n_fast;          /* particles with a path longer than slow_m */
};

/* Finds the candidates of each particle: all triangles that it can meet between f->x and s->end if no vertex
 * ends farther than the slack from end_m. Error: memory. */
CB_CHECKED cb_status sim_splash_gather(sim_splash *s, const double (*end_m)[3], cb_err *err);
/* Fills the guests: the particles that touch a triangle, each with the first one. */
void sim_splash_touch(sim_splash *s);
/* Moves particles whose volume has seeped to the other side. Call it after the cloth's step. Returns their
 * number. */
int sim_splash_let_through(sim_splash *s);
/* Returns whether a triangle other than `own` lies between two places at the end of the step. */
bool sim_splash_blocked(const sim_splash *s, int own, const double from_m[3], const double to_m[3]);
/* The guard: stops every other particle that would pass the cloth between f->x and s->end. */
void sim_splash_guard(sim_splash *s, sim_splash_report *report);

/* Start and end positions of a particle, p[start, end], and of the corners of a triangle, x[start, end]. */
typedef struct sim_splash_meeting {
  double p[2][3], x[2][3][3];
} sim_splash_meeting;
/* Fills *out for particle i; start_m and end_m are positions of all vertices. */
void sim_splash_meet(const sim_splash *s, int i, int triangle, const double (*start_m)[3],
                     const double (*end_m)[3], sim_splash_meeting *out);

#endif
