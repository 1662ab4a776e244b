/* The figures of a cloth, of a pair, and of Chen et al. 2013, private to report/. A figure whose data the
 * store lacks stays empty. */
#ifndef REPORT_PLOTS_H
#define REPORT_PLOTS_H

#include "cb_store.h"
#include "lab_selection.h"
#include "report_data.h"
#include "report_plot.h"

typedef struct report_cloth_figure {
  const char *name;    /* "permeability" */
  const char *what;    /* one line */
  const char *caption; /* what points, lines and bands are */
  /* Fills *p. Errors: those of the store. */
  cb_status (*build)(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err);
} report_cloth_figure;
extern const report_cloth_figure report_cloth_figures[]; /* ends with name == NULL */

cb_status report_plot_permeability(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err);
cb_status report_plot_compression(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err);
cb_status report_plot_stretch(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err);
cb_status report_plot_bending(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err);
cb_status report_plot_cantilever(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err);
cb_status report_plot_moment(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err);
cb_status report_plot_drape(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err);
cb_status report_plot_silhouette(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err);

/* ---- what they share ---- */

/* Returns the colour of a direction: warp, weft and bias always have their own. */
int report_direction_color(double angle_deg, size_t k);

/* Loads the newest laws of a cloth, on the heap. The caller frees *laws. */
struct lab_cloth_laws;
CB_CHECKED cb_status report_cloth_laws(cb_store *s, const cb_material *cloth, struct lab_cloth_laws **laws,
                                       cb_err *err);

/* Finds the newest prediction of the cloth's drape on discs of that size [m] that has a verdict. */
struct lab_drape_predicted;
CB_CHECKED cb_status report_drape_predicted(cb_store *s, int64_t cloth_id, double support_m,
                                            double specimen_m, struct lab_drape_predicted *out, bool *known,
                                            cb_err *err);

typedef struct report_pair_figure {
  const char *name;    /* "mu" */
  const char *what;    /* one line */
  const char *caption; /* what points, lines and bands are */
  /* Fills *p. Errors: those of the store. */
  cb_status (*build)(report_plot *p, const report_data *d, report_pair pair, cb_err *err);
} report_pair_figure;
extern const report_pair_figure report_pair_figures[]; /* ends with name == NULL */

/* Builds a figure by its letter from the pairs of the store; cloth and body narrow the choice, NULL: any.
 * Where no pair has traces, a to d have the means over load instead of the force over time. Errors:
 * CB_E_NOTFOUND, in a sentence that says what to measure; the store's. */
CB_CHECKED cb_status report_paper_plot(cb_store *s, const lab_selection *sel, char letter, const char *cloth,
                                       const char *body, report_plot *p, cb_err *err);

#endif
