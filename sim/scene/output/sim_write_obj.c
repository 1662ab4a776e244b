#include "cb_bytes.h"
#include "sim_write_files.h"

static void put_vertices(cb_bytes *b, const double (*x)[3], int n) {
  for (int i = 0; i < n; i++) cb_bytes_text(b, "v %.9g %.9g %.9g\n", x[i][0], x[i][1], x[i][2]);
}

/* first: number of vertex 0, from 1. */
static void put_faces(cb_bytes *b, const int (*triangle)[3], int n, int first) {
  for (int t = 0; t < n; t++)
    cb_bytes_text(b, "f %d %d %d\n", triangle[t][0] + first, triangle[t][1] + first, triangle[t][2] + first);
}

cb_status sim_write_body_obj(const sim_frame *f, int layer, const char *path, cb_err *err) {
  const sim_frame_body *l = &f->layer[layer];
  cb_bytes b = {0};
  put_vertices(&b, (const sim_vec3 *)l->position_m, l->n_vertices);
  put_faces(&b, (const int(*)[3])l->triangle, l->n_triangles, 1);
  return cb_bytes_write(&b, path, err);
}

cb_status sim_write_drawn_obj(const sim_drawn *d, int n, const char *path, cb_err *err) {
  cb_bytes b = {0};
  for (int s = 0; s < n; s++) put_vertices(&b, d[s].position_m, d[s].n_vertices);
  for (int s = 0, first = 1; s < n; first += d[s++].n_vertices) {
    cb_bytes_text(&b, "g surface%d\n", s);
    put_faces(&b, d[s].triangle, d[s].n_triangles, first);
  }
  return cb_bytes_write(&b, path, err);
}
