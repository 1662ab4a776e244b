/* Private to fit_plan*.c: a round of runs, and its effect on the law's uncertainty. */
#ifndef FIT_PLAN_ROUND_H
#define FIT_PLAN_ROUND_H

#include "fit_plan.h"
#include "fit_plan_field.h"

/* Scatter of a run at a point: the part that repeats of one mounting share, and the rest. */
typedef struct fit_noise {
  double laying, pull;
  double done; /* pulls so far */
} fit_noise;

/* Points: the cells that could be measured, angle by angle, then those where the law is looked at. */
typedef struct fit_outlook {
  const fit_plan_options *o;
  size_t n_cells;
  fit_field now, then;
  fit_noise noise[FIT_PLAN_MAX * FIT_PLAN_MAX];
} fit_outlook;

/* k: the law that is known. Caller: fit_outlook_clear, also after a failure. o must live as long. */
CB_CHECKED cb_status fit_outlook_init(fit_outlook *w, const cb_friction_obs *obs, size_t n,
                                      const fit_friction_law *k, const fit_plan_options *o, cb_err *err);
void fit_outlook_clear(fit_outlook *w);

/* The law's uncertainty now, and the part of it that no run reduces. */
double fit_outlook_u(const fit_outlook *w);
double fit_outlook_floor(const fit_outlook *w);

/* Fills the round with the cells that help most; p->u_rel must be set. No cells: nothing helps. */
void fit_outlook_refine(fit_outlook *w, fit_plan *p);
/* Sets the expected uncertainty after the cells of p, which were chosen for other reasons. */
void fit_outlook_expect(fit_outlook *w, fit_plan *p);

/* Runs with a force in this cell. */
size_t fit_plan_runs(const cb_friction_obs *obs, size_t n, double angle_deg, double load_N);

/* Adds a cell without an expected uncertainty. Computes the time at the bench for all cells. */
void fit_plan_add(fit_plan *p, double angle_deg, double load_N);
double fit_plan_seconds(const fit_plan *p, const fit_plan_options *o);

#endif
