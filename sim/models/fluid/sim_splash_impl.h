#ifndef SIM_SPLASH_IMPL_H
#define SIM_SPLASH_IMPL_H

#include "sim_fluid_impl.h"
#include "sim_impact.h"
#include "sim_wet_cloth.h"
#include "sim_splash.h"

/* Triangles whose candidates are one list. */
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
  int n_vertices, n_chunks; /* that there is memory for */
  double (*expected)[3];    /* per vertex: where it would be without contacts */
  double (*end)[3];         /* per particle */
  sim_splash_list *list;    /* per chunk of triangles */
  int *first, *triangle;    /* particle i's candidates: triangle[first[i] ... first[i + 1]] */
  size_t triangles_capacity;
  int *guest_of;              /* per particle; -1: touches nothing */
  sim_wet_cloth_guest *guest; /* per particle at most */
  int *toucher, n_guests;     /* per guest: its particle */
  double seep_m_per_s_Pa;     /* 0: nothing goes through */
  double *gone_m3;            /* per number of a particle: of its volume, through the cloth */
  bool *goes;                 /* per particle: through the cloth in this step */
  float *way;                 /* per particle: the longest of its way along the axes */
  int *fast, n_fast;          /* particles with a way of more than slow_m */
};

/* Per particle, on its way from f->x to s->end, all triangles that it can meet if their vertices end within
 * slack of `end_m`. */
CB_CHECKED cb_status sim_splash_gather(sim_splash *s, const double (*end_m)[3], cb_err *err);
/* The guests: who touches what first. */
void sim_splash_touch(sim_splash *s);
/* Who has gone through comes to lie on the other side. After the sheet's step; returns how many. */
int sim_splash_let_through(sim_splash *s);
/* Whether a triangle but `own`, as they lie at the end, is between two places. */
bool sim_splash_blocked(const sim_splash *s, int own, const double from_m[3], const double to_m[3]);
/* Lets nobody else pass between f->x and s->end. */
void sim_splash_guard(sim_splash *s, sim_splash_report *report);

/* A particle's way in the step and a triangle's. */
typedef struct sim_splash_meeting {
  double p[2][3], x[2][3][3];
} sim_splash_meeting;
void sim_splash_meet(const sim_splash *s, int i, int triangle, const double (*start_m)[3],
                     const double (*end_m)[3], sim_splash_meeting *out);

#endif
