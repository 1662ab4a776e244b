/* The camera of the drape meter. */
#ifndef VLAB_PICTURE_H
#define VLAB_PICTURE_H

#include "vlab_impl.h"

/* Two faces of a cloth whose shadow is drawn. Not owned. */
typedef struct vlab_shadow {
  const double (*position_m)[3];
  int n_vertices;
  const int (*triangle)[3];
  int n_triangles;
  double support_m; /* diameter */
} vlab_shadow;

/* Writes a grey PNG of 720 x 720 pixels of about half a millimetre: bright ground, the cloth darker, the
 * support darkest. rng: place, size of a pixel and noise. Errors: CB_E_IO, CB_E_NOMEM. */
CB_CHECKED cb_status vlab_picture(const vlab_shadow *s, cb_rng *rng, const char *path, cb_err *err);

#endif
