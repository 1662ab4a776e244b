#include "cb_bytes.h"
#include "sim_write_files.h"

static void put_header(cb_bytes *b, const sim_frame *f) {
  static const char *const of_vertex[] = {
      "x", "y", "z", "vx", "vy", "vz", "contact_pressure_Pa", "slip_m_per_s", "air_over_Pa", "gap_m"};
  static const char *const of_face[] = {"strain_uu",          "strain_vv",          "strain_uv",
                                        "curvature_uu_per_m", "curvature_vv_per_m", "curvature_uv_per_m"};
  cb_bytes_text(b, "ply\nformat binary_little_endian 1.0\ncomment time_s %.17g\nelement vertex %d\n",
                f->time_s, f->mesh->n_vertices);
  for (size_t k = 0; k < (f->gap_m ? 10 : 8); k++) cb_bytes_text(b, "property float %s\n", of_vertex[k]);
  cb_bytes_text(b, "property int body\nelement face %d\nproperty list uchar int vertex_indices\n",
                f->mesh->n_triangles);
  for (size_t k = 0; k < sizeof of_face / sizeof *of_face; k++)
    cb_bytes_text(b, "property float %s\n", of_face[k]);
  cb_bytes_text(b, "end_header\n");
}

cb_status sim_write_ply(const sim_frame *f, const char *path, cb_err *err) {
  cb_bytes b = {0};
  put_header(&b, f);
  for (int i = 0; i < f->mesh->n_vertices; i++) {
    cb_bytes_f32(&b, f->position_m[i], 3);
    cb_bytes_f32(&b, f->velocity_m_per_s[i], 3);
    cb_bytes_f32(&b, &f->pressure_Pa[i], 1);
    cb_bytes_f32(&b, &f->slip_m_per_s[i], 1);
    if (f->gap_m) {
      cb_bytes_f32(&b, &f->air_over_Pa[i], 1);
      cb_bytes_f32(&b, &f->gap_m[i], 1);
    }
    cb_bytes_i32(&b, &f->body[i], 1);
  }
  for (int t = 0; t < f->mesh->n_triangles; t++) {
    cb_bytes_put(&b, "\3", 1);
    cb_bytes_i32(&b, f->mesh->triangle[t], 3);
    cb_bytes_f32(&b, f->strain[t], 3);
    cb_bytes_f32(&b, f->curvature_per_m[t], 3);
  }
  return cb_bytes_write(&b, path, err);
}

/* A surface that knows no more than where it is and how it moves; more: lines of the head of every face. */
static void put_plain_header(cb_bytes *b, double time_s, int n_vertices, int n_triangles, const char *more) {
  cb_bytes_text(b,
                "ply\nformat binary_little_endian 1.0\ncomment time_s %.17g\nelement vertex %d\nproperty "
                "float x\nproperty float y\n"
                "property float z\nproperty float vx\nproperty float vy\nproperty float vz\nelement face %d\n"
                "property list uchar int vertex_indices\n%send_header\n",
                time_s, n_vertices, n_triangles, more);
}

cb_status sim_write_body_ply(const sim_frame *f, int layer, const char *path, cb_err *err) {
  const sim_frame_body *l = &f->layer[layer];
  cb_bytes b = {0};
  put_plain_header(&b, f->time_s, l->n_vertices, l->n_triangles, "");
  for (int i = 0; i < l->n_vertices; i++) {
    cb_bytes_f32(&b, l->position_m[i], 3);
    cb_bytes_f32(&b, l->velocity_m_per_s[i], 3);
  }
  for (int t = 0; t < l->n_triangles; t++) {
    cb_bytes_put(&b, "\3", 1);
    cb_bytes_i32(&b, l->triangle[t], 3);
  }
  return cb_bytes_write(&b, path, err);
}

static void put_vertices(cb_bytes *b, const sim_drawn *d) {
  const double still[3] = {0, 0, 0};
  for (int i = 0; i < d->n_vertices; i++) {
    cb_bytes_f32(b, d->position_m[i], 3);
    cb_bytes_f32(b, d->velocity_m_per_s != NULL ? d->velocity_m_per_s[i] : still, 3);
  }
}

/* first: number of the surface's vertex 0. */
static void put_faces(cb_bytes *b, const sim_drawn *d, int surface, int first) {
  for (int t = 0; t < d->n_triangles; t++) {
    const int corner[3] = {d->triangle[t][0] + first, d->triangle[t][1] + first, d->triangle[t][2] + first};
    cb_bytes_put(b, "\3", 1);
    cb_bytes_i32(b, corner, 3);
    cb_bytes_i32(b, &surface, 1);
  }
}

cb_status sim_write_drawn_ply(const sim_drawn *d, int n, double time_s, const char *path, cb_err *err) {
  cb_bytes b = {0};
  int nv = 0, nt = 0;
  for (int s = 0; s < n; s++) nv += d[s].n_vertices, nt += d[s].n_triangles;
  put_plain_header(&b, time_s, nv, nt, "property int surface\n");
  for (int s = 0; s < n; s++) put_vertices(&b, &d[s]);
  for (int s = 0, first = 0; s < n; first += d[s++].n_vertices) put_faces(&b, &d[s], s, first);
  return cb_bytes_write(&b, path, err);
}
