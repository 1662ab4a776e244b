#include "sim_probe.h"

#include <stdlib.h>
#include <string.h>

#include "cb_bytes.h"
#include "cb_file.h"
#include "sim_vec.h"

/* A point this share of a triangle outside of it is on its border. */
#define ON_BORDER 1e-9

#define MAX_BYTES ((size_t)1 << 32)

sim_probe sim_probe_vertex(int vertex) { return (sim_probe){{vertex, vertex, vertex}, {1, 0, 0}}; }

sim_probe sim_probe_nearest(const sim_mesh *mesh, const double position_m[3]) {
  int nearest = 0;
  double best = INFINITY;
  for (int i = 0; i < mesh->n_vertices; i++) {
    double d[3];
    sim_sub(mesh->position_m[i], position_m, d);
    if (sim_dot(d, d) >= best) continue;
    best = sim_dot(d, d);
    nearest = i;
  }
  return sim_probe_vertex(nearest);
}

/* Barycentric co-ordinates in the flat cloth. */
static void weights_of(const double corner[3][2], const double p[2], double weight[3]) {
  double ax = corner[1][0] - corner[0][0], ay = corner[1][1] - corner[0][1];
  double bx = corner[2][0] - corner[0][0], by = corner[2][1] - corner[0][1];
  double px = p[0] - corner[0][0], py = p[1] - corner[0][1], doubled = ax * by - ay * bx;
  weight[1] = (px * by - py * bx) / doubled;
  weight[2] = (ax * py - ay * px) / doubled;
  weight[0] = 1 - weight[1] - weight[2];
}

cb_status sim_probe_material(const sim_mesh *m, const double p[2], sim_probe *out, cb_err *err) {
  for (int t = 0; t < m->n_triangles; t++) {
    weights_of((const double(*)[2])m->corner_m[t], p, out->weight);
    if (!(fmin(out->weight[0], fmin(out->weight[1], out->weight[2])) >= -ON_BORDER)) continue;
    memcpy(out->vertex, m->triangle[t], sizeof out->vertex);
    return CB_OK;
  }
  return cb_fail(err, CB_E_NOTFOUND, "probe at warp %g m, weft %g m: outside of the cloth", p[0], p[1]);
}

struct sim_track {
  int n;
  sim_probe *probe;
  cb_bytes rows;
};

static void put_header(sim_track *t, const char *const *name) {
  static const char *const column[] = {"x_m", "y_m", "z_m", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s"};
  cb_bytes_text(&t->rows, "time_s,kinetic_J,stretch_J,bending_J,gravity_J,friction_J,damping_J,supports_J");
  for (int i = -1; i < t->n; i++)
    for (int k = 0; k < 6; k++) cb_bytes_text(&t->rows, ",%s_%s", i < 0 ? "mean" : name[i], column[k]);
  cb_bytes_text(&t->rows, "\n");
}

cb_status sim_track_new(const sim_probe *probe, const char *const *name, int n, sim_track **out, cb_err *err) {
  sim_track *t = calloc(1, sizeof *t);
  *out = t;
  if (t != NULL) t->probe = malloc((size_t)(n > 0 ? n : 1) * sizeof *t->probe);
  if (t == NULL || t->probe == NULL) {
    sim_track_free(t);
    *out = NULL;
    return cb_fail(err, CB_E_NOMEM, "probes: out of memory for %d", n);
  }
  t->n = n;
  for (int i = 0; i < n; i++) t->probe[i] = probe[i];
  put_header(t, name);
  return CB_OK;
}

void sim_track_free(sim_track *t) {
  if (t == NULL) return;
  free(t->probe);
  cb_bytes_clear(&t->rows);
  free(t);
}

cb_status sim_track_resume(sim_track *t, const char *path, double time_s, cb_err *err) {
  char *text;
  size_t n, head = t->rows.n;
  CB_TRY(cb_file_read(path, MAX_BYTES, &text, &n, err));
  cb_status st = CB_OK;
  if (n < head || memcmp(text, t->rows.data, head) != 0) st = cb_fail(err, CB_E_PARSE, "%s: has other columns than this run", path);
  for (char *row = text + head, *end; st == CB_OK && *row && (end = strchr(row, '\n')); row = end + 1) {
    if (!(strtod(row, NULL) <= time_s)) break;
    cb_bytes_put(&t->rows, row, (size_t)(end + 1 - row));
  }
  free(text);
  return st;
}

static void put_six(cb_bytes *b, const double x[3], const double v[3]) {
  for (int k = 0; k < 3; k++) cb_bytes_text(b, ",%.17g", x[k]);
  for (int k = 0; k < 3; k++) cb_bytes_text(b, ",%.17g", v[k]);
}

static void put_mean(cb_bytes *b, const sim_cloth *c) {
  const double *mass_kg = sim_cloth_mass(c);
  double x[3] = {0}, v[3] = {0}, mass = 0;
  for (int i = 0; i < sim_cloth_mesh(c)->n_vertices; i++) {
    sim_add(x, mass_kg[i], sim_cloth_position(c)[i]);
    sim_add(v, mass_kg[i], sim_cloth_velocity(c)[i]);
    mass += mass_kg[i];
  }
  for (int k = 0; k < 3 && mass > 0; k++) { /* 0 where there is no cloth */
    x[k] /= mass;
    v[k] /= mass;
  }
  put_six(b, x, v);
}

void sim_track_add(sim_track *t, sim_cloth *c) {
  sim_energy e;
  sim_cloth_energy(c, &e);
  const double ledger[] = {e.kinetic, e.stretch, e.bending, e.gravity, e.friction, e.damping, e.supports};
  cb_bytes_text(&t->rows, "%.17g", sim_cloth_time(c));
  for (size_t k = 0; k < sizeof ledger / sizeof *ledger; k++) cb_bytes_text(&t->rows, ",%.17g", ledger[k]);
  put_mean(&t->rows, c);
  for (int i = 0; i < t->n; i++) {
    double x[3] = {0}, v[3] = {0};
    for (int k = 0; k < 3; k++) {
      sim_add(x, t->probe[i].weight[k], sim_cloth_position(c)[t->probe[i].vertex[k]]);
      sim_add(v, t->probe[i].weight[k], sim_cloth_velocity(c)[t->probe[i].vertex[k]]);
    }
    put_six(&t->rows, x, v);
  }
  cb_bytes_text(&t->rows, "\n");
}

/* Before the end of the line. */
static void reopen(cb_bytes *b) {
  if (b->n > 0) b->n--;
}

void sim_track_column(sim_track *t, const char *name) {
  reopen(&t->rows);
  cb_bytes_text(&t->rows, ",%s\n", name);
}

void sim_track_more(sim_track *t, const double *value, int n) {
  reopen(&t->rows);
  for (int i = 0; i < n; i++) cb_bytes_text(&t->rows, ",%.17g", value[i]);
  cb_bytes_text(&t->rows, "\n");
}

cb_status sim_track_write(const sim_track *t, const char *path, cb_err *err) { return cb_bytes_write(&t->rows, path, err); }
