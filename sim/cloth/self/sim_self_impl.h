/* The inside of sim_self, shared by its files. */
#ifndef SIM_SELF_IMPL_H
#define SIM_SELF_IMPL_H

#include "sim_self.h"

/* A couple of features: vertex (first) and triangle (second, its slot), or two edges. */
typedef struct sim_self_couple {
  sim_pair pair;
  int first, second;
} sim_self_couple;

/* A find of a thread: a collision on the way, or a near pair at its end. */
typedef struct sim_self_find {
  sim_self_couple couple;
  bool near;
  sim_ccd_hit hit;
} sim_self_find;

/* The finds of a thread, in the order in which it met them. Finds beyond the capacity are only counted. */
typedef struct sim_self_bag {
  sim_self_find *find;
  int n;
  size_t capacity;
  int met;
} sim_self_bag;

/* An impact: the constraint n.(sum of weight x displacement) >= bound. */
typedef struct sim_self_impact {
  int vertex[4];
  double weight[4], normal[3], bound_m;
  double admittance_per_kg; /* sum of weight^2 x inverse mass */
  double friction;
  double push, drag[3]; /* [kg m] so far */
} sim_self_impact;

struct sim_self {
  sim_self_options options;
  const sim_mesh **mesh;
  int n_meshes, *first_vertex, *first_triangle, *first_edge; /* n_meshes + 1 each */
  int n_vertices;
  sim_bvh tree;
  /* By slots: features that a triangle reports, so that each is tested once. Bit k: vertex of corner k; bit 3
   * + k: edge opposite to it (Curtis, Tamstorf, Manocha 2008). */
  unsigned char *owns;
  const double *inverse_mass;
  double *own_inverse_mass;

  int n_bags;
  sim_self_bag *bag; /* one per thread */
  int n_finds;
  size_t finds_capacity;
  sim_self_find *find; /* all collisions, sorted */

  int n_contacts;
  size_t contacts_capacity;
  sim_self_contact *contact;
  double reach_m; /* of the last call of sim_self_contacts */
  /* The contacts are those of the positions kept_m within this reach; 0: they are not valid. */
  double kept_reach_m;
  double (*kept_m)[3];
  int n_impacts;
  size_t impacts_capacity;
  sim_self_impact *impact;

  bool *moved; /* per vertex: in the last detection */
  /* Per vertex; NULL until vertices first have to move as one. */
  int *zone;           /* union-find */
  double (*zone_m)[3]; /* common displacement of a zone, at its root */
  double *zone_kg;
};

/* A search: for collisions nearer than collide_m on the way from start to end (0: none), and for pairs nearer
 * than reach_m at its end (0: none). moved: as in sim_bvh_refit; contacts of other vertices stay. */
typedef struct sim_self_search {
  const sim_self *self;
  const double (*start)[3], (*end)[3];
  double collide_m, reach_m;
  const bool *moved;
} sim_self_search;

/* Refits the trees and searches: collisions into self->find, near pairs into self->contact. *met: pairs that
 * touched at the start. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_self_find_all(sim_self *self, const sim_self_search *search, int *met, cb_err *err);

/* A search by one thread. */
typedef struct sim_self_seeker {
  const sim_self_search *search;
  sim_self_bag *bag;
} sim_self_seeker;

/* Puts what two triangles (slots) meet with into the bag. A sim_bvh_pair; context: a sim_self_seeker. */
void sim_self_seek(void *context, int slot_a, int slot_b);

/* The mesh of vertex, triangle or edge i, from the first numbers of the meshes. */
static inline int sim_self_mesh_of(const int *first, int i) {
  int m = 0;
  while (i >= first[m + 1]) m++;
  return m;
}

/* The edge, numbered through, opposite to a corner of the triangle in a slot. */
static inline int sim_self_side(const sim_self *s, int slot, int corner) {
  const int t = s->tree.number[slot], m = sim_self_mesh_of(s->first_triangle, t);
  return s->first_edge[m] + s->mesh[m]->triangle_edge[t - s->first_triangle[m]][corner];
}

/* The four vertices of a couple. */
void sim_self_vertices(const sim_self *self, const sim_self_couple *c, int vertex[4]);
/* A find as a contact, with area and material places. */
sim_self_contact sim_self_describe(const sim_self *self, const sim_self_find *f);
/* Notes that the contacts are valid for these positions and this reach. */
void sim_self_keep(sim_self *self, const double (*position_m)[3], double reach_m);
/* Distance of a couple as the mesh was made; HUGE_VAL between different meshes. */
double sim_self_rest_distance(const sim_self *self, const sim_self_couple *c);

/* Grows a list to at least `wanted` items of `size` bytes, by doubling. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_self_room(void **items, size_t *capacity, int wanted, size_t size, cb_err *err);

#endif
