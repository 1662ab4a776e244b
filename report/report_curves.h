/* Builds the curves that figures and reports share. */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H

#include "report_data.h"
#include "report_plot.h"

typedef enum report_axis { REPORT_OVER_TIME, REPORT_OVER_DISPLACEMENT, REPORT_OVER_READINGS } report_axis;

/* Pairs of minimum and maximum kept of a trace: alone in a figure, and in a crowd. */
#define REPORT_PAIRS 2000
#define REPORT_PAIRS_CROWD 250

/* A measured pull: force along the motion, zeroed before the motion, from half a second before it; over time
 * [s] since the motion began or over stage displacement [mm]. Over readings: all of the force as it was read,
 * for records that have neither times nor positions. A run without samples adds nothing. */
CB_CHECKED cb_status report_curve_trace(report_plot *p, const report_data *d, const cb_run *run,
                                        report_axis axis, size_t max_pairs, int color, const char *name,
                                        cb_err *err);

/* The law along one direction over load, between its first and last knot, with its 95 % band. */
void report_curve_law(report_plot *p, const cb_friction_law *law, double angle_deg, int color,
                      const char *name);

/* Points of the pair at one direction over load, with 95 % bars. Returns how many. */
size_t report_curve_points(report_plot *p, const cb_friction_obs *obs, size_t n, double angle_deg,
                           cb_friction_kind kind, int color, const char *name);

/* Of the runs of a pair (campaign_id 0: of all campaigns) with samples, at the direction angle_deg (NAN: the
 * one nearest the warp): the one with the added mass nearest to added_kg; forward before backward, then the
 * newest. NULL if there is none. */
const cb_run *report_pick_run(const report_data *d, report_pair pair, int64_t campaign_id, double angle_deg,
                              double added_kg);

/* "0° (warp)", "45°", "90° (weft)". */
void report_angle_text(double angle_deg, char out[32]);

/* Different directions, ascending, at most max. with_trace: of runs whose samples are kept; else of all
 * finished pulls. */
size_t report_angles(const report_data *d, report_pair pair, int64_t campaign_id, bool with_trace,
                     double *angles_deg, size_t max);

/* Whole figures of one pair. */
/* Every pull of the campaign at one direction, coloured by load; *left_out: how many did not fit. */
CB_CHECKED cb_status report_plot_pulls(report_plot *p, const report_data *d, report_pair pair,
                                       int64_t campaign_id, double angle_deg, size_t *left_out, cb_err *err);
CB_CHECKED cb_status report_plot_directions(report_plot *p, const report_data *d, report_pair pair,
                                            int64_t campaign_id, double added_kg, cb_err *err);
CB_CHECKED cb_status report_plot_loads(report_plot *p, const report_data *d, report_pair pair,
                                       cb_friction_kind kind, cb_err *err);
/* Coefficient of friction over direction, at the smallest and the largest load of the law. */
void report_plot_polar(report_plot *p, const report_data *d, report_pair pair);

#endif
