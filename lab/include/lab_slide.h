/* Test of a pair's law on a pull that it was not fitted to. docs/method/slide.md has the method.
 *
 * A judgement simulates the pull with the laws and the link of its rig, and draws all that is not known
 * exactly. It reduces the simulated and the measured trace in the same way, and compares them by E_n numbers
 * (lab_en.h). The main functions:
 *
 *   lab_slide_newest   selects the newest pull
 *   lab_slide_judge    makes the verdict; lab_slide_judge_all those of all pulls
 *   lab_slide_store    stores the verdict; lab_slide_read reads a stored one */
#ifndef LAB_SLIDE_H
#define LAB_SLIDE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "cb_stop.h"
#include "cb_store.h"
#include "lab_seal.h"

#define LAB_SLIDE_DRAWS 200
#define LAB_SLIDE_SEED 20130721u
#define LAB_SLIDE_CURVE_POINTS 400

/* The model of the pull: a rigid sled (sim_sled.h), or the cloth itself over a body in layers (val_pull.h).
 */
typedef enum lab_slide_model {
  LAB_SLIDE_SLED,
  LAB_SLIDE_PRESCRIBED, /* the body is prescribed */
  LAB_SLIDE_ELASTIC     /* the body is elastic and held at its bottom; only the plateau can be compared */
} lab_slide_model;
extern const char *const lab_slide_model_names[]; /* "sled", "prescribed", "elastic", NULL */

/* How the bed holds the cloth: over its whole area, or at the edge towards the pull, so that it stretches. */
typedef enum lab_slide_grip { LAB_SLIDE_AREA, LAB_SLIDE_EDGE } lab_slide_grip;
extern const char *const lab_slide_grip_names[]; /* "area", "edge", NULL */

/* The cloth of LAB_SLIDE_PRESCRIBED and LAB_SLIDE_ELASTIC. */
typedef struct lab_slide_sheet {
  lab_slide_grip grip;
  double areal_density_kg_per_m2;
  bool mass_assumed;
  /* 0: assumed (docs/method/slide.md); without a permeability law there is no air under the cloth */
  int64_t stretch_law_id, bending_law_id, permeability_law_id;
} lab_slide_sheet;

/* Scatter of single runs beyond their own uncertainty, as relative standard deviations. */
typedef struct lab_slide_scatter {
  double repeat_rel;    /* between repeats, as documented with the law; 0: not documented */
  double placement_rel; /* between layings of the cloth: the deviation of the law's knots from
                           smoothness over load */
  double dof;           /* effective, of both together; 0: unknown */
} lab_slide_scatter;

/* ---- the verdict ---- */

enum {
  LAB_SLIDE_STATIC_PEAK,
  LAB_SLIDE_KINETIC_PLATEAU,
  LAB_SLIDE_BREAKAWAY,
  LAB_SLIDE_CURVE_RMS,
  LAB_SLIDE_QUANTITIES
};
extern const char *const lab_slide_quantity_names[]; /* "static_peak", "kinetic_plateau",
                                                        "breakaway_displacement", ..., NULL */
extern const char *const lab_slide_quantity_units[]; /* "N" or "m" */

typedef struct lab_slide_quantity {
  bool compared; /* false: the trace or the laws lack it, and nothing else here is valid */
  double predicted, u_predicted, U_predicted; /* u: k = 1; U: 95 % */
  double measured, u_measured, U_measured;
  double en;
  double sled; /* predicted by the rigid sled; NAN: it is the model, or does not tell this quantity. For
                  LAB_SLIDE_CURVE_RMS: the rms of the sled's curve about the predicted one */
} lab_slide_quantity;

/* Returns how far the prediction is from the rigid sled's, over the standard uncertainty of the prediction;
 * NAN without a sled's. */
double lab_slide_from_sled(const lab_slide_quantity *q);

typedef struct lab_slide_verdict {
  bool pass;       /* no |E_n| above 1 */
  double worst_en; /* greatest |E_n| */
  lab_slide_quantity q[LAB_SLIDE_QUANTITIES];
  int64_t run_id, law_kinetic_id, law_static_id; /* 0: without a static law; kinetic law not
                                                    stored */
  char cloth[64], body[64];
  double angle_deg, normal_force_N, speed_m_per_s; /* of the run */
  int direction;
  cb_origin origin_measured, origin_law;
  bool inside_measured_range; /* the load is within the range of the kinetic law */
  lab_slide_model model;
  double young_Pa, poisson; /* as in lab_slide_case; NAN unless model is LAB_SLIDE_ELASTIC */
  int64_t elasticity_law_id;
  lab_slide_sheet sheet; /* unless model is LAB_SLIDE_SLED */
  lab_slide_scatter kinetic_scatter, static_scatter;
  bool calibration_shared;
  size_t draws, seed;
  size_t n_curve;
  /* predicted force along the motion, over the displacement of the stage */
  double curve_x_m[LAB_SLIDE_CURVE_POINTS], curve_N[LAB_SLIDE_CURVE_POINTS];
  const lab_seal *seal; /* of the prediction (lab_slide_seal.h), not owned; NULL: made for the verdict, or
                           read from a stored one */
} lab_slide_verdict;

/* ---- judge ---- */

/* Finds the newest finished run of kind slide. Error: CB_E_NOTFOUND without one. */
CB_CHECKED cb_status lab_slide_newest(cb_store *s, cb_run *run, cb_err *err);

/* Judges a finished, level pull that has a rig, a calibration and a trace, of a pair with a kinetic law. It
 * only reads. The grip has no effect on LAB_SLIDE_SLED. A prediction that does not hold is no error. Errors:
 * CB_E_RANGE, CB_E_NOTFOUND if one of these is missing, or LAB_SLIDE_EDGE has no law of stretch. */
CB_CHECKED cb_status lab_slide_judge(cb_store *s, const cb_run *run, lab_slide_model model,
                                     lab_slide_grip grip, lab_slide_verdict *out, cb_err *err);

/* One of several: its verdict, or why it has none. */
typedef struct lab_slide_judged {
  cb_status status;
  cb_err err;
  lab_slide_verdict verdict;
} lab_slide_judged;

/* Judges every finished, level pull of a file, in the order of their numbers, as many at once as there are
 * threads: the verdicts are those of lab_slide_judge. The caller frees *out. What is not begun when `stop` is
 * set has CB_E_STOPPED. Errors: those of the file; CB_E_NOTFOUND without such a pull; memory. */
CB_CHECKED cb_status lab_slide_judge_all(const char *path, lab_slide_model model, lab_slide_grip grip,
                                         const cb_stop *stop, lab_slide_judged **out, size_t *n, cb_err *err);

/* ---- keep ---- */

/* Stores a verdict as a row of `validation`: experiment "slide" of a sled, "cloth slide" of a sheet. */
CB_CHECKED cb_status lab_slide_store(cb_store *s, const lab_slide_verdict *v, cb_err *err);

/* Makes the document of docs/reference/json, "validate slide", which is stored and printed by --json.
 * Returns NULL without memory. The caller calls json_decref. */
json_t *lab_slide_json(const lab_slide_verdict *v);
/* Reads a stored document. Values that an older document lacks are NAN, 0 or "". Error: CB_E_DB for another
 * document. */
CB_CHECKED cb_status lab_slide_read(const char *text, lab_slide_verdict *out, cb_err *err);

#endif
