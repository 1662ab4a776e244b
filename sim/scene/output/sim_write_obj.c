#include "cb_bytes.h"
#include "sim_write.h"

cb_status sim_write_body_obj(const sim_frame *f, int layer, const char *path, cb_err *err) {
  const sim_frame_body *l = &f->layer[layer];
  cb_bytes b = {0};
  for (int i = 0; i < l->n_vertices; i++)
    cb_bytes_text(&b, "v %.9g %.9g %.9g\n", l->position_m[i][0], l->position_m[i][1], l->position_m[i][2]);
  for (int t = 0; t < l->n_triangles; t++)
    cb_bytes_text(&b, "f %d %d %d\n", l->triangle[t][0] + 1, l->triangle[t][1] + 1, l->triangle[t][2] + 1);
  cb_status st = cb_bytes_write(&b, path, err);
  cb_bytes_clear(&b);
  return st;
}
