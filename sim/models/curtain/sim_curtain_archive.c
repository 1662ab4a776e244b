/* What a curtain carries from step to step, by whole blocks of columns. */
#include "sim_curtain_impl.h"

static void archive_blocks(cb_archive *a, sim_f64x8 *first, size_t n) {
  cb_archive_f64(a, (double *)first, n * SIM_CURTAIN_LANES, CB_ARCHIVE_FAR);
}

static void archive_drag(const sim_curtain *c, cb_archive *a, sim_curtain_drag *d) {
  cb_archive_int(a, &d->column, 1, 0, c->setup.columns - 1);
  cb_archive_int(a, &d->node, 1, c->dragged ? 1 : 0, c->setup.nodes - 1);
  cb_archive_f64(a, d->target_m, 3, CB_ARCHIVE_FAR);
  cb_archive_f64(a, d->velocity_m_per_s, 3, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &d->stiffness_N_per_m, 1, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &d->damping_Ns_per_m, 1, CB_ARCHIVE_FAR);
}

/* What the setup's wind does in a step goes with the time alone. */
void sim_curtain_archive(sim_curtain *c, cb_archive *a) {
  const size_t n = (size_t)c->blocks * (size_t)c->setup.nodes;
  cb_archive_f64(a, &c->time_s, 1, CB_ARCHIVE_FAR);
  archive_blocks(a, c->x, 3 * n);
  archive_blocks(a, c->v, 3 * n);
  archive_blocks(a, c->next, 3 * n);
  archive_blocks(a, c->tension, n);
  archive_blocks(a, c->turning, n);
  archive_blocks(a, c->pulled, (size_t)sim_curtain_eights(c) * (size_t)c->setup.columns);
  cb_archive_f64(a, c->order.facing, 2, 2);
  cb_archive_f64(a, c->order.wish, 2, 2);
  cb_archive_bool(a, &c->dragged, 1);
  archive_drag(c, a, &c->drag);
}
