/* Curves and whole figures that report_figures and the HTML report share; private to report/. */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H

#include "report_data.h"
#include "report_plot.h"

typedef enum report_axis { REPORT_OVER_TIME, REPORT_OVER_DISPLACEMENT, REPORT_OVER_READINGS } report_axis;

/* Pairs of minimum and maximum to which a trace is thinned: alone in a figure, among many. */
#define REPORT_PAIRS 2000
#define REPORT_PAIRS_CROWD 250

/* Adds a measured pull: the force along the motion, less the zero before the motion, from half a second
 * before the motion. The axis is the time since the motion began [s], or the displacement of the stage [mm].
 * REPORT_OVER_READINGS adds the whole force as read, over the index, for records without times and
 * positions. A look is added as read, over its own time. A run without samples adds nothing. */
CB_CHECKED cb_status report_curve_trace(report_plot *p, const report_data *d, const cb_run *run,
                                        report_axis axis, size_t max_pairs, int color, const char *name,
                                        cb_err *err);

/* Adds the law in one direction over the load, between its first and last knot, with its 95 % band. */
void report_curve_law(report_plot *p, const cb_friction_law *law, double angle_deg, int color,
                      const char *name);

/* Adds the points in one direction over the load, with 95 % bars. Returns their number. */
size_t report_curve_points(report_plot *p, const cb_friction_obs *obs, size_t n, double angle_deg,
                           cb_friction_kind kind, int color, const char *name);

/* Selects a run of a pair with samples, at the direction angle_deg (NAN: the one nearest to the warp). It
 * takes the added mass nearest to added_kg; then forward before backward; then the newest. campaign_id 0
 * means all campaigns. Returns NULL if there is none. */
const cb_run *report_pick_run(const report_data *d, report_pair pair, int64_t campaign_id, double angle_deg,
                              double added_kg);

/* Returns "0° (warp)", "45°", "90° (weft)". */
void report_angle_text(double angle_deg, char out[32]);

/* Lists the directions of a pair, ascending, at most max, and returns their number. with_trace: only of runs
 * with samples; else of all finished pulls. */
size_t report_angles(const report_data *d, report_pair pair, int64_t campaign_id, bool with_trace,
                     double *angles_deg, size_t max);

/* ---- whole figures of one pair ---- */

/* Plots every pull of the campaign in one direction, coloured by load. *left_out counts the pulls for which
 * there was no room. */
CB_CHECKED cb_status report_plot_pulls(report_plot *p, const report_data *d, report_pair pair,
                                       int64_t campaign_id, double angle_deg, size_t *left_out, cb_err *err);
/* Plots one pull in each direction, with an added mass near added_kg. */
CB_CHECKED cb_status report_plot_directions(report_plot *p, const report_data *d, report_pair pair,
                                            int64_t campaign_id, double added_kg, cb_err *err);
/* Plots the points and the law over the load. */
CB_CHECKED cb_status report_plot_loads(report_plot *p, const report_data *d, report_pair pair,
                                       cb_friction_kind kind, cb_err *err);
/* Plots the coefficient of friction over the direction, at the least and the greatest load of the law. */
void report_plot_polar(report_plot *p, const report_data *d, report_pair pair);

#endif
