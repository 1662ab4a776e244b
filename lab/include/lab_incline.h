/* Test of a pair's friction law on a measured incline: an angle of release, or a slide down a slope. No law
 * was fitted to either. docs/method/slide.md has the method.
 *
 *   lab_incline_judge   makes the verdict
 *   lab_incline_store   stores the verdict; lab_incline_read reads a stored one */
#ifndef LAB_INCLINE_H
#define LAB_INCLINE_H

#include "lab_slide.h"

enum {
  LAB_INCLINE_RELEASE,      /* angle of release [deg]; by the static law */
  LAB_INCLINE_ACCELERATION, /* of a slide [m/s2]; by the kinetic law */
  LAB_INCLINE_DISTANCE,     /* rms difference of distances over time [m], where there is a record */
  LAB_INCLINE_QUANTITIES
};
extern const char *const lab_incline_quantity_names[]; /* "release_angle", "acceleration",
                                                          "distance_rms_difference", NULL */
extern const char *const lab_incline_quantity_units[]; /* "deg", "m/s2", "m" */

typedef struct lab_incline_verdict {
  bool pass;       /* no |E_n| above 1 */
  double worst_en; /* greatest |E_n| */
  lab_slide_quantity q[LAB_INCLINE_QUANTITIES];
  int64_t run_id, law_id;
  cb_friction_kind law_kind; /* static for a release, kinetic for a slide */
  char cloth[64], body[64];
  double angle_deg;                                /* direction in the cloth, down the slope */
  double incline_deg;                              /* of the slope; of a release the measured angle */
  double mass_kg, normal_force_N, contact_area_m2; /* of the run */
  cb_origin origin_measured, origin_law;
  bool inside_measured_range; /* the load is within the range of the law */
  lab_slide_scatter scatter;  /* of single runs, as documented with the law */
  size_t draws, seed;
} lab_incline_verdict;

/* Judges a finished run on a slope that has a point (fit_incline.h), by the newest law of its pair. It only
 * reads. A prediction that does not hold is no error. Errors: CB_E_RANGE for another run, or for a law whose
 * adhesion holds the sled on every slope; CB_E_NOTFOUND without the law. */
CB_CHECKED cb_status lab_incline_judge(cb_store *s, const cb_run *run, lab_incline_verdict *out, cb_err *err);

/* Stores a verdict as a row of `validation`. */
CB_CHECKED cb_status lab_incline_store(cb_store *s, const lab_incline_verdict *v, cb_err *err);

/* Makes the document of docs/reference/json, "validate incline --run", which is stored and printed by
 * --json. Returns NULL without memory. The caller calls json_decref. */
json_t *lab_incline_json(const lab_incline_verdict *v);
/* Reads a stored document. Values that it lacks are NAN, 0 or "". Error: CB_E_DB for another document. */
CB_CHECKED cb_status lab_incline_read(const char *text, lab_incline_verdict *out, cb_err *err);

#endif
