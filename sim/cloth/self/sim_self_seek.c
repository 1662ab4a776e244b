/* Two triangles of a search: their features, each feature once. */
#include <string.h>

#include "sim_self_impl.h"
#include "sim_vec.h"

#define TOUCHING_M 1e-12

/* ---- two features ---- */

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

/* Edges report places inside of both alone, so others are not looked for. */
static void seek_near(const sim_self_seeker *k, const sim_self_couple *c, const double end[4][3]) {
  const sim_self *s = k->search->self;
  sim_ccd_hit hit = {.time = 1};
  hit.distance_m = c->pair == SIM_EDGE_EDGE ? sim_closest_crossing(end, hit.weight)
                                            : sim_closest(c->pair, end, hit.weight);
  if (hit.distance_m >= k->search->reach_m || !reports(s, c, hit.weight)) return;
  if (hit.distance_m >= SIM_BVH_FLAT * sim_self_rest_distance(s, c)) return;
  if (hit.distance_m < TOUCHING_M) return; /* no direction to part them in */
  sim_closest_normal(c->pair, end, hit.weight, hit.normal);
  put_find(k->bag, c, true, &hit);
}

static void seek_collision(const sim_self_seeker *k, const sim_self_couple *c, const double start[4][3],
                           const double end[4][3]) {
  sim_ccd_hit hit;
  sim_ccd_outcome outcome = sim_ccd(c->pair, start, end, k->search->collide_m, &hit);
  if (outcome == SIM_CCD_MET) k->bag->met++;
  if (outcome == SIM_CCD_HIT) put_find(k->bag, c, false, &hit);
}

/* Hits come nearer than SIM_CCD_HIT_NEAR of the distance at which they begin; pairs that a plane keeps
 * further apart need no test. */
static void seek_features(const sim_self_seeker *k, sim_pair pair, int first, int second) {
  const sim_self_search *search = k->search;
  const sim_self_couple c = {pair, first, second};
  int vertex[4];
  double start[4][3], end[4][3];
  sim_self_vertices(search->self, &c, vertex);
  if (is_held(search->self, vertex)) return;
  gather_points(search->start, vertex, start);
  gather_points(search->end, vertex, end);
  const double(*from)[3] = (const sim_vec3 *)start, (*to)[3] = (const sim_vec3 *)end;
  const sim_plane plane = sim_closest_plane(pair, from, to);
  if (sim_plane_parts(&plane, fmax(search->collide_m, search->reach_m))) return;
  if (search->collide_m > 0 && !sim_plane_parts(&plane, SIM_CCD_HIT_NEAR * (1 + 1e-9) * search->collide_m))
    seek_collision(k, &c, from, to);
  if (search->reach_m > 0) seek_near(k, &c, to);
}

/* ---- two triangles ---- */

/* A triangle of a pair. owns: its features that are to be tested, bits as in sim_self.owns. shared: bits of
 * its corners that the other triangle has, too. Sides are opposite to corners. */
typedef struct half {
  int slot;
  const int *vertex;
  unsigned owns, shared;
  sim_lane_box corner[3], side[3], all;
} half;

/* The corners of one triangle that another one has, too, as bits. */
static inline unsigned find_shared(const int v[3], const int w[3]) {
  const unsigned first = (v[0] == w[0]) | (v[0] == w[1]) | (v[0] == w[2]);
  const unsigned second = (v[1] == w[0]) | (v[1] == w[1]) | (v[1] == w[2]);
  const unsigned third = (v[2] == w[0]) | (v[2] == w[1]) | (v[2] == w[2]);
  return first | second << 1 | third << 2;
}

static inline void look_up(const sim_bvh *tree, half *h) {
  for (int k = 0; k < 3; k++) h->corner[k] = sim_box_lanes(&tree->vertex_box[h->vertex[k]]);
  h->all = sim_lane_box_union(&h->corner[0], &h->corner[1]);
  h->all = sim_lane_box_union(&h->all, &h->corner[2]);
}

static inline sim_lane_box side_box(const half *h, int side) {
  return sim_lane_box_union(&h->corner[(side + 1) % 3], &h->corner[(side + 2) % 3]);
}

/* Whether the triangles share one corner, and the boxes of both sides opposite to it are free of the other
 * triangle: one of these sides has a part in all features that are tested. */
static inline bool meet_at_corner_only(const half *a, const half *b) {
  static const int corner[8] = {-1, 0, 1, -1, 2, -1, -1, -1};
  const int i = corner[a->shared], j = corner[b->shared];
  if (i < 0) return false;
  const sim_lane_box of_a = side_box(a, i), of_b = side_box(b, j);
  return !sim_lane_box_overlap(&of_a, &b->all) && !sim_lane_box_overlap(&of_b, &a->all);
}

static inline void look_up_sides(const sim_self *s, half *h) {
  h->owns = s->owns[h->slot];
  for (int k = 0; k < 3; k++) h->side[k] = side_box(h, k);
}

static void seek_vertices(const sim_self_seeker *k, const half *of, const half *to) {
  const unsigned own = of->owns & ~of->shared;
  for (int i = 0; i < 3; i++)
    if (own >> i & 1 && sim_lane_box_overlap(&of->corner[i], &to->all))
      seek_features(k, SIM_VERTEX_TRIANGLE, of->vertex[i], to->slot);
}

/* Whether two sides have a corner in common. */
static bool sides_touch(const half *a, int i, const half *b, int j) {
  const int p = a->vertex[(i + 1) % 3], q = a->vertex[(i + 2) % 3];
  const int v = b->vertex[(j + 1) % 3], w = b->vertex[(j + 2) % 3];
  return p == v || p == w || q == v || q == w;
}

static void seek_sides(const sim_self_seeker *k, const half *a, const half *b) {
  const sim_self *s = k->search->self;
  for (int i = 0; i < 3; i++) {
    if (!(a->owns >> (3 + i) & 1) || !sim_lane_box_overlap(&a->side[i], &b->all)) continue;
    for (int j = 0; j < 3; j++)
      if (b->owns >> (3 + j) & 1 && sim_lane_box_overlap(&a->side[i], &b->side[j]) &&
          !sides_touch(a, i, b, j))
        seek_features(k, SIM_EDGE_EDGE, sim_self_side(s, a->slot, i), sim_self_side(s, b->slot, j));
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

/* Whether none of the six vertices moved: what the last search found stays. */
static bool rests(const bool *moved, const int a[3], const int b[3]) {
  return !(moved[a[0]] | moved[a[1]] | moved[a[2]] | moved[b[0]] | moved[b[1]] | moved[b[2]]);
}

/* No plane separates triangles with a common corner. */
void sim_self_seek(void *context, int slot_a, int slot_b) {
  const sim_self_seeker *k = context;
  const sim_self_search *search = k->search;
  const sim_bvh *tree = &search->self->tree;
  half a, b; /* not initialised as a whole: that would write all their boxes */
  a.slot = slot_a, a.vertex = tree->triangle[slot_a];
  b.slot = slot_b, b.vertex = tree->triangle[slot_b];
  if (search->moved && rests(search->moved, a.vertex, b.vertex)) return;
  a.shared = find_shared(a.vertex, b.vertex);
  if (!a.shared && lie_apart(search, a.vertex, b.vertex)) return;
  b.shared = a.shared ? find_shared(b.vertex, a.vertex) : 0;
  look_up(tree, &a);
  look_up(tree, &b);
  if (meet_at_corner_only(&a, &b)) return;
  look_up_sides(search->self, &a);
  look_up_sides(search->self, &b);
  seek_vertices(k, &a, &b);
  seek_vertices(k, &b, &a);
  seek_sides(k, &a, &b);
}
