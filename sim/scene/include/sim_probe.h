/* What is written down at every step of a run: where chosen points of the cloth are, its mean, and the ledger of energy; as CSV. */
#ifndef SIM_PROBE_H
#define SIM_PROBE_H

#include "sim_cloth.h"

/* A point of the cloth: the weighted mean of three vertices. */
typedef struct sim_probe {
  int vertex[3];
  double weight[3];
} sim_probe;

sim_probe sim_probe_vertex(int vertex);
/* Where (warp, weft) lies in the flat cloth, on a border too; of several layers of pattern, the first. CB_E_NOTFOUND: outside. */
CB_CHECKED cb_status sim_probe_material(const sim_mesh *mesh, const double material_m[2], sim_probe *out, cb_err *err);
/* The vertex that is nearest to this place as the mesh was made. */
sim_probe sim_probe_nearest(const sim_mesh *mesh, const double position_m[3]);

typedef struct sim_track sim_track; /* rows so far, in memory */

/* `name` (n, without commas) heads the columns NAME_x_m ... NAME_vz_m_per_s. Before them: time_s, and position and velocity of the centre
 * of mass (mean_x_m ...). Caller frees with sim_track_free. */
CB_CHECKED cb_status sim_track_new(const sim_probe *probe, const char *const *name, int n, sim_track **out, cb_err *err);
void sim_track_free(sim_track *track);

/* The rows of an earlier file up to this time, that a resumed run goes on with. CB_E_PARSE: its columns are others. */
CB_CHECKED cb_status sim_track_resume(sim_track *track, const char *path, double time_s, cb_err *err);

/* Before the first row: one more column at the end; its values follow each row, in the order of the columns. */
void sim_track_column(sim_track *track, const char *name);
void sim_track_more(sim_track *track, const double *value, int n);

/* One row: the cloth as it is now. */
void sim_track_add(sim_track *track, sim_cloth *cloth);

/* All rows. Errors: those of adding them, too. The file appears whole or not at all. */
CB_CHECKED cb_status sim_track_write(const sim_track *track, const char *path, cb_err *err);

#endif
