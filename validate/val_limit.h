/* A sheet hung by two corners under limits of strain, 1 % along one of warp and weft and 5 % along the other,
 * then exchanged (the first experiment of "adaptive anisotropic strain limiting"): who knows directions hangs
 * otherwise. Warp runs across, weft down.
 *
 * The paper says neither the size of the sheet nor what it is made of: 1 m, 0.15 kg/m2, so soft (20 N/m) that
 * it would stretch by half, are ours. It is the scene of docs/strain-limiting.md, played by sim_play.h. */
#ifndef VAL_LIMIT_H
#define VAL_LIMIT_H

#include <stdbool.h>

#include "sim_limit.h"

typedef struct val_limit {
  sim_limit_kind kind; /* SIM_LIMIT_KINDS: no limit */
  bool swapped;        /* false: weft is the stiff one */
  int cells;           /* along either side */
  double duration_s, dt_s;
} val_limit;

typedef struct val_limit_result {
  double warp[2], weft[2], any[2]; /* ratios of length, least and most, at the end */
  double excess, excess_worst;     /* outside the limits, at the end and in any step */
  double wrinkles_per_m;           /* angle at edges times their length, over the area */
  double sag_m, lowest_m; /* of what hangs nearest to the middle between the grips; height of the lowest
                             vertex; the grips are at 0 */
  double fastest_m_per_s; /* at the end: how near rest it is */
  double rounds, linear_systems; /* mean per step */
  double seconds;                /* processor time of all threads, per step */
  int n_vertices;
  double (*position_m)[3];
} val_limit_result;

/* mapped, 20 cells, 3 s in steps of 5 ms. */
val_limit val_limit_default(void);
/* picture: a PNG file, NULL: none. Caller: val_limit_clear, even after an error. */
CB_CHECKED cb_status val_limit_run(const val_limit *e, const char *picture, val_limit_result *out,
                                   cb_err *err);
void val_limit_clear(val_limit_result *r);

/* How far two sheets hang from each other, root of the mean square over vertices; the nearer of the two sides
 * to fall to. */
double val_limit_apart(const val_limit_result *a, const val_limit_result *b);

#endif
