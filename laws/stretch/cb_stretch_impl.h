/* What the files of the law of stretch share. */
#ifndef CB_STRETCH_IMPL_H
#define CB_STRETCH_IMPL_H

#include "cb_stretch_form.h"
#include "cb_stretch_green.h"
#include "cb_stretch_wang.h"

/* Standard uncertainty of one direction's mean curve at strain >= 0. */
double cb_stretch_curve_u(const cb_stretch_direction *d, double strain);

/* The form's compliance in any direction; *u_rel (may be NULL): from those of the directions. */
double cb_stretch_compliance(const cb_stretch_moduli *m, double angle_deg, double *u_rel);
/* d ln of that compliance / d ln of the compliance of the tested direction i. */
double cb_stretch_form_weight(const cb_stretch_moduli *m, size_t i, double angle_deg);

/* One direction by a form and its misfits (cb_stretch_between.c). */
typedef struct cb_stretch_place {
  double compliance_m_per_N;
  double u_means_rel;          /* from those of the directions */
  double u_walk_rel, walk_dof; /* that no direction tells: how the cloth departs from the form */
  double walk_var;             /* of ln S, in 22.5 degrees */
} cb_stretch_place;
/* m must be known. */
cb_stretch_place cb_stretch_between(const cb_stretch_moduli *m, double angle_deg);

/* Straight between the points; beyond them with the last slope. strain >= 0. */
double cb_stretch_green_stress(const cb_stretch_green *g, double strain);

/* -> {Suu, Svv, Suv} [N/m] */
void cb_stretch_wang_stress(const cb_stretch_wang *w, const double green[3], double stress_N_per_m[3]);

/* Nominal force per width [N/m] of a strip with free edges, stretched by `strain` (extension over length) in
 * a direction: the strains across and along its edges are those that leave no stress there. NAN: there are
 * none, or the search does not end. */
double cb_stretch_wang_strip(const cb_stretch_wang *w, double angle_deg, double strain);

#endif
