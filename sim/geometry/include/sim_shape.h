/* Bodies that the program makes: of tetrahedra, and by formula. SI units. */
#ifndef SIM_SHAPE_H
#define SIM_SHAPE_H

#include "cb_err.h"
#include "sim_mesh.h"

/* ---- tetrahedra ---- */

/* A body of tetrahedra: positions at rest, and the surface.
 *
 * The program makes a block of cubes, six tetrahedra each (H. Freudenthal, Ann. Math. 43:580, 1942). A ball
 * or a cushion is a block whose vertices are moved. Bodies by formula follow below. Other bodies are read
 * from TetGen's .node and .ele files. */

typedef struct sim_tets {
  int n_vertices, n_tets, n_surface;
  double (*position_m)[3]; /* at rest */
  int (*tet)[4];           /* corners 0 to 3; volume (1-0) x (2-0) . (3-0) / 6 > 0 */
  int (*surface)[3];       /* counter-clockwise from outside, in the order of the tetrahedra */
} sim_tets;

/* Frees all arrays; the body is empty afterwards. */
void sim_tets_clear(sim_tets *tets);

/* A block: cells[0] x cells[1] x cells[2] cells over the box from low to high, at most 10^6. Caller:
 * sim_tets_clear. Errors: CB_E_RANGE, CB_E_NOMEM. */
typedef struct sim_block {
  double low_m[3], high_m[3];
  int cells[3];
} sim_block;
CB_CHECKED cb_status sim_tets_block(const sim_block *b, sim_tets *out, cb_err *err);

/* A cushion |x/a|^p + |y/b|^p + |z/c|^q = 1. p = q = 2 is an ellipsoid; a cushion is flat and has p = 4.
 * half_m is a, b, c, 1e-6 to 1e6; exponent is p and q, 2 to 10; cells are along each axis, at most 10^6
 * altogether. Caller: sim_tets_clear. Errors: CB_E_RANGE, CB_E_NOMEM. */
typedef struct sim_cushion {
  double half_m[3], exponent[2];
  int cells[3];
} sim_cushion;
CB_CHECKED cb_status sim_tets_cushion(const sim_cushion *c, sim_tets *out, cb_err *err);

/* Reads TetGen's pair of text files (tetgen 1.5, 4.3): "body.node" and "body.ele" for path "body". Rows may
 * count from 0 or 1. Both orders of corners are accepted, if all tetrahedra have the same. m_per_unit: 1e-9
 * to 1e9. Caller: sim_tets_clear. Errors name the file and line: CB_E_IO, CB_E_PARSE, and those of a body
 * that cannot be (an index out of range, a flat or inverted tetrahedron, a face of three, a vertex of
 * none). */
CB_CHECKED cb_status sim_tets_read(const char *path, double m_per_unit, sim_tets *out, cb_err *err);

/* ---- bodies by formula ---- */

/* Bodies by formula: balls, capsules and rounded boxes that blend into each other, bumps, a shell around
 * them, cuts. From a body the program makes tetrahedra, closed surfaces, and cloth sewn around it.
 *
 * A body is the region where a function is < 0. Each part gives its exact distance (ellipsoids by the normal
 * through the point: D. Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid,
 * 2013). Parts blend within blend_m (quadratic polynomial minimum: I. Quilez, Smooth minimum). Without bumps
 * the function grows nowhere faster than the distance, so outside of the body it never exceeds the distance.
 *
 * The same input gives the same bits. docs/reference/meshes.md: formulas, sizes, times. */

typedef enum sim_shape_kind { SIM_SHAPE_ELLIPSOID, SIM_SHAPE_CAPSULE, SIM_SHAPE_BOX } sim_shape_kind;
extern const char *const sim_shape_kind_names[]; /* "ellipsoid", "capsule", "box", NULL */

typedef struct sim_shape_part {
  sim_shape_kind kind;
  double origin_m[3], turned_rad[3]; /* centre; rotation vector */
  /* ellipsoid: half axes; box: half sides; capsule: only the third counts, half of its axis, which lies along
   * z */
  double half_m[3];
  double round_m; /* capsule: radius; box: radius of edges and corners, at most its least half side */
} sim_shape_part;

#define SIM_SHAPE_PARTS 64
#define SIM_SHAPE_CUTS 8

typedef struct sim_shape_body {
  int n_parts, n_cuts;
  /* points inside of a cut do not belong to the body */
  sim_shape_part part[SIM_SHAPE_PARTS], cut[SIM_SHAPE_CUTS];
  double blend_m;              /* distance within which parts blend into each other */
  double bump_m, bump_every_m; /* height and wave length of the bumps; bump_m 0: none */
  /* both 0: the body itself; else a shell around it, from the first distance to the second */
  double shell_m[2];
  double edge_m; /* radius of the edges of shell and cuts */
} sim_shape_body;

/* Ready-made bodies. */

typedef enum sim_shape_ready {
  SIM_SHAPE_BALL,     /* around the origin; length: diameter */
  SIM_SHAPE_CAR,      /* bumpy; along x, wheels on z = 0 */
  SIM_SHAPE_TORSO,    /* neck to hips along z, facing -y; length: its height */
  SIM_SHAPE_TOY,      /* a sitting bear, facing -y, on z = 0; length: its height */
  SIM_SHAPE_VEST,     /* a down vest that the torso of the same length wears */
  SIM_SHAPE_MATTRESS, /* length along x, its top at z = 0 */
  SIM_SHAPE_PILLOW    /* around the origin, length along x */
} sim_shape_ready;
extern const char *const sim_shape_ready_names[]; /* "ball", "car", "torso", "toy", "vest", "mattress",
                                                     "pillow", NULL */

/* Returns a ready-made body, scaled to length_m, or in life size (docs/reference/meshes.md) if length_m is 0.
 */
sim_shape_body sim_shape_make(sim_shape_ready which, double length_m);
/* ---- meshes of bodies by formula ---- */

/* Makes tetrahedra by isosurface stuffing (F. Labelle, J. R. Shewchuk, ACM TOG 26(3):57, 2007) on a
 * body-centred lattice with cubes of side cell_m. The paper proves dihedral angles of 10.7 to 164.8 degrees
 * for its own stencils; this implementation has shown 11.8 to 158.8 (docs/reference/meshes.md). Caller:
 * sim_tets_clear.
 *
 * Errors, CB_E_RANGE: no part or too many, a size that is not allowed, a rounding larger than its box, a
 * shell turned inside out. Also cells so large that nothing is left or that the surface touches itself, or so
 * small that there are too many. CB_E_NOMEM. */
CB_CHECKED cb_status sim_shape_tets(const sim_shape_body *body, double cell_m, sim_tets *out, cb_err *err);

/* A closed surface of triangles of about the same size, where the body's function is offset_m. Owns its
 * arrays. */
typedef struct sim_shape_surface {
  int n_vertices, n_triangles;
  double (*x_m)[3];
  int (*triangle)[3]; /* counter-clockwise from outside */
} sim_shape_surface;
/* Makes the surface with about as many vertices (50 to 5e6). Caller: sim_shape_surface_clear. Errors: as
 * sim_shape_tets. */
CB_CHECKED cb_status sim_shape_skin(const sim_shape_body *body, double offset_m, int about_vertices,
                                    sim_shape_surface *out, cb_err *err);
void sim_shape_surface_clear(sim_shape_surface *surface);

/* A case: cloth around a body, its face outwards, at rest where it lies. No vertex is nearer than offset_m to
 * the body's own triangles, which are the surface of its tetrahedra or of its skin. */
typedef struct sim_shape_case {
  double offset_m;
  int about_vertices;
  double warp[3];            /* warp runs as near to this direction as it can; any length but 0 */
  const double (*body_m)[3]; /* borrowed */
  const int (*body_triangle)[3];
  int body_vertices, body_triangles;
} sim_shape_case;
/* Makes the case as a mesh. `body` shapes it; c->body_m keeps it off. Caller: sim_mesh_clear. Errors: those
 * of sim_hull_build (the body's surface), sim_shape_skin and sim_mesh_build; CB_E_RANGE if a vertex
 * finds no place offset_m off the body. */
CB_CHECKED cb_status sim_shape_sew(const sim_shape_body *body, const sim_shape_case *c, sim_mesh *out,
                                   cb_err *err);

#endif
