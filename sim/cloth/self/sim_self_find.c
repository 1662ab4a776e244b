/* The search: pairs of triangles from the trees, and their features, each feature once. */
#include <omp.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_self_impl.h"
#include "sim_vec.h"

#define TOUCHING_M 1e-12

typedef struct seeker {
  const sim_self_search *search;
  sim_self_bag *bag;
} seeker;

static bool is_held(const sim_self *s, const int vertex[4]) {
  for (int i = 0; i < 4; i++)
    if (s->inverse_mass[vertex[i]] > 0) return false;
  return true;
}

static void gather_points(const double (*x)[3], const int vertex[4], double point[4][3]) {
  for (int i = 0; i < 4; i++) memcpy(point[i], x[vertex[i]], sizeof point[i]);
}

static void put_find(sim_self_bag *bag, const sim_self_couple *c, bool near, const sim_ccd_hit *hit) {
  if ((size_t)bag->n < bag->capacity) bag->find[bag->n] = (sim_self_find){*c, near, *hit};
  bag->n++;
}

/* Whether this couple reports its nearest place. A place on a border belongs to several features; one of them
 * reports it. */
static bool reports(const sim_self *s, const sim_self_couple *c, const double weight[4]) {
  if (c->pair == SIM_EDGE_EDGE) return weight[0] != 0 && weight[1] != 0 && weight[2] != 0 && weight[3] != 0;
  int zeros = 0, last = 0, corner = 0;
  for (int k = 0; k < 3; k++) {
    if (weight[1 + k] == 0) {
      zeros++;
      last = k;
    } else {
      corner = k;
    }
  }
  if (zeros == 0) return true;
  if (zeros == 1) return s->owns[c->second] >> (3 + last) & 1;
  return (s->owns[c->second] >> corner & 1) && c->first < s->tree.triangle[c->second][corner];
}

static void seek_near(const seeker *k, const sim_self_couple *c, const double end[4][3]) {
  const sim_self *s = k->search->self;
  sim_ccd_hit hit = {.time = 1};
  hit.distance_m = sim_closest(c->pair, end, hit.weight);
  if (hit.distance_m >= k->search->reach_m || !reports(s, c, hit.weight)) return;
  if (hit.distance_m >= SIM_BVH_FLAT * sim_self_rest_distance(s, c)) return;
  if (hit.distance_m < TOUCHING_M) return; /* no direction to part them in */
  sim_closest_normal(c->pair, end, hit.weight, hit.normal);
  put_find(k->bag, c, true, &hit);
}

static void seek_collision(const seeker *k, const sim_self_couple *c, const double start[4][3],
                           const double end[4][3]) {
  sim_ccd_hit hit;
  sim_ccd_outcome outcome = sim_ccd(c->pair, start, end, k->search->collide_m, &hit);
  if (outcome == SIM_CCD_MET) k->bag->met++;
  if (outcome == SIM_CCD_HIT) put_find(k->bag, c, false, &hit);
}

static void seek(const seeker *k, const sim_self_couple *c) {
  const sim_self_search *search = k->search;
  int vertex[4];
  double start[4][3], end[4][3];
  sim_self_vertices(search->self, c, vertex);
  if (is_held(search->self, vertex)) return;
  gather_points(search->start, vertex, start);
  gather_points(search->end, vertex, end);
  const double(*from)[3] = (const sim_vec3 *)start, (*to)[3] = (const sim_vec3 *)end;
  if (sim_closest_apart(c->pair, from, to, fmax(search->collide_m, search->reach_m))) return;
  if (search->collide_m > 0) seek_collision(k, c, from, to);
  if (search->reach_m > 0) seek_near(k, c, to);
}

/* The boxes of a triangle's corners, and of its sides (opposite to each corner). */
typedef struct corner_boxes {
  const int *vertex;
  unsigned owns;
  sim_box corner[3], side[3];
} corner_boxes;

static void look_up(const sim_self *s, int slot, corner_boxes *out) {
  out->vertex = s->tree.triangle[slot];
  out->owns = s->owns[slot];
  for (int k = 0; k < 3; k++) out->corner[k] = s->tree.vertex_box[out->vertex[k]];
  for (int k = 0; k < 3; k++)
    out->side[k] = sim_box_union(&out->corner[(k + 1) % 3], &out->corner[(k + 2) % 3]);
}

static void vertices_against(const seeker *k, const corner_boxes *of, const corner_boxes *to, int slot) {
  const sim_box box = sim_bvh_triangle_box(&k->search->self->tree, slot);
  const int *w = to->vertex;
  for (int i = 0; i < 3; i++) {
    const int v = of->vertex[i];
    if (!(of->owns >> i & 1) || !sim_box_overlap(&of->corner[i], &box) || v == w[0] || v == w[1] || v == w[2])
      continue;
    seek(k, &(sim_self_couple){SIM_VERTEX_TRIANGLE, v, slot});
  }
}

static void sides_against(const seeker *k, const corner_boxes *a, int slot_a, const corner_boxes *b,
                          int slot_b) {
  const sim_self *s = k->search->self;
  const sim_box box = sim_bvh_triangle_box(&s->tree, slot_b);
  for (int i = 0; i < 3; i++) {
    if (!(a->owns >> (3 + i) & 1) || !sim_box_overlap(&a->side[i], &box)) continue;
    const int p = a->vertex[(i + 1) % 3], q = a->vertex[(i + 2) % 3];
    for (int j = 0; j < 3; j++) {
      const int v = b->vertex[(j + 1) % 3], w = b->vertex[(j + 2) % 3];
      if (!(b->owns >> (3 + j) & 1) || !sim_box_overlap(&a->side[i], &b->side[j]) || p == v || p == w ||
          q == v || q == w)
        continue;
      seek(k, &(sim_self_couple){SIM_EDGE_EDGE, s->triangle_edge[slot_a][i], s->triangle_edge[slot_b][j]});
    }
  }
}

/* Whether the plane across the line between the triangles' centres at the start separates them all the way,
 * with enough distance. Most pairs that come here are second neighbours, whose boxes overlap because they lie
 * aslant. */
static bool lie_apart(const sim_self_search *search, const int *a, const int *b) {
  const double(*const x[2])[3] = {search->start, search->end};
  const double room = fmax(search->collide_m, search->reach_m);
  double line[3];
  for (int k = 0; k < 3; k++)
    line[k] = x[0][a[0]][k] + x[0][a[1]][k] + x[0][a[2]][k] - x[0][b[0]][k] - x[0][b[1]][k] - x[0][b[2]][k];
  const double most = room * sim_norm(line);
  for (int end = 0; end < 2; end++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < 3; i++) {
      const double of_a = sim_dot(line, x[end][a[i]]), of_b = sim_dot(line, x[end][b[i]]);
      low = of_a < low ? of_a : low;
      high = of_b > high ? of_b : high;
    }
    if (!(low - high > most * (1 + 1e-9))) return false;
  }
  return true;
}

static void seek_pair(void *context, int slot_a, int slot_b) {
  const seeker *k = context;
  const sim_bvh *tree = &k->search->self->tree;
  if (lie_apart(k->search, tree->triangle[slot_a], tree->triangle[slot_b])) return;
  corner_boxes a, b;
  look_up(k->search->self, slot_a, &a);
  look_up(k->search->self, slot_b, &b);
  vertices_against(k, &a, &b, slot_b);
  vertices_against(k, &b, &a, slot_a);
  sides_against(k, &a, slot_a, &b, slot_b);
}

/* Which thread takes which task is chance. So each task notes where its finds are, and they are collected in
 * the order of the tasks. */
static void run_tasks(sim_self *s, const sim_self_search *search) {
  for (int i = 0; i < s->n_bags; i++) s->bag[i].n = s->bag[i].met = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(cb_threads_within(s->n_bags))
  for (int t = 0; t < s->tree.n_tasks; t++) {
    const int b = omp_get_thread_num();
    seeker k = {search, &s->bag[b]};
    s->share[t] = (sim_self_share){b, k.bag->n, 0};
    sim_bvh_walk(&s->tree, t, seek_pair, &k);
    s->share[t].n = k.bag->n - s->share[t].first;
  }
}

static cb_status widen_bags(sim_self *s, int total, cb_err *err) {
  for (int i = 0; i < s->n_bags; i++)
    CB_TRY(sim_self_room((void **)&s->bag[i].find, &s->bag[i].capacity, total, sizeof *s->bag[i].find, err));
  return CB_OK;
}

static bool has_moved(const sim_self_contact *c, const bool *moved) {
  return moved[c->vertex[0]] || moved[c->vertex[1]] || moved[c->vertex[2]] || moved[c->vertex[3]];
}

/* Keeps the contacts of vertices that did not move; none after a full search. */
static void keep_unmoved(sim_self *s, const bool *moved) {
  int n = 0;
  for (int i = 0; i < s->n_contacts && moved; i++)
    if (!has_moved(&s->contact[i], moved)) s->contact[n++] = s->contact[i];
  s->n_contacts = n;
}

/* Adds a find if one of its vertices moved. The search sees more, as it works by whole leaves. */
static void add_contact(sim_self *s, const sim_self_find *f, const bool *moved) {
  s->contact[s->n_contacts] = sim_self_describe(s, f);
  if (!moved || has_moved(&s->contact[s->n_contacts], moved)) s->n_contacts++;
}

/* In the order of the tasks: collisions go into `find`, near pairs into `contact`. */
static cb_status collect_finds(sim_self *s, const bool *moved, int total, cb_err *err) {
  keep_unmoved(s, moved);
  CB_TRY(sim_self_room((void **)&s->find, &s->finds_capacity, total, sizeof *s->find, err));
  CB_TRY(sim_self_room((void **)&s->contact, &s->contacts_capacity, s->n_contacts + total, sizeof *s->contact,
                       err));
  s->n_finds = 0;
  for (int t = 0; t < s->tree.n_tasks; t++) {
    if (s->share[t].n == 0) continue;
    const sim_self_find *f = s->bag[s->share[t].bag].find + s->share[t].first;
    for (int i = 0; i < s->share[t].n; i++)
      if (f[i].near) {
        add_contact(s, &f[i], moved);
      } else {
        s->find[s->n_finds++] = f[i];
      }
  }
  return CB_OK;
}

cb_status sim_self_find_all(sim_self *s, const sim_self_search *search, const bool *moved, int *met,
                            cb_err *err) {
  sim_bvh_refit(&s->tree, search->start, search->end, fmax(search->collide_m, search->reach_m / 2), moved);
  for (;;) {
    bool fits = true;
    int total = *met = 0;
    run_tasks(s, search);
    for (int i = 0; i < s->n_bags; i++) {
      total += s->bag[i].n;
      *met += s->bag[i].met;
      fits = fits && (size_t)s->bag[i].n <= s->bag[i].capacity;
    }
    if (fits) return collect_finds(s, moved, total, err);
    CB_TRY(widen_bags(s, total, err));
  }
}
