/* Limit swap: a sheet hung by two corners under strain limits, 1 % along one of warp and weft and 5 % along
 * the other, then exchanged. It is the first experiment of "adaptive anisotropic strain limiting": a method
 * that knows directions must hang differently. Warp runs across, weft down.
 *
 * The paper gives neither size nor material. 1 m, 0.15 kg/m2 and 20 N/m, so soft that it would stretch by
 * half, are ours. The scene is that of docs/method/limit-experiments.md, played by sim_play.h. */
#ifndef VAL_LIMIT_H
#define VAL_LIMIT_H

#include <stdbool.h>

#include "sim_limit.h"

typedef struct val_limit {
  sim_limit_kind kind; /* SIM_LIMIT_KINDS: no limit */
  bool swapped;        /* false: weft has the 1 % */
  int cells;           /* along either side */
  double duration_s, dt_s;
} val_limit;

typedef struct val_limit_result {
  double warp[2], weft[2], any[2]; /* least and greatest ratio of lengths, at the end */
  double excess, excess_worst;     /* strain beyond the limits: at the end, greatest of any step */
  double wrinkles_per_m;           /* sum of angle x length over the edges, over the area */
  double sag_m, lowest_m;          /* sag of the vertex nearest to the middle between the grips; height of the
                                      lowest vertex, with the grips at 0 */
  double fastest_m_per_s;          /* greatest speed at the end */
  double rounds;                   /* mean per step */
  double seconds;                  /* processor time of all threads, per step */
  int n_vertices;
  double (*position_m)[3]; /* n_vertices, at the end; owned */
} val_limit_result;

/* Returns kind mapped, 20 cells, and 3 s in steps of 5 ms. */
val_limit val_limit_default(void);
/* Runs the scene. picture: path of a PNG file, or NULL. The caller calls val_limit_clear, even after an
 * error. Errors: a number out of range, those of sim_play. */
CB_CHECKED cb_status val_limit_run(const val_limit *e, const char *picture, val_limit_result *out,
                                   cb_err *err);
void val_limit_clear(val_limit_result *r);

/* Returns the rms distance of the vertices of two sheets: the smaller of that to b and that to b mirrored,
 * as a sheet can fall to either side. */
double val_limit_apart(const val_limit_result *a, const val_limit_result *b);

#endif
