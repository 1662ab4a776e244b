/* Two sheets: one slides over another that is held flat. The friction that acts, over the normal force. */
#ifndef SELF_SLIDE_H
#define SELF_SLIDE_H

#include "sim_cloth.h"

typedef struct self_slide {
  sim_pattern pattern;
  double side_m;         /* of the sliding sheet, a square */
  double edge_m[2];      /* of the held and of the sliding mesh */
  uint64_t seed;         /* of irregular meshes */
  sim_material material; /* of both */
  double mu;
  double m_per_s;       /* speed at the start */
  double pull_m_per_s2; /* along the slope, beyond what friction mu takes */
  double step_s, settle_s, duration_s;
  sim_cloth_scheme scheme;
  int iterations;
} self_slide;

/* What a slide came to. */
typedef struct self_slide_result {
  double mu; /* pull less acceleration, over the normal acceleration: slope of a line through the speeds */
  double end_m_per_s;
  long long solves, contacts, impacts;
  int steps, crossings;
} self_slide_result;

/* Plays a slide. Errors: those of the mesh and of the cloth. */
CB_CHECKED cb_status self_slide_play(const self_slide *how, self_slide_result *out, cb_err *err);

#endif
