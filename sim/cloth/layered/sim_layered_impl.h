/* What the files of the three layers share. */
#ifndef SIM_LAYERED_IMPL_H
#define SIM_LAYERED_IMPL_H

#include "sim_air_layer.h"
#include "sim_air_volume.h"
#include "sim_spring.h"
#include "sim_offset.h"
#include "sim_elastic.h"
#include "sim_solid.h"
#include "sim_layered.h"

/* A place of the core as a sum of the body's vertices. */
typedef struct sim_layered_tie {
  int corner[4];
  double weight[4];
} sim_layered_tie;

/* A body, the cloth that meets it, and what is between them. */
typedef struct sim_layered_layer {
  const sim_layered_body *given;
  int first, n; /* of the cloth's vertices */
  sim_hull hull;
  sim_elastic *elastic;
  double (*prescribed_x)[3], (*prescribed_v)[3]; /* of a body of prescribed motion */
  double *ground_m2;                             /* per vertex of an elastic body: of its surface, at rest */
  sim_traverse *traverse;
  sim_offset *offset;
  sim_closest_point *closest; /* n */
  sim_offset_cloth met;       /* its cloth in the step at hand, for the friction of its contact springs */
  sim_air *air;
  double (*out)[3], *area; /* n; with air: normal away from the body, as long as its area; that of its
                              triangles, a third */
  double (*end)[3];        /* n; where the layer ends under the vertex */
  double *swept_m3;        /* per triangle of the air's mesh */
  double *gap, *outside_Pa;
  bool *at_closest; /* n; the layer is not cut off above the body */
  sim_air_answer answer;
  double *reach_m2, *growth_m3; /* n; area that a motion sweeps; what it swept */
  sim_springs springs;          /* how stiff the air is, and what presses */
  sim_core core;                /* as the body starts */
  sim_layered_tie *tied;        /* core.n */
  double (*core_from)[3];       /* core.n; where it was when the step began */
  double side; /* 1 where the cloth's face looks away from the body, -1 where its back does */
} sim_layered_layer;

struct sim_layered {
  sim_layered_setup setup;
  sim_cloth *cloth;
  sim_layered_layer *layer; /* n_bodies */
  sim_springs **springs;    /* n_bodies, the layers' */
  double (*push)[3];        /* on the cloth's vertices, by air */
  double (*support)[3];
  double phase_start_s;
};

double (*sim_layered_layer_x(const sim_layered_layer *l))[3];
double (*sim_layered_layer_v(const sim_layered_layer *l))[3];

/* sim_layered_layer.c: a body by itself, and where the cloth stands over it. With air or
 * contacts it is moved by the cloth's step (sim_spring.h): in between. */
CB_CHECKED cb_status sim_layered_layer_init(sim_layered *t, int body, cb_err *err);
void sim_layered_layer_clear(sim_layered_layer *l);
void sim_layered_layer_begin(sim_layered_layer *l, double dt_s, sim_elastic_report *report);
CB_CHECKED cb_status sim_layered_layer_move(sim_layered_layer *l, double dt_s, sim_elastic_report *report,
                                            cb_err *err);
CB_CHECKED cb_status sim_layered_layer_surface(const sim_layered *t, sim_layered_layer *l, double dt_s,
                                               cb_err *err);

/* sim_layered_watch.c: where the core is at the begin of a step; whether the cloth came across it by the
 * end. */
CB_CHECKED cb_status sim_layered_core_init(sim_layered_layer *l, cb_err *err);
void sim_layered_core_begin(const sim_layered *t);
CB_CHECKED cb_status sim_layered_core_check(const sim_layered *t, double dt_s, cb_err *err);

/* sim_layered_ground.c: elastic bodies out of the cloth's rigid bodies. Returns how many vertices lie on
 * one. */
int sim_layered_ground(const sim_layered *t, sim_layered_layer *l, double dt_s);

/* sim_layered_breath.c: the air of a layer. */
void sim_layered_breath_place(const sim_layered *t, sim_layered_layer *l, sim_air_place *place);
/* What it will press with, as forces of the next step, and how stiff it is: the contact springs. */
CB_CHECKED cb_status sim_layered_breath_push(sim_layered *t, sim_layered_layer *l, double dt_s, cb_err *err);
/* A step of the air in the gaps as they are. */
CB_CHECKED cb_status sim_layered_breath_step(sim_layered *t, sim_layered_layer *l, double dt_s,
                                             sim_air_report *report, cb_err *err);

/* sim_layered_state.c: a copy of the whole state, to go back to: state_bytes long, the cloth's
 * (sim_cloth_state_take) first. */
size_t sim_layered_state_bytes(const sim_layered *layered);
void sim_layered_state_take(const sim_layered *layered, unsigned char *to);
void sim_layered_state_give(sim_layered *layered, const unsigned char *from);

#endif
