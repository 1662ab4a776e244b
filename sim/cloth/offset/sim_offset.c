#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_threads.h"
#include "sim_offset_impl.h"
#include "sim_vec.h"

#define SKIN 0.1 /* of the contact offset's thickness */
#define ROUNDS 4
#define STILL_M_PER_S 1e-12

sim_offset_setup sim_offset_setup_default(const sim_mesh *mesh, double stretch) {
  double longest = 0, d[3];
  for (int e = 0; e < mesh->n_edges; e++) {
    sim_sub(mesh->position_m[mesh->edge[e].vertex[1]], mesh->position_m[mesh->edge[e].vertex[0]], d);
    longest = fmax(longest, sim_norm(d));
  }
  const double most = longest * (1 + stretch), thickness = 2.0 / 3 * most;
  return (sim_offset_setup){
      .edge_most_m = most, .thickness_m = thickness, .skin_m = SKIN * thickness, .rounds = ROUNDS};
}

static cb_status check_setup(const sim_offset_setup *s, cb_err *err) {
  CB_TRY(cb_check_range(s->thickness_m, 1e-9, 1e3, "contact offset: thickness", "m", err));
  CB_TRY(cb_check_range(s->edge_most_m, 0, 1e3, "contact offset: longest edge", "m", err));
  CB_TRY(cb_check_range(s->skin_m, 0, 1e3, "contact offset: skin", "m", err));
  CB_TRY(cb_check_range(s->rounds, 1, 100, "contact offset: rounds", "", err));
  return sim_friction_check(&s->friction, err);
}

void sim_offset_free(sim_offset *b) {
  if (!b) return;
  for (int i = 0; b->slot_of && i < b->n_threads; i++) free(b->slot_of[i]);
  void *const arrays[] = {b->press, b->slide, b->chunk,   b->slot_vertex, b->slot,
                          b->start, b->who,   b->slot_of, b->share,       b->memory};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  free(b);
}

static bool law_turned(const cb_friction_law *law) {
  for (size_t k = 0; law && k < law->n_knots; k++)
    if (law->knots[k].f_N[1] != 0 || law->knots[k].f_N[0] != law->knots[k].f_N[2]) return true;
  return false;
}

/* Pages that no contact ever uses are only reserved by the system. */
static bool allocate_arrays(sim_offset *b) {
  size_t n = (size_t)b->n_chunks * SIM_PRESS_CHUNK, nb = (size_t)b->n_body;
  size_t chunk = (size_t)3 * SIM_PRESS_CHUNK, slots = chunk < nb ? chunk : nb;
  b->memory = calloc(n, sizeof *b->memory);
  b->press = calloc(n, sizeof *b->press);
  b->slide = calloc(n, sizeof *b->slide);
  b->chunk = calloc((size_t)b->n_chunks, sizeof *b->chunk);
  b->slot_vertex = calloc((size_t)b->n_chunks * slots, sizeof *b->slot_vertex);
  b->slot = calloc((size_t)b->n_chunks * slots, sizeof *b->slot);
  b->who = calloc((size_t)b->n_chunks * slots, sizeof *b->who);
  b->start = calloc(nb + 1, sizeof *b->start);
  b->share = calloc(nb, sizeof *b->share);
  b->slot_of = calloc((size_t)b->n_threads, sizeof *b->slot_of);
  bool ok = b->memory && b->press && b->slide && b->chunk && b->slot_vertex && b->slot && b->who &&
            b->start && b->share && b->slot_of;
  for (int i = 0; ok && i < b->n_threads; i++) {
    ok = (b->slot_of[i] = malloc(nb * sizeof *b->slot_of[i])) != NULL;
    for (size_t k = 0; ok && k < nb; k++) b->slot_of[i][k] = -1;
  }
  for (size_t c = 0; ok && c < (size_t)b->n_chunks; c++)
    b->chunk[c] = (sim_press_chunk){.press = b->press + c * SIM_PRESS_CHUNK,
                                    .slide = b->slide + c * SIM_PRESS_CHUNK,
                                    .slot_vertex = b->slot_vertex + c * slots,
                                    .slot = b->slot + c * slots};
  return ok;
}

cb_status sim_offset_new(const sim_offset_setup *setup, int n_cloth, int n_body, sim_offset **out,
                         cb_err *err) {
  *out = NULL;
  CB_TRY(check_setup(setup, err));
  sim_offset *b = calloc(1, sizeof *b);
  if (!b) return cb_no_memory(err, "contact offset");
  *b = (sim_offset){.setup = *setup,
                    .n_cloth = n_cloth,
                    .n_body = n_body,
                    .n_chunks = (n_cloth + SIM_PRESS_CHUNK - 1) / SIM_PRESS_CHUNK,
                    .n_threads = omp_get_max_threads()};
  b->turned = law_turned(setup->friction.kinetic_law) || law_turned(setup->friction.static_law);
  if (allocate_arrays(b)) {
    *out = b;
    return CB_OK;
  }
  sim_offset_free(b);
  return cb_no_memory(err, "contact offset of %d vertices", n_cloth);
}

static void add_up(const sim_offset *b, double dt_s, sim_offset_report *r) {
  *r = (sim_offset_report){.deepest_m = 0};
  for (int c = 0; c < b->n_chunks; c++) {
    const sim_press_sum *s = &b->chunk[c].sum;
    r->contacts += b->chunk[c].n;
    r->extrapolated += s->extrapolated;
    r->deepest_m = fmax(r->deepest_m, s->deepest_m);
    r->left_m = fmax(r->left_m, s->left_m);
    r->normal_N += s->normal_Ns / dt_s;
    r->friction_J += s->friction_J;
  }
}

/* A body of prescribed motion does not react, so each chunk plays all its rounds at once. */
static void press_prescribed(sim_offset *b, const sim_traverse *surface, const sim_closest_point *closest,
                             sim_offset_cloth *cloth, const sim_offset_body *body, double dt_s) {
#pragma omp parallel for schedule(static)
  for (int c = 0; c < b->n_chunks; c++) {
    sim_press_gather(b, c, surface, closest, cloth, body, NULL);
    sim_press_round(b, &b->chunk[c], 0, b->setup.rounds - 1, body, dt_s);
    sim_press_ask(b, &b->chunk[c], cloth, body, dt_s);
    sim_press_add_friction(&b->chunk[c], body);
  }
}

/* Whether the last round of friction changed no slip any more. */
static bool still(const sim_offset *b) {
  double most = 0;
  for (int c = 0; c < b->n_chunks; c++) most = fmax(most, b->chunk[c].sum.change_m_per_s);
  return most <= STILL_M_PER_S;
}

static void against_elastic(sim_offset *b, const sim_traverse *surface, const sim_closest_point *closest,
                            sim_offset_cloth *cloth, sim_offset_body *body, double dt_s) {
#pragma omp parallel for schedule(static) num_threads(cb_threads_within(b->n_threads))
  for (int c = 0; c < b->n_chunks; c++)
    sim_press_gather(b, c, surface, closest, cloth, body, b->slot_of[omp_get_thread_num()]);
  sim_press_weigh(b, body);
  for (int r = 0; r < b->setup.rounds; r++) {
#pragma omp parallel for schedule(static)
    for (int c = 0; c < b->n_chunks; c++) sim_press_round(b, &b->chunk[c], r, r, body, dt_s);
    sim_press_move_body(b, body, dt_s);
  }
  for (int r = 0; r < b->setup.rounds; r++) {
#pragma omp parallel for schedule(static)
    for (int c = 0; c < b->n_chunks; c++) {
      if (r == 0) sim_press_ask(b, &b->chunk[c], cloth, body, dt_s);
      sim_press_add_friction(&b->chunk[c], body);
    }
    sim_press_move_body(b, body, dt_s);
    if (still(b)) return;
  }
}

size_t sim_offset_state_bytes(const sim_offset *b) { return (size_t)b->n_cloth * sizeof *b->memory; }
void sim_offset_state_take(const sim_offset *b, unsigned char *to) {
  memcpy(to, b->memory, sim_offset_state_bytes(b));
}
void sim_offset_state_give(sim_offset *b, const unsigned char *from) {
  memcpy(b->memory, from, sim_offset_state_bytes(b));
}

void sim_offset_press(sim_offset *b, const sim_traverse *surface, const sim_closest_point *closest,
                      sim_offset_cloth *cloth, sim_offset_body *body, double dt_s,
                      sim_offset_report *report) {
  if (body->mass_kg)
    against_elastic(b, surface, closest, cloth, body, dt_s);
  else
    press_prescribed(b, surface, closest, cloth, body, dt_s);
#pragma omp parallel for schedule(static)
  for (int c = 0; c < b->n_chunks; c++) sim_press_end(b, &b->chunk[c], cloth, body, dt_s);
  add_up(b, dt_s, report);
}
