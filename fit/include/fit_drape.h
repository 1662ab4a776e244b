/* The drape of a disc of cloth on a smaller disc (Cusick; ISO 9073-9, BS 5058): what its shadow from above comes to. One reduction for
 * silhouettes, scanned meshes and simulated cloth; docs/drape.md.
 *
 *   picture -> silhouette ------------+
 *                                     +-> fit_shadow -> fit_drape_reduce -> fit_drape
 *   mesh    -> fit_drape_mesh_shadow -+ */
#ifndef FIT_DRAPE_H
#define FIT_DRAPE_H

#include <stddef.h>

#include "cb_err.h"

/* ---- the shadow ---- */

typedef enum fit_scale_from {
  FIT_SCALE_GIVEN,
  FIT_SCALE_DISC,    /* the support disc is seen in the picture */
  FIT_SCALE_ASSUMED, /* nothing tells: the picture's longer side is FIT_DRAPE_FIELD_M */
  FIT_SCALE_MESH     /* coordinates are metres */
} fit_scale_from;
extern const char *const fit_scale_from_names[]; /* "given", "disc", "assumed", "mesh" */

/* Side of the field of view, assumed where nothing tells; its relative standard uncertainty. docs/drape.md says where they come from. */
#define FIT_DRAPE_FIELD_M 0.353
#define FIT_DRAPE_U_FIELD_REL 0.01

typedef struct fit_shadow {
  size_t width, height; /* pixels */
  float *cover;         /* owned: part of each pixel in shadow, 0 to 1, rows from the top */
  double pixel_m;
  double u_scale_rel; /* relative standard uncertainty of pixel_m */
  double u_edge_px;   /* standard uncertainty of where the edge is, the same all around it */
  fit_scale_from scale_from;
} fit_shadow;
void fit_shadow_clear(fit_shadow *s);

typedef struct fit_drape_setup {
  double support_m, specimen_m; /* diameters */
  double scale_m_per_px;        /* of pictures; 0: not known */
} fit_drape_setup;
fit_drape_setup fit_drape_setup_default(void); /* 18 cm, 30 cm, not known */
CB_CHECKED cb_status fit_drape_setup_check(const fit_drape_setup *q, cb_err *err);

/* The union of all triangles seen along z. fit_shadow_clear in any case. Metres; triangle: indices of vertices. */
CB_CHECKED cb_status fit_drape_mesh_shadow(const double (*vertex)[3], size_t n_vertices, const int (*triangle)[3], size_t n_triangles,
                                           const char *name, fit_shadow *out, cb_err *err);

/* ---- what it comes to ---- */

#define FIT_DRAPE_ANGLES 360

typedef struct fit_drape {
  double drape_coefficient, u; /* (A - A_support) / (A_specimen - A_support); standard uncertainty */
  double area_m2, u_area_m2;   /* of the shadow */
  double u_scale, u_edge;      /* the parts of u */
  int nodes;                   /* maxima of the outline that stand out by FIT_DRAPE_PROMINENCE or more */
  int nodes_least, nodes_most; /* by twice and by half of that */
  double node_height_m;        /* mean over the nodes: from the valleys beside it to the peak; 0 without nodes */
  double radius_mean_m, radius_min_m, radius_max_m;
  double radius_m[FIT_DRAPE_ANGLES]; /* outline about the centroid: at 0, 1 ... degrees from x (to the right) to y (up) */
  double pixel_m, u_scale_rel;
  fit_scale_from scale_from;
} fit_drape;

/* Prominence of a node, part of the support's radius: 1.8 mm on an 18 cm disc. */
#define FIT_DRAPE_PROMINENCE 0.02

/* CB_E_RANGE: the shadow cannot be that of such a specimen on such a disc (a wrong scale). */
CB_CHECKED cb_status fit_drape_reduce(const fit_shadow *s, const char *name, const fit_drape_setup *q, fit_drape *out, cb_err *err);

/* ---- a file ---- */

typedef struct fit_drape_file {
  fit_drape drape;
  char fingerprint[17]; /* of the file's bytes (FNV-1a, 64 bit, hexadecimal) */
} fit_drape_file;

/* A PNG or JPEG silhouette, or an OBJ mesh (metres, z up), plain or gzip, told apart by their first bytes. q->scale_m_per_px is of pictures
 * only. Errors begin with path. */
CB_CHECKED cb_status fit_drape_read(const char *path, const fit_drape_setup *q, fit_drape_file *out, cb_err *err);

#endif
