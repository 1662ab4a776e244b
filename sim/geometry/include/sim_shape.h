/* Bodies that are made: of tetrahedra, and by formula. SI. */
#ifndef SIM_SHAPE_H
#define SIM_SHAPE_H

#include "cb_err.h"
#include "sim_mesh.h"

/* ---- tetrahedra ---- */

/* A body of tetrahedra: where it is at rest, and its surface.
 *
 * Made here (a block of cubes, six tetrahedra each: H. Freudenthal, Ann. Math. 43:580, 1942; a ball or a
 * cushion is a block whose places are moved; bodies by formula: below) or read from TetGen's .node and .ele
 * files. */

typedef struct sim_tets {
  int n_vertices, n_tets, n_surface;
  double (*position_m)[3]; /* at rest */
  int (*tet)[4];           /* volume (1-0) x (2-0) . (3-0) / 6 > 0 */
  int (*surface)[3];       /* counter-clockwise from outside, by tetrahedron */
} sim_tets;

void sim_tets_clear(sim_tets *tets);

/* cells[0] x cells[1] x cells[2] cubes over the box from low to high. */
typedef struct sim_block {
  double low_m[3], high_m[3];
  int cells[3];
} sim_block;
CB_CHECKED cb_status sim_tets_block(const sim_block *b, sim_tets *out, cb_err *err);

/* |x/a|^p + |y/b|^p + |z/c|^q = 1, p = q = 2 an ellipsoid; a cushion is flat and has p = 4. exponent: p and
 * q, 2 to 10; cells along each axis. */
typedef struct sim_cushion {
  double half_m[3], exponent[2];
  int cells[3];
} sim_cushion;
CB_CHECKED cb_status sim_tets_cushion(const sim_cushion *c, sim_tets *out, cb_err *err);

/* TetGen's pair of text files (tetgen 1.5, 4.3): "body.node" and "body.ele" for path "body"; counted from 0
 * or 1. Both orders of corners are taken, as long as all have the same. */
CB_CHECKED cb_status sim_tets_read(const char *path, double m_per_unit, sim_tets *out, cb_err *err);

/* ---- bodies by formula ---- */

/* Bodies by formula: balls, capsules and rounded boxes that flow into each other, bumps, a shell around them,
 * cuts; and what is made of them: tetrahedra, closed surfaces, cloth sewn around them.
 *
 * A body is where a function is < 0. Each part gives its exact distance (ellipsoids by the normal through the
 * point: D. Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013); parts flow
 * into each other within blend_m (quadratic polynomial minimum: I. Quilez, Smooth minimum): the function
 * grows nowhere faster than the distance, so that it never says more than that outside.
 *
 * Everything here is made in the order of a lattice: same input, same bits. SI. docs/meshes.md: formulas,
 * sizes, times. */

typedef enum sim_shape_kind { SIM_SHAPE_ELLIPSOID, SIM_SHAPE_CAPSULE, SIM_SHAPE_BOX } sim_shape_kind;
extern const char *const sim_shape_kind_names[]; /* "ellipsoid", "capsule", "box", NULL */

typedef struct sim_shape_part {
  sim_shape_kind kind;
  double origin_m[3], turned_rad[3]; /* its middle; rotation vector */
  double half_m[3]; /* ellipsoid: half axes; box: half sides; capsule: the third, half of its axis, which lies
                       along z */
  double round_m;   /* capsule: radius; box: radius of edges and corners, within its sides */
} sim_shape_part;

#define SIM_SHAPE_PARTS 64
#define SIM_SHAPE_CUTS 8

typedef struct sim_shape_body {
  int n_parts, n_cuts;
  sim_shape_part part[SIM_SHAPE_PARTS], cut[SIM_SHAPE_CUTS]; /* what lies in a cut does not belong to the
                                                                body */
  double blend_m;              /* parts nearer to each other than this flow together */
  double bump_m, bump_every_m; /* height, and length of the wave; 0: none */
  double shell_m[2]; /* both 0: the body itself. Else a shell around it, from this distance to that */
  double edge_m;     /* radius that rounds the edges of shell and cuts */
} sim_shape_body;

/* Ready-made. */

typedef enum sim_shape_ready {
  SIM_SHAPE_BALL,     /* around the origin; length: its diameter */
  SIM_SHAPE_CAR,      /* bumpy; along x, wheels on z = 0 */
  SIM_SHAPE_TORSO,    /* neck to hips along z, facing -y; length: its height */
  SIM_SHAPE_TOY,      /* a sitting bear, facing -y, on z = 0; length: its height */
  SIM_SHAPE_VEST,     /* a down vest that the torso of the same length wears */
  SIM_SHAPE_MATTRESS, /* length along x, its top at z = 0 */
  SIM_SHAPE_PILLOW    /* around the origin, length along x */
} sim_shape_ready;
extern const char *const sim_shape_ready_names[]; /* "ball", "car", "torso", "toy", "vest", "mattress",
                                                     "pillow", NULL */

/* length_m 0: as in life (docs/meshes.md); else all scaled to it. */
sim_shape_body sim_shape_make(sim_shape_ready which, double length_m);
/* What is made of them. */

/* Isosurface stuffing (F. Labelle, J. R. Shewchuk, ACM TOG 26(3):57, 2007) on a body-centred lattice whose
 * cubes have this side. Dihedral angles: the paper proves 10.7 to 164.8 degrees, those met with are from 11.8
 * to 158.8. Errors: no part, too many, a size that is not positive and finite, a rounding larger than its
 * box, a shell turned inside out; cells so large that nothing is left or that the surface touches itself; so
 * small that there are too many. */
CB_CHECKED cb_status sim_shape_tets(const sim_shape_body *body, double cell_m, sim_tets *out, cb_err *err);

/* A closed surface of even triangles where the function is offset_m. */
typedef struct sim_shape_surface {
  int n_vertices, n_triangles;
  double (*x_m)[3];
  int (*triangle)[3]; /* counter-clockwise from outside */
} sim_shape_surface;
CB_CHECKED cb_status sim_shape_skin(const sim_shape_body *body, double offset_m, int about_vertices,
                                    sim_shape_surface *out, cb_err *err);
void sim_shape_surface_clear(sim_shape_surface *surface);

/* A case: cloth around a body, its face outwards, at rest as it lies. No vertex is nearer than offset_m to
 * the body's own triangles, which are the surface of its tetrahedra or of its skin. */
typedef struct sim_shape_case {
  double offset_m;
  int about_vertices;
  double warp[3];            /* the cloth's warp runs as near to this direction as it can; any length but 0 */
  const double (*body_m)[3]; /* borrowed */
  const int (*body_triangle)[3];
  int body_vertices, body_triangles;
} sim_shape_case;
CB_CHECKED cb_status sim_shape_sew(const sim_shape_body *body, const sim_shape_case *c, sim_mesh *out,
                                   cb_err *err);

#endif
