/* The memory of a contact offset in an archive. */
#include "sim_offset_impl.h"

static void archive_memory(cb_archive *a, sim_press_memory *m) {
  double *const one[] = {&m->pressed_Ns, &m->before_Ns, &m->hold_N_per_m, &m->friction.across_N_per_m};
  double *const triple[] = {m->normal,          m->friction_Ns,   m->held_N, m->friction_residual_N,
                            m->friction.held_N, m->friction.along};
  for (size_t k = 0; k < sizeof one / sizeof *one; k++) cb_archive_f64(a, one[k], 1, CB_ARCHIVE_FAR);
  for (size_t k = 0; k < sizeof triple / sizeof *triple; k++) cb_archive_f64(a, triple[k], 3, CB_ARCHIVE_FAR);
  cb_archive_bool(a, &m->tied, 1);
}

void sim_offset_archive(sim_offset *b, cb_archive *a) {
  for (int i = 0; i < b->n_cloth; i++) archive_memory(a, &b->memory[i]);
}
