/* Cloth against itself, against other cloths, and against bodies that are triangle meshes: which places are
 * near each other, and a last resort that lets no step pass through.
 *
 * All meshes are numbered through: positions, velocities, masses are arrays over the vertices of the first
 * mesh, then of the second, and so on. A body is a mesh whose vertices have inverse mass 0; gripped vertices
 * of a cloth have it too.
 *
 *   sim_self_contacts   at the start of a step: pairs nearer than the thickness, for the implicit solve to
 *                       push apart
 *   sim_self_resolve    at its end: changes the end positions until nothing has come through anything on the
 *                       way
 *
 * Every pair of near places is found once: a vertex over a triangle's inside, two edges that cross, a vertex
 * beside an edge, two vertices. Places that are near each other in the cloth itself are expected to be: a
 * pair counts as near below SIM_BVH_FLAT of its distance at rest, where that is less than the thickness.
 *
 * Same bits for any number of threads. SI. */
#ifndef SIM_SELF_H
#define SIM_SELF_H

#include "cb_archive.h"
#include "sim_query.h"

/* sum(weight x position) = distance x normal, from the second layer to the first. A force f along the normal
 * acts on vertex i as weight[i] f; weights add up to 0. */
typedef struct sim_self_contact {
  sim_pair pair;
  int vertex[4];
  double weight[4], normal[3], distance_m;
  double area_m2; /* the lesser share of cloth that belongs to either feature: a third of the triangles at it,
                     or a triangle */
  int triangle[2];    /* one of each layer at the contact, numbered through: where its material directions are
                         known */
  double place[2][3]; /* weights of that triangle's corners: the contact's place on it */
} sim_self_contact;

/* Coefficient of friction of a contact whose first layer slides along `direction` (unit, in the tangent
 * plane) over the second. */
typedef double sim_self_friction(void *context, const sim_self_contact *contact, const double direction[3]);

typedef struct sim_self_options {
  double thickness_m;
  sim_self_friction *friction; /* NULL: none */
  void *friction_context;
  int rounds; /* of impulses, before what still collides is moved as one */
} sim_self_options;

typedef enum sim_self_outcome {
  SIM_SELF_FREE,     /* nothing collided */
  SIM_SELF_RESOLVED, /* by impulses */
  SIM_SELF_JOINED,   /* some vertices moved as one for this step */
  SIM_SELF_BLOCKED,  /* held vertices close in on each other: all positions stop at `share` of the step */
} sim_self_outcome;
extern const char *const sim_self_outcome_text[];

typedef struct sim_self_report {
  sim_self_outcome outcome;
  int rounds;  /* detections that found something */
  int impacts; /* distinct constraints */
  int joined;  /* vertices that moved as one with others */
  int met;     /* pairs that touched, or crossed, at the start already: left as they are */
  double share;
} sim_self_report;

typedef struct sim_self sim_self; /* opaque: working memory */

/* The meshes are kept by the caller while it lives. body: per mesh; NULL: none. Caller frees with
 * sim_self_free. */
CB_CHECKED cb_status sim_self_new(const sim_mesh *const *mesh, const bool *body, int n_meshes,
                                  const sim_self_options *options, sim_self **out, cb_err *err);
void sim_self_free(sim_self *self);

/* Of all vertices: 1/kg, 0 = moves only as given. Kept by the caller; NULL (as at first): bodies 0, cloths 1
 * each. */
void sim_self_set_inverse_mass(sim_self *self, const double *inverse_mass_per_kg);

/* Pairs nearer than reach_m; in the order of the trees. Where less than half of the vertices have moved since
 * the last search, those alone are searched. The list is self's and stands until the next call. Errors:
 * memory, when the list has to grow. */
CB_CHECKED cb_status sim_self_contacts(sim_self *self, const double (*position_m)[3], double reach_m,
                                       const sim_self_contact **list, int *n, cb_err *err);

/* Changes end_m so that nothing comes through anything on the straight ways from start_m; free of crossings
 * if the start is. Impulses keep the sum of momenta of free vertices. Errors: a position that is not finite;
 * memory, when a list has to grow. */
CB_CHECKED cb_status sim_self_resolve(sim_self *self, const double (*start_m)[3], double (*end_m)[3],
                                      sim_self_report *report, cb_err *err);

/* How many pairs of triangles cross (sim_triangles_cross), bodies among themselves left out: 0 where cloth is
 * whole. Takes no shortcut for flat pieces. */
int sim_self_crossings(sim_self *self, const double (*position_m)[3]);

/* Near places that were found last, in the order in which they were found: sums over them depend on it.
 * Reading leaves them as they were where it fails: for memory with a sentence, else with what is `wrong`. */
CB_CHECKED cb_status sim_self_archive(sim_self *self, cb_archive *a, cb_err *err);

#endif
