/* Private: the columns of a run and how to read them, shared by the statements that join runs with something
 * else. */
#ifndef CB_RUN_ROW_H
#define CB_RUN_ROW_H

#include "cb_store_impl.h"

/* The table (or its alias) must be called r. */
#define CB_RUN_COLUMNS                                                                                     \
  "r.id, r.uuid, r.campaign_id, r.cloth_id, r.body_id, r.rig_id, r.calibration_id, r.kind, r.angle_deg, "  \
  "r.cart_mass_kg, r.added_mass_kg,"                                                                       \
  " r.normal_force_N, r.u_normal_force_N, r.contact_area_m2, r.incline_deg, r.speed_m_per_s, r.travel_m, " \
  "r.direction, r.repeat, "                                                                                \
  "r.rate_Hz,"                                                                                             \
  " r.origin, r.source, r.started_at, r.finished_at, r.status, r.reason, r.flags, r.body_angle_deg"
#define CB_RUN_N_COLUMNS 28

cbs_reader cbs_read_run; /* into a cb_run */

#endif
