/* Drapes of one cloth as they were measured: what the shadow of each comes to (fit_drape.h). Append-only. SI units. */
#ifndef CB_DRAPE_TEST_H
#define CB_DRAPE_TEST_H

#include "cb_store.h"

typedef struct cb_drape_test {
  int64_t id;
  char uuid[37];
  int64_t material_id;
  char capture[64];             /* which drape of which piece: the file's name */
  char method[16];              /* "silhouette" or "mesh" */
  double support_m, specimen_m; /* diameters */
  double drape_coefficient, u_drape_coefficient;
  int nodes;
  double node_height_m;
  double area_m2; /* of the shadow */
  double pixel_m, u_scale_rel;
  char scale_from[16]; /* "given", "disc", "assumed", "mesh" */
  cb_origin origin;
  char source[256];
  char created_at[32];
} cb_drape_test;

/* Sets t->id, uuid, created_at. profile_m_json: the outline, an array of radii; fingerprint: of the file's bytes. */
CB_CHECKED cb_status cb_store_drape_put(cb_store *s, cb_drape_test *t, const char *profile_m_json, const char *fingerprint, cb_err *err);
/* By id; material_id 0: of all. */
CB_CHECKED cb_status cb_store_drapes(cb_store *s, int64_t material_id, cb_drape_test **list, size_t *n, cb_err *err);
/* Its outline, the JSON text as it was put; caller frees. */
CB_CHECKED cb_status cb_store_drape_profile(cb_store *s, const cb_drape_test *t, char **profile_m_json, cb_err *err);
/* When this very file was imported; "" if it was not. */
CB_CHECKED cb_status cb_store_drape_fingerprint(cb_store *s, const char *fingerprint, char created_at[32], cb_err *err);

#endif
