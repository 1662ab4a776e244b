/* Bodies by formula: balls, capsules and rounded boxes that flow into each other, bumps, a shell around them, cuts; and what is made of
 * them: tetrahedra, closed surfaces, cloth sewn around them.
 *
 * A body is where a function is < 0. Each part gives its exact distance (ellipsoids by the normal through the point: D. Eberly, Distance
 * from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013); parts flow into each other within blend_m (quadratic polynomial
 * minimum: I. Quilez, Smooth minimum): the function grows nowhere faster than the distance, so that it never says more than that outside.
 *
 * Everything here is made in the order of a lattice: same input, same bits. SI. docs/meshes.md: formulas, sizes, times. */
#ifndef SIM_SHAPE_H
#define SIM_SHAPE_H

#include "sim_mesh.h"
#include "sim_tets.h"

typedef enum sim_shape_kind { SIM_SHAPE_ELLIPSOID, SIM_SHAPE_CAPSULE, SIM_SHAPE_BOX } sim_shape_kind;
extern const char *const sim_shape_kind_names[]; /* "ellipsoid", "capsule", "box", NULL */

typedef struct sim_shape_part {
  sim_shape_kind kind;
  double origin_m[3], turned_rad[3]; /* its middle; rotation vector */
  double half_m[3];                  /* ellipsoid: half axes; box: half sides; capsule: the third, half of its axis, which lies along z */
  double round_m;                    /* capsule: radius; box: radius of edges and corners, within its sides */
} sim_shape_part;

#define SIM_SHAPE_PARTS 64
#define SIM_SHAPE_CUTS 8

typedef struct sim_shape_body {
  int n_parts, n_cuts;
  sim_shape_part part[SIM_SHAPE_PARTS], cut[SIM_SHAPE_CUTS]; /* what lies in a cut does not belong to the body */
  double blend_m;                                            /* parts nearer to each other than this flow together */
  double bump_m, bump_every_m;                               /* height, and length of the wave; 0: none */
  double shell_m[2]; /* both 0: the body itself. Else a shell around it, from this distance to that */
  double edge_m;     /* radius that rounds the edges of shell and cuts */
} sim_shape_body;

/* One sentence: no part, too many, a size that is not positive and finite, a rounding larger than its box, a shell turned inside out. */
CB_CHECKED cb_status sim_shape_check(const sim_shape_body *body, cb_err *err);

/* < 0 inside; gradient may be NULL. For many points prepare a field (sim_shape_field.h, private). */
double sim_shape_distance(const sim_shape_body *body, const double x_m[3], double gradient[3]);

/* ---- ready-made ---- */

typedef enum sim_shape_ready {
  SIM_SHAPE_BALL,     /* around the origin; length: its diameter */
  SIM_SHAPE_CAR,      /* bumpy; along x, wheels on z = 0 */
  SIM_SHAPE_TORSO,    /* neck to hips along z, facing -y; length: its height */
  SIM_SHAPE_TOY,      /* a sitting bear, facing -y, on z = 0; length: its height */
  SIM_SHAPE_VEST,     /* a down vest that the torso of the same length wears */
  SIM_SHAPE_MATTRESS, /* length along x, its top at z = 0 */
  SIM_SHAPE_PILLOW    /* around the origin, length along x */
} sim_shape_ready;
extern const char *const sim_shape_ready_names[]; /* "ball", "car", "torso", "toy", "vest", "mattress", "pillow", NULL */

/* length_m 0: as in life (docs/meshes.md); else all scaled to it. */
sim_shape_body sim_shape_make(sim_shape_ready which, double length_m);
void sim_shape_scale(sim_shape_body *body, double factor);

/* ---- what is made of them ---- */

/* Isosurface stuffing (F. Labelle, J. R. Shewchuk, ACM TOG 26(3):57, 2007) on a body-centred lattice whose cubes have this side. Dihedral
 * angles: the paper proves 10.7 to 164.8 degrees, those met with are from 11.8 to 158.8. Errors: those of sim_shape_check; cells so large
 * that nothing is left or that the surface touches itself; so small that there are too many. */
CB_CHECKED cb_status sim_shape_tets(const sim_shape_body *body, double cell_m, sim_tets *out, cb_err *err);

/* A closed surface of even triangles where the function is offset_m. */
typedef struct sim_shape_surface {
  int n_vertices, n_triangles;
  double (*x_m)[3];
  int (*triangle)[3]; /* counter-clockwise from outside */
} sim_shape_surface;
CB_CHECKED cb_status sim_shape_skin(const sim_shape_body *body, double offset_m, int about_vertices, sim_shape_surface *out, cb_err *err);
void sim_shape_surface_clear(sim_shape_surface *surface);

/* A case: cloth around a body, its face outwards, at rest as it lies. No vertex is nearer than offset_m to the body's own triangles, which
 * are the surface of its tetrahedra or of its skin. */
typedef struct sim_shape_case {
  double offset_m;
  int about_vertices;
  double warp[3];            /* the cloth's warp runs as near to this direction as it can; any length but 0 */
  const double (*body_m)[3]; /* borrowed */
  const int (*body_triangle)[3];
  int body_vertices, body_triangles;
} sim_shape_case;
CB_CHECKED cb_status sim_shape_sew(const sim_shape_body *body, const sim_shape_case *c, sim_mesh *out, cb_err *err);

#endif
