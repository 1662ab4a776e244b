/* A mesh in an archive, for models whose mesh changes. */
#include <limits.h>
#include <stdlib.h>

#include "cb_archive.h"
#include "sim_mesh.h"

#define LEAST_BYTES 60 /* of a triangle */

typedef struct draft {
  int n, nt;
  double (*position_m)[3];
  int (*triangle)[3];
  double (*corner_m)[3][2];
} draft;

static void archive_draft(cb_archive *a, draft *d) {
  cb_archive_f64(a, &d->position_m[0][0], 3 * (size_t)d->n, CB_ARCHIVE_FAR);
  cb_archive_int(a, &d->triangle[0][0], 3 * (size_t)d->nt, 0, d->n - 1);
  cb_archive_f64(a, &d->corner_m[0][0][0], 6 * (size_t)d->nt, CB_ARCHIVE_FAR);
}

static cb_status archive_mesh(cb_archive *a, draft *d, sim_mesh *mesh, cb_err *err) {
  cb_err why = {""};
  archive_draft(a, d);
  if (a->wrong) return CB_OK;
  const cb_status st = sim_mesh_build((const sim_vec3 *)d->position_m, d->n, (const int(*)[3])d->triangle,
                                      (const double(*)[3][2])d->corner_m, d->nt, mesh, &why);
  if (st == CB_E_NOMEM) return cb_fail(err, st, "%s", why.msg);
  if (st != CB_OK) cb_archive_fail(a, "has a mesh that there cannot be");
  return CB_OK;
}

cb_status sim_mesh_archive(sim_mesh *mesh, cb_archive *a, cb_err *err) {
  draft d = {mesh->n_vertices, mesh->n_triangles, mesh->position_m, mesh->triangle, mesh->corner_m};
  cb_archive_int(a, &d.n, 1, 3, INT_MAX);
  cb_archive_int(a, &d.nt, 1, 1, INT_MAX);
  if (!cb_archive_reads(a)) {
    archive_draft(a, &d);
    return CB_OK;
  }
  if (!a->wrong && ((size_t)d.nt > a->left / LEAST_BYTES || (size_t)d.n > 3 * (size_t)d.nt))
    cb_archive_fail(a, "ends too soon");
  if (a->wrong) return CB_OK;
  d.position_m = malloc((size_t)d.n * sizeof *d.position_m);
  d.triangle = malloc((size_t)d.nt * sizeof *d.triangle);
  d.corner_m = malloc((size_t)d.nt * sizeof *d.corner_m);
  cb_status st = d.position_m && d.triangle && d.corner_m ? archive_mesh(a, &d, mesh, err)
                                                          : cb_no_memory(err, "mesh of %d triangles", d.nt);
  free(d.position_m);
  free(d.triangle);
  free(d.corner_m);
  return st;
}
