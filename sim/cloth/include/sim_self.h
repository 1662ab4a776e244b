/* Contact of cloth with itself, with other cloths, and with bodies that are triangle meshes. It finds near
 * places, and as a last resort stops everything that would pass through.
 *
 * Vertices of all meshes are numbered through: arrays of positions and masses hold the vertices of the first
 * mesh, then of the second, and so on. A body is a mesh whose vertices have inverse mass 0. Gripped vertices
 * of a cloth have it too.
 *
 *   sim_self_contacts   at the beginning of a step: near pairs, for the implicit solve to push apart
 *   sim_self_resolve    at its end: changes end positions until nothing has passed through anything
 *
 * Every pair of near places is found once: a vertex over a triangle's inside, two edges that cross, a vertex
 * beside an edge, two vertices. Neighbouring places of one cloth are always near. So a pair within one mesh
 * is near only if its distance is also below SIM_BVH_FLAT of its distance as the mesh was made.
 *
 * The bits do not depend on the number of threads. SI units. docs/method/self-collision.md describes the
 * method. */
#ifndef SIM_SELF_H
#define SIM_SELF_H

#include "cb_archive.h"
#include "sim_query.h"

/* A near pair: sum(weight x position) = distance x normal, from the second layer to the first. A force f
 * along the normal acts on vertex i as weight[i] f; weights add up to 0. */
typedef struct sim_self_contact {
  sim_pair pair;
  int vertex[4];
  double weight[4], normal[3], distance_m;
  /* Area of cloth at the contact: the smaller of the two features' shares. A vertex and an edge have a third
   * of the triangles at them; a triangle has its own area. */
  double area_m2;
  /* A triangle of each layer at the contact, numbered through: it gives the material directions. */
  int triangle[2];
  double place[2][3]; /* position of the contact, as weights of that triangle's corners */
} sim_self_contact;

/* Returns the coefficient of friction of a contact whose first layer slides along `direction` (unit, in the
 * tangent plane) over the second. */
typedef double sim_self_friction(void *context, const sim_self_contact *contact, const double direction[3]);

typedef struct sim_self_options {
  double thickness_m;
  sim_self_friction *friction; /* NULL: none */
  void *friction_context;
  int rounds; /* of impulses, before pairs that still collide move as one */
} sim_self_options;

typedef enum sim_self_outcome {
  SIM_SELF_FREE,     /* nothing collided */
  SIM_SELF_RESOLVED, /* by impulses */
  SIM_SELF_JOINED,   /* some vertices moved as one for this step */
  /* Held vertices close in on each other: all positions stop at `share` of the step. */
  SIM_SELF_BLOCKED,
} sim_self_outcome;

typedef struct sim_self_report {
  sim_self_outcome outcome;
  int rounds;  /* detections that found collisions */
  int impacts; /* distinct constraints */
  int joined;  /* vertices that moved as one with others */
  int met;     /* pairs that touched or crossed at the start: not changed */
  double share;
} sim_self_report;

typedef struct sim_self sim_self; /* opaque: working memory */

/* Prepares the search. The meshes must outlive it. body: per mesh, NULL: none. Caller: sim_self_free. Errors:
 * CB_E_RANGE for a thickness that is not > 0 and finite; those of sim_bvh_init; CB_E_NOMEM. */
CB_CHECKED cb_status sim_self_new(const sim_mesh *const *mesh, const bool *body, int n_meshes,
                                  const sim_self_options *options, sim_self **out, cb_err *err);
void sim_self_free(sim_self *self);

/* Sets the inverse masses [1/kg] of all vertices; 0: held, moves only as given. The array is not copied and
 * must stay. NULL, as at first: bodies 0, cloths 1. */
void sim_self_set_inverse_mass(sim_self *self, const double *inverse_mass_per_kg);

/* Finds pairs nearer than reach_m. The list belongs to self and is valid until the next call. Pairs of held
 * vertices only, and pairs nearer than 1e-12 m, which have no direction, are left out. If less than half of
 * the vertices moved since the last search, only those are searched; the order of the list depends on this.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_self_contacts(sim_self *self, const double (*position_m)[3], double reach_m,
                                       const sim_self_contact **list, int *n, cb_err *err);

/* Changes end_m so that nothing passes through anything on the straight ways from start_m. There are no
 * crossings at the end if there are none at the start. Impulses keep the total momentum of free vertices.
 * Errors: CB_E_NUM for a position that is not finite, CB_E_NOMEM. */
CB_CHECKED cb_status sim_self_resolve(sim_self *self, const double (*start_m)[3], double (*end_m)[3],
                                      sim_self_report *report, cb_err *err);

/* Returns the number of pairs of triangles that cross (sim_triangles_cross), except between bodies. 0:
 * nothing passes through the cloth. Searches flat pieces as well. */
int sim_self_crossings(sim_self *self, const double (*position_m)[3]);

/* Refuses a cloth that starts in itself: triangles that cross, places that coincide, or other places nearer
 * than SIM_START_NEAR of the thickness. Steps let nothing come nearer than that. Pairs of held vertices only
 * do not count. Errors: CB_E_RANGE, with triangles, place and distance. */
#define SIM_START_NEAR 0.05
CB_CHECKED cb_status sim_self_check_start(sim_self *self, const double (*position_m)[3], double thickness_m,
                                          cb_err *err);

/* Saves or loads the near places that were found last, in their order, since sums over them depend on it.
 * Loading that fails leaves them unchanged: CB_E_NOMEM, or `wrong` for bad bytes. */
CB_CHECKED cb_status sim_self_archive(sim_self *self, cb_archive *a, cb_err *err);

#endif
