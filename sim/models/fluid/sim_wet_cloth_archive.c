/* What position-based cloth carries from step to step: its mesh too, which tearing changes. */
#include <stdlib.h>
#include <string.h>

#include "sim_wet_cloth_impl.h"

typedef struct vertices {
  double (*x)[3], (*v)[3];
  bool *held;
} vertices;

static void archive_vertices(cb_archive *a, vertices *p, size_t n) {
  cb_archive_f64(a, &p->x[0][0], 3 * n, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &p->v[0][0], 3 * n, CB_ARCHIVE_FAR);
  cb_archive_bool(a, p->held, n);
}

static void clear_vertices(vertices *p) {
  free(p->x);
  free(p->v);
  free(p->held);
}

/* The sheet of another mesh: what follows from it is made anew. *p and *mesh take what the sheet had. */
static cb_status exchange_mesh(sim_wet_cloth *s, sim_mesh *mesh, vertices *p, cb_err *err) {
  const sim_mesh mesh_before = s->mesh;
  const vertices before = {s->x, s->v, s->held};
  sim_wet_cloth_unbuild(s);
  s->mesh = *mesh, *mesh = mesh_before;
  s->x = p->x, s->v = p->v, s->held = p->held;
  *p = before;
  CB_TRY(sim_wet_cloth_build(s, err));
  memcpy(s->begin, s->x, (size_t)s->n * sizeof *s->begin);
  return CB_OK;
}

static cb_status read_sheet(sim_wet_cloth *s, cb_archive *a, sim_mesh *mesh, vertices *p, cb_err *err) {
  CB_TRY(sim_mesh_archive(mesh, a, err));
  if (a->wrong) return CB_OK;
  if (mesh->n_triangles != s->mesh.n_triangles) cb_archive_fail(a, "has another number of triangles");
  const size_t n = (size_t)mesh->n_vertices;
  *p = (vertices){malloc(n * sizeof *p->x), malloc(n * sizeof *p->v), calloc(n, sizeof *p->held)};
  if (!p->x || !p->v || !p->held) return cb_no_memory(err, "sheet of %zu vertices", n);
  archive_vertices(a, p, n);
  return !a->wrong ? exchange_mesh(s, mesh, p, err) : CB_OK;
}

cb_status sim_wet_cloth_archive(sim_wet_cloth *s, cb_archive *a, cb_err *err) {
  sim_mesh mesh = {0};
  vertices p = {0}, own = {s->x, s->v, s->held};
  cb_status st;
  cb_archive_f64(a, &s->time_s, 1, CB_ARCHIVE_FAR);
  if (cb_archive_reads(a)) {
    st = read_sheet(s, a, &mesh, &p, err);
    sim_mesh_clear(&mesh);
    clear_vertices(&p);
  } else {
    st = sim_mesh_archive(&s->mesh, a, err);
    archive_vertices(a, &own, (size_t)s->n);
  }
  return st == CB_OK && s->self ? sim_self_archive(s->self, a, err) : st;
}
