/* Near places in an archive, so that a loaded state goes on with them as a run that was not stopped does: it
 * searches for the vertices that moved only (sim_self_contact.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_self_impl.h"

static void archive_contact(const sim_self *s, cb_archive *a, sim_self_contact *c) {
  int pair = (int)c->pair;
  cb_archive_int(a, &pair, 1, SIM_VERTEX_TRIANGLE, SIM_EDGE_EDGE);
  c->pair = (sim_pair)pair;
  cb_archive_int(a, c->vertex, 4, 0, s->n_vertices - 1);
  cb_archive_f64(a, c->weight, 4, CB_ARCHIVE_FAR);
  cb_archive_f64(a, c->normal, 3, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &c->distance_m, 1, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &c->area_m2, 1, CB_ARCHIVE_FAR);
  cb_archive_int(a, c->triangle, 2, 0, s->first_triangle[s->n_meshes] - 1);
  cb_archive_f64(a, &c->place[0][0], 6, CB_ARCHIVE_FAR);
}

#define LEAST_BYTES 164 /* of a contact */

typedef struct kept {
  int n;
  double reach_m;
  sim_self_contact *contact;
  double (*at_m)[3];
} kept;

static void archive_kept(const sim_self *s, cb_archive *a, kept *k) {
  for (int i = 0; i < k->n; i++) archive_contact(s, a, &k->contact[i]);
  cb_archive_f64(a, &k->at_m[0][0], 3 * (size_t)s->n_vertices, CB_ARCHIVE_FAR);
}

/* Refits the trees, since boxes of unmoved vertices must be those of the last search. */
static void adopt_contacts(sim_self *s, kept *k) {
  sim_self_contact *contact = s->contact;
  double(*at_m)[3] = s->kept_m;
  s->contact = k->contact, s->kept_m = k->at_m;
  s->n_contacts = k->n;
  s->contacts_capacity = (size_t)k->n;
  s->kept_reach_m = s->reach_m = k->reach_m;
  sim_bvh_refit(&s->tree, (const sim_vec3 *)s->kept_m, (const sim_vec3 *)s->kept_m, k->reach_m / 2, NULL);
  k->contact = contact, k->at_m = at_m;
}

static cb_status read_kept(sim_self *s, cb_archive *a, kept *k, cb_err *err) {
  k->contact = calloc((size_t)k->n + 1, sizeof *k->contact);
  k->at_m = malloc((size_t)s->n_vertices * sizeof *k->at_m);
  cb_status st = CB_OK;
  if (!k->contact || !k->at_m)
    st = cb_no_memory(err, "self-collision, %d near places", k->n);
  else
    archive_kept(s, a, k);
  if (st == CB_OK && !a->wrong) adopt_contacts(s, k);
  free(k->contact);
  free(k->at_m);
  return st;
}

cb_status sim_self_archive(sim_self *s, cb_archive *a, cb_err *err) {
  kept k = {s->kept_reach_m > 0 ? s->n_contacts : 0, s->kept_reach_m, s->contact, s->kept_m};
  cb_archive_f64(a, &k.reach_m, 1, CB_ARCHIVE_FAR);
  cb_archive_int(a, &k.n, 1, 0, INT32_MAX);
  if (!cb_archive_reads(a)) {
    if (k.reach_m > 0) archive_kept(s, a, &k);
    return CB_OK;
  }
  if (!a->wrong && (k.reach_m < 0 || (size_t)k.n > a->left / LEAST_BYTES))
    cb_archive_fail(a, "ends too soon");
  if (a->wrong) return CB_OK;
  if (k.reach_m > 0) return read_kept(s, a, &k, err);
  s->kept_reach_m = 0;
  return CB_OK;
}
