/* Pulls on the virtual bench, played into traces in memory: no wire, no clock, no process. What a host would
 * have recorded, with exact times. */
#ifndef VRIG_PLAY_H
#define VRIG_PLAY_H

#include <stdint.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_trace.h"
#include "vrig_bench.h"

typedef struct vrig_pull {
  double angle_rad, body_angle_rad, added_mass_kg;
  int direction; /* +1 forward, -1 backward */
  double speed_m_per_s, travel_m;
  double rest_s; /* before the pull, for the zero */
} vrig_pull;
/* Returns a pull of the demo's campaign: 10 mm/s, 25 mm, 1 s of rest. */
vrig_pull vrig_pull_default(double angle_rad, double added_mass_kg, int direction);

typedef struct vrig_play vrig_play;

/* Makes a bench with a seed of its own; the rig's is not used. rig must outlive it. The caller frees *out
 * with vrig_play_close, which accepts NULL; *out is NULL on failure. Errors: those of vrig_bench_init;
 * CB_E_ARG: no section `virtual`. CB_E_NOMEM. */
CB_CHECKED cb_status vrig_play_open(const cb_rig *rig, uint64_t seed, vrig_play **out, cb_err *err);
void vrig_play_close(vrig_play *p);

/* Makes the next pull, as the campaign engine does: another angle or load places the cart anew at
 * stage.start_m (backward: a travel further). Otherwise the link is slackened, and the cart is taken back if
 * the travel would not fit. mishap may be NULL.
 *   The trace has readings times the declared slope, the zero not subtracted; positions every 10 ms; the
 * readings at rest in n_rest; and 0.2 s of rest after the pull. The caller frees it with cb_trace_clear; it
 * is empty on failure. CB_E_RANGE: the pull leaves the track. CB_E_ARG: VRIG_MISHAP_REPEATED without a pull
 * before. CB_E_NOMEM. */
CB_CHECKED cb_status vrig_play_next(vrig_play *p, const vrig_pull *pull, const vrig_mishap *mishap,
                                    cb_trace *out, cb_err *err);
/* The bench, for its true forces; it belongs to p. */
const vrig_bench *vrig_play_bench(const vrig_play *p);

/* Makes one pull on a fresh bench: vrig_pull_default with vrig_play_next. */
CB_CHECKED cb_status vrig_play_pull(const cb_rig *rig, const vrig_mishap *mishap, uint64_t seed,
                                    double angle_rad, double added_mass_kg, int direction, cb_trace *out,
                                    cb_err *err);

#endif
