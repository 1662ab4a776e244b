/* The state of the layers, beside their cloth, in an archive. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_layered_impl.h"

/* from_m is NaN for a closest point whose sign is unknown; the archive has a flag instead. */
static void archive_closest_point(cb_archive *a, sim_closest_point *f, int n_triangles) {
  bool known = !isnan(f->from_m[0]);
  cb_archive_int(a, &f->triangle, 1, 0, n_triangles - 1);
  cb_archive_f64(a, f->weight, 3, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &f->distance_m, 1, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &f->way_m, 1, CB_ARCHIVE_FAR);
  cb_archive_bool(a, &known, 1);
  for (int k = 0; k < 3; k++) {
    double from = known && !isnan(f->from_m[k]) ? f->from_m[k] : 0;
    cb_archive_f64(a, &from, 1, CB_ARCHIVE_FAR);
    if (cb_archive_good(a)) f->from_m[k] = known ? from : NAN;
  }
}

typedef size_t bytes_of(const void *part);
typedef void take_from(const void *part, unsigned char *to);
typedef void give_to(void *part, const unsigned char *from);

static size_t bytes_of_traverse(const void *t) { return sim_traverse_state_bytes(t); }
static void take_traverse(const void *t, unsigned char *to) { sim_traverse_state_take(t, to); }
static void give_traverse(void *t, const unsigned char *from) { sim_traverse_state_give(t, from); }
static size_t bytes_of_elastic(const void *e) { return sim_elastic_state_bytes(e); }
static void take_elastic(const void *e, unsigned char *to) { sim_elastic_state_take(e, to); }
static void give_elastic(void *e, const unsigned char *from) { sim_elastic_state_give(e, from); }
static size_t bytes_of_air(const void *e) { return sim_air_state_bytes(e); }
static void take_air(const void *e, unsigned char *to) { sim_air_state_take(e, to); }
static void give_air(void *e, const unsigned char *from) { sim_air_state_give(e, from); }

/* A part whose state is an array of doubles. */
typedef struct numbers {
  void *part; /* NULL: there is none */
  bytes_of *bytes;
  take_from *take;
  give_to *give;
} numbers;

static cb_status archive_numbers(cb_archive *a, const numbers *p, cb_err *err) {
  if (!p->part) return CB_OK;
  const size_t n = p->bytes(p->part);
  unsigned char *copy = malloc(n + 1);
  double *value = malloc(n + sizeof *value);
  cb_status st = CB_OK;
  if (copy && value) {
    p->take(p->part, copy);
    memcpy(value, copy, n);
    cb_archive_f64(a, value, n / sizeof *value, INFINITY);
    memcpy(copy, value, n);
    if (cb_archive_good(a)) p->give(p->part, copy);
  } else {
    st = cb_no_memory(err, "layers, their state");
  }
  free(copy);
  free(value);
  return st;
}

static cb_status archive_layer(cb_archive *a, sim_layered_layer *l, cb_err *err) {
  const numbers part[] = {{l->traverse, bytes_of_traverse, take_traverse, give_traverse},
                          {l->elastic, bytes_of_elastic, take_elastic, give_elastic},
                          {l->air, bytes_of_air, take_air, give_air}};
  const size_t prescribed = !l->elastic ? 3 * (size_t)l->hull.n_vertices : 0;
  cb_archive_f64(a, prescribed > 0 ? &l->prescribed_x[0][0] : NULL, prescribed, CB_ARCHIVE_FAR);
  cb_archive_f64(a, prescribed > 0 ? &l->prescribed_v[0][0] : NULL, prescribed, CB_ARCHIVE_FAR);
  for (int i = 0; i < l->n; i++) archive_closest_point(a, &l->closest[i], l->hull.n_triangles);
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) CB_TRY(archive_numbers(a, &part[k], err));
  sim_offset_archive(l->offset, a);
  return CB_OK;
}

cb_status sim_layered_archive(sim_layered *t, cb_archive *a, cb_err *err) {
  for (int b = 0; b < t->setup.n_bodies; b++) CB_TRY(archive_layer(a, &t->layer[b], err));
  return CB_OK;
}
