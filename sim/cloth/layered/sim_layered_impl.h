/* The three layers, shared by their files. */
#ifndef SIM_LAYERED_IMPL_H
#define SIM_LAYERED_IMPL_H

#include "sim_air_layer.h"
#include "sim_air_volume.h"
#include "sim_spring.h"
#include "sim_offset.h"
#include "sim_elastic.h"
#include "sim_solid.h"
#include "sim_layered.h"

/* A core point of a body as a weighted sum of four of the body's vertices. */
typedef struct sim_layered_tie {
  int corner[4];
  double weight[4];
} sim_layered_tie;

/* A vertex of the cloth that is sewn to a place on a triangle of the body, by a thread. */
typedef struct sim_layered_stitch {
  int vertex; /* of those that meet the body */
  int corner[3];
  double weight[3];
} sim_layered_stitch;

/* A layer: a body, the cloth that meets it, and what is between them. */
typedef struct sim_layered_layer {
  const sim_layered_body *given;
  int first, n; /* range of the cloth's vertices */
  sim_hull hull;
  sim_elastic *elastic;
  double (*prescribed_x)[3], (*prescribed_v)[3]; /* of a body of prescribed motion */
  /* Per vertex of an elastic body: its share of the body's surface, at rest. */
  double *ground_m2;
  sim_traverse *traverse;
  sim_offset *offset;
  sim_closest_point *closest; /* n */
  sim_offset_cloth met;       /* the cloth in the present step, for the friction of contact springs */
  sim_air *air;
  /* n, with air: out: normal away from the body, its length the area; area: a third of the triangles
   * around. */
  double (*out)[3], *area;
  double (*end)[3]; /* n; end of the layer under the vertex */
  double *swept_m3; /* n_triangles of the air's mesh */
  double *gap, *outside_Pa;
  bool *at_closest; /* n; the layer reaches down to the body */
  sim_air_answer answer;
  double *reach_m2, *growth_m3; /* n; area that a motion sweeps; volume that it swept */
  sim_springs springs;          /* contact springs, and the air's stiffness */
  int n_stitches;
  sim_layered_stitch *stitch; /* n_stitches, in the order of their vertices; NULL: none */
  sim_core core;              /* at the start */
  sim_layered_tie *tied;      /* core.n */
  double (*core_from)[3];     /* core.n; positions at the beginning of the step */
  /* 1: the cloth's face looks away from the body; -1: its back does; 0: not known yet. */
  double side;
  sim_layered_contacts told; /* since the layers were made or loaded */
} sim_layered_layer;

struct sim_layered {
  sim_layered_setup setup;
  double gusts_at_s;
  sim_cloth *cloth;
  sim_layered_layer *layer; /* n_bodies */
  sim_springs **springs;    /* n_bodies; the layers' springs */
  double (*push)[3];        /* forces of the air on the cloth's vertices */
  double (*support)[3];
  double *edge_most_m; /* per edge of the cloth */
  bool *taut;          /* per vertex: is at an edge at its limit when the step begins */
  double phase_start_s;
};

/* Positions and velocities of a body's vertices. */
double (*sim_layered_layer_x(const sim_layered_layer *l))[3];
double (*sim_layered_layer_v(const sim_layered_layer *l))[3];

/* sim_layered_layer.c: a body, and the cloth's closest points on it. begin and move enclose the cloth's step:
 * a body with air or contacts is solved for in the cloth's step (sim_spring.h), another one moves by itself
 * in `move`. surface tells the traversal where the body is. Errors of init: those of the parts; the caller
 * clears the layer. */
CB_CHECKED cb_status sim_layered_layer_init(sim_layered *t, int body, cb_err *err);
void sim_layered_layer_clear(sim_layered_layer *l);
void sim_layered_layer_begin(sim_layered_layer *l, double dt_s, sim_elastic_report *report);
CB_CHECKED cb_status sim_layered_layer_move(sim_layered_layer *l, double dt_s, sim_elastic_report *report,
                                            cb_err *err);
CB_CHECKED cb_status sim_layered_layer_surface(const sim_layered *t, sim_layered_layer *l, double dt_s,
                                               cb_err *err);

/* sim_layered_watch.c: init ties the core to the body's vertices. begin stores the core's positions at the
 * beginning of a step. check finds out whether the cloth came across the core by its end: CB_E_NUM. */
CB_CHECKED cb_status sim_layered_core_init(sim_layered_layer *l, cb_err *err);
void sim_layered_core_begin(const sim_layered *t);
CB_CHECKED cb_status sim_layered_core_check(const sim_layered *t, double dt_s, cb_err *err);

/* sim_layered_stitch.c: init finds the places of the stitches at the start; spring makes them contact springs
 * of a step, after those of contacts. */
CB_CHECKED cb_status sim_layered_stitch_init(sim_layered_layer *l, cb_err *err);
void sim_layered_stitch_spring(const sim_layered *t, sim_layered_layer *l, double dt_s);

/* sim_layered_ground.c: puts vertices of an elastic body out of the cloth's rigid bodies, with friction.
 * Returns the number of vertices that lie on one. */
int sim_layered_ground(const sim_layered *t, sim_layered_layer *l, double dt_s);

/* sim_layered_breath.c: the geometry of a layer of air. The arrays of *place belong to l. */
void sim_layered_breath_place(const sim_layered *t, sim_layered_layer *l, sim_air_place *place);
/* Adds the expected pressure as forces of the next step, and puts the air's stiffness into the contact
 * springs. */
CB_CHECKED cb_status sim_layered_breath_push(sim_layered *t, sim_layered_layer *l, double dt_s, cb_err *err);
/* Advances the air by a step, in the gaps at present. */
CB_CHECKED cb_status sim_layered_breath_step(sim_layered *t, sim_layered_layer *l, double dt_s,
                                             sim_air_report *report, cb_err *err);

#endif
