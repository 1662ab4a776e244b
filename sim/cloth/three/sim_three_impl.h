/* What the files of the three layers share. */
#ifndef SIM_THREE_IMPL_H
#define SIM_THREE_IMPL_H

#include "sim_air_layer.h"
#include "sim_air_volume.h"
#include "sim_bond.h"
#include "sim_buffer.h"
#include "sim_elastic.h"
#include "sim_solid.h"
#include "sim_three.h"

/* A place of the core as a sum of the body's vertices. */
typedef struct sim_three_tie {
  int corner[4];
  double weight[4];
} sim_three_tie;

/* A body, the cloth that meets it, and what is between them. */
typedef struct sim_three_layer {
  const sim_three_body *given;
  int first, n; /* of the cloth's vertices */
  sim_hull hull;
  sim_elastic *elastic;
  double (*told_x)[3], (*told_v)[3]; /* of a body that is told how to move */
  double *ground_m2;                 /* per vertex of an elastic body: of its surface, at rest */
  sim_traverse *traverse;
  sim_buffer *buffer;
  sim_foot *foot;       /* n */
  sim_buffer_cloth met; /* its cloth in the step at hand, for the friction of its bonds */
  sim_air *air;
  double (*out)[3], *area; /* n; with air: normal away from the body, as long as its area; that of its triangles, a third */
  double (*end)[3];        /* n; where the layer ends under the vertex */
  double *swept_m3;        /* per triangle of the air's mesh */
  double *gap, *outside_Pa;
  bool *at_foot; /* n; the layer is not cut off above the body */
  sim_air_answer answer;
  double *reach_m2, *growth_m3; /* n; area that a motion sweeps; what it swept */
  sim_bonds bonds;              /* how stiff the air is, and what presses */
  sim_core core;                /* as the body starts */
  sim_three_tie *tied;          /* core.n */
  double (*core_from)[3];       /* core.n; where it was when the step began */
  double side;                  /* 1 where the cloth's face looks away from the body, -1 where its back does */
} sim_three_layer;

struct sim_three {
  sim_three_setup setup;
  sim_cloth *cloth;
  sim_three_layer *layer; /* n_bodies */
  sim_bonds **bonds;      /* n_bodies, the layers' */
  double (*push)[3];      /* on the cloth's vertices, by air */
  double (*support)[3];
  double phase_start_s;
};

double (*sim_three_layer_x(const sim_three_layer *l))[3];
double (*sim_three_layer_v(const sim_three_layer *l))[3];

/* sim_three_layer.c: a body by itself, and where the cloth stands over it. With air or
 * contacts it is moved by the cloth's step (sim_bond.h): in between. */
CB_CHECKED cb_status sim_three_layer_init(sim_three *t, int body, cb_err *err);
void sim_three_layer_clear(sim_three_layer *l);
void sim_three_layer_begin(sim_three_layer *l, double dt_s, sim_elastic_report *report);
CB_CHECKED cb_status sim_three_layer_move(sim_three_layer *l, double dt_s, sim_elastic_report *report, cb_err *err);
CB_CHECKED cb_status sim_three_layer_surface(const sim_three *t, sim_three_layer *l, double dt_s, cb_err *err);

/* sim_three_watch.c: where the core is at the begin of a step; whether the cloth came across it by the end. */
CB_CHECKED cb_status sim_three_core_init(sim_three_layer *l, cb_err *err);
void sim_three_core_begin(const sim_three *t);
CB_CHECKED cb_status sim_three_core_check(const sim_three *t, double dt_s, cb_err *err);

/* sim_three_ground.c: elastic bodies out of the cloth's rigid bodies. Returns how many vertices lie on one. */
int sim_three_ground(const sim_three *t, sim_three_layer *l, double dt_s);

/* sim_three_breath.c: the air of a layer. */
void sim_three_breath_place(const sim_three *t, sim_three_layer *l, sim_air_place *place);
/* What it will press with, as forces of the next step, and how stiff it is: the bonds. */
CB_CHECKED cb_status sim_three_breath_push(sim_three *t, sim_three_layer *l, double dt_s, cb_err *err);
/* A step of the air in the gaps as they are. */
CB_CHECKED cb_status sim_three_breath_step(sim_three *t, sim_three_layer *l, double dt_s, sim_air_report *report, cb_err *err);

/* sim_three_state.c: a copy of the whole state, to go back to: state_bytes long, the cloth's (sim_cloth_state_take) first. */
size_t sim_three_state_bytes(const sim_three *three);
void sim_three_state_take(const sim_three *three, unsigned char *to);
void sim_three_state_give(sim_three *three, const unsigned char *from);

#endif
