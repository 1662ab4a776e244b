/* The drape test: a disc of cloth on a smaller disc, evaluated from its shadow seen from above (Cusick; ISO
 * 9073-9, BS 5058). One reduction serves silhouettes, scanned meshes and simulated cloth.
 * docs/method/drape.md is the page.
 *
 *   picture -> silhouette ------------+
 *                                     +-> fit_shadow -> fit_drape_reduce -> fit_drape
 *   mesh    -> fit_drape_mesh_shadow -+
 *
 * `name` stands for the file in errors, whose sentences begin with it. */
#ifndef FIT_DRAPE_H
#define FIT_DRAPE_H

#include <stddef.h>

#include "cb_err.h"

/* ---- the shadow ---- */

typedef enum fit_scale_from {
  FIT_SCALE_GIVEN,   /* by fit_drape_setup */
  FIT_SCALE_DISC,    /* from the support disc in the picture */
  FIT_SCALE_ASSUMED, /* unknown: the picture's longer side counts as FIT_DRAPE_FIELD_M */
  FIT_SCALE_MESH     /* the coordinates are metres */
} fit_scale_from;
extern const char *const fit_scale_from_names[]; /* "given", "disc", "assumed", "mesh" */

/* Assumed side of the field of view [m], and its relative standard uncertainty. docs/method/drape.md gives
 * their source. */
#define FIT_DRAPE_FIELD_M 0.353
#define FIT_DRAPE_U_FIELD_REL 0.01

typedef struct fit_shadow {
  size_t width, height; /* pixels */
  float *cover;         /* owned; shadowed part of each pixel, 0 to 1, rows from the top */
  double pixel_m;
  double u_scale_rel; /* relative standard uncertainty of pixel_m */
  double u_edge_px;   /* standard uncertainty of the edge's place [pixels], the same all around */
  fit_scale_from scale_from;
} fit_shadow;
/* Frees the cover and zeroes *s. */
void fit_shadow_clear(fit_shadow *s);

typedef struct fit_drape_setup {
  double support_m, specimen_m; /* diameters */
  double scale_m_per_px;        /* of pictures; 0: not known */
} fit_drape_setup;
fit_drape_setup fit_drape_setup_default(void); /* 18 cm, 30 cm, not known */
/* Checks 0.01 m <= support <= 1 m, specimen <= 2 m and >= 1.1 support, scale 0 or 1e-6 to 0.01 m per pixel.
 * Errors: CB_E_RANGE; CB_E_NUM if a number is not finite. */
CB_CHECKED cb_status fit_drape_setup_check(const fit_drape_setup *q, cb_err *err);

/* Projects all triangles along z. Coordinates are in metres; triangle holds indices of vertices, from 0. The
 * caller frees *out with fit_shadow_clear, also after a failure.
 * CB_E_RANGE: no triangle, an index that does not exist, or a mesh too large. CB_E_NUM: a vertex is not
 * finite. CB_E_NOMEM. */
CB_CHECKED cb_status fit_drape_mesh_shadow(const double (*vertex)[3], size_t n_vertices,
                                           const int (*triangle)[3], size_t n_triangles, const char *name,
                                           fit_shadow *out, cb_err *err);

/* ---- the reduction ---- */

#define FIT_DRAPE_ANGLES 360

typedef struct fit_drape {
  double drape_coefficient, u; /* (A - A_support) / (A_specimen - A_support); standard uncertainty */
  double area_m2, u_area_m2;   /* of the shadow */
  double u_scale, u_edge;      /* parts of u: of the scale, of the edge */
  int nodes;                   /* maxima of the outline that stand out by FIT_DRAPE_PROMINENCE or more */
  int nodes_least, nodes_most; /* by twice and by half that prominence */
  double node_height_m;        /* mean over the nodes, from the valleys beside to the peak; 0 without nodes */
  double radius_mean_m, radius_min_m, radius_max_m;
  double radius_m[FIT_DRAPE_ANGLES]; /* outline about the centroid, at 0, 1 ... degrees from x (right) to y
                                        (up) */
  double pixel_m, u_scale_rel;
  fit_scale_from scale_from;
} fit_drape;

/* Prominence of a node relative to the support's radius: 1.8 mm on an 18 cm disc. */
#define FIT_DRAPE_PROMINENCE 0.02

/* Computes coefficient, nodes and outline of a shadow.
 * CB_E_RANGE: there is no shadow, its middle is not in shadow, it cannot be that of such a specimen on such a
 * disc (a wrong scale), or the setup is wrong. */
CB_CHECKED cb_status fit_drape_reduce(const fit_shadow *s, const char *name, const fit_drape_setup *q,
                                      fit_drape *out, cb_err *err);

/* ---- a file ---- */

typedef struct fit_drape_file {
  fit_drape drape;
  char fingerprint[17]; /* of the file's bytes (FNV-1a, 64 bit, hexadecimal) */
} fit_drape_file;

/* Reads and reduces a file: a PNG or JPEG silhouette, or an OBJ mesh (metres, z up), plain or gzip. The first
 * bytes decide which. q->scale_m_per_px is for pictures only. Nothing has to be freed.
 * Errors: those of the functions above, of cb_file_read (up to 256 MiB), of the picture and of the mesh. */
CB_CHECKED cb_status fit_drape_read(const char *path, const fit_drape_setup *q, fit_drape_file *out,
                                    cb_err *err);

#endif
