/* The unconnected pieces of a cloth, each as a mesh of its own. A piece that is flat and convex needs no
 * search (sim_query.h); one mesh of two such pieces would. */
#include <stdlib.h>

#include "sim_cloth_self_impl.h"
#include "sim_query.h"

static cb_status no_memory(const sim_mesh *mesh, cb_err *err) {
  return cb_no_memory(err, "pieces of a cloth of %d vertices", mesh->n_vertices);
}

/* Finds the pieces as runs of vertices: first[k] begins one if no triangle joins the vertices before it to
 * those after. Returns their number. */
static int find_runs(const sim_mesh *mesh, int *first) {
  int n = 0, joined_to = -1;
  for (int v = 0; v < mesh->n_vertices; v++) {
    if (v > joined_to) first[n++] = v;
    for (int k = mesh->fan_start[v]; k < mesh->fan_start[v + 1]; k++)
      for (int c = 0; c < 3; c++) {
        const int other = mesh->triangle[mesh->fan[k] / 3][c];
        joined_to = other > joined_to ? other : joined_to;
      }
  }
  first[n] = mesh->n_vertices;
  return n;
}

/* Whether triangles are in the order of the pieces, as vertices are. */
static bool in_order(const sim_mesh *mesh, const int *first, int n) {
  for (int t = 0, k = 0; t < mesh->n_triangles; t++) {
    while (k + 1 < n && mesh->triangle[t][0] >= first[k + 1]) k++;
    if (mesh->triangle[t][0] < first[k]) return false;
  }
  return true;
}

static cb_status cut_out(const sim_mesh *mesh, int from, int to, int *triangle, sim_mesh *out, cb_err *err) {
  int n = 0;
  const int start = *triangle;
  while (start + n < mesh->n_triangles && mesh->triangle[start + n][0] < to) n++;
  int(*corner)[3] = malloc(((size_t)n + 1) * sizeof *corner);
  if (!corner) return no_memory(mesh, err);
  for (int t = 0; t < n; t++)
    for (int c = 0; c < 3; c++) corner[t][c] = mesh->triangle[start + t][c] - from;
  cb_status st = sim_mesh_build((const sim_vec3 *)mesh->position_m + from, to - from, (const int(*)[3])corner,
                                (const double(*)[3][2])mesh->corner_m + start, n, out, err);
  free(corner);
  *triangle = start + n;
  return st;
}

cb_status sim_cloth_self_cut(const sim_mesh *mesh, sim_cloth_self *out, cb_err *err) {
  cb_status st = CB_OK;
  int *first = malloc(((size_t)mesh->n_vertices + 1) * sizeof *first), triangle = 0;
  if (!first) return no_memory(mesh, err);
  const int n = find_runs(mesh, first);
  if (n < 2 || n > SIM_BVH_MESHES || !in_order(mesh, first, n)) goto done;
  out->piece = calloc((size_t)n, sizeof *out->piece);
  if (!out->piece) CB_GOTO(no_memory(mesh, err));
  for (int k = 0; k < n; k++)
    CB_GOTO(cut_out(mesh, first[k], first[k + 1], &triangle, &out->piece[out->n_pieces++], err));
done:
  free(first);
  return st;
}
