/* Private: the columns of a run and how to read them, shared by the statements that join runs with something
 * else. */
#ifndef CB_RUN_ROW_H
#define CB_RUN_ROW_H

#include "cb_store_impl.h"

/* The newest `void` or `unvoid` of run r, or nothing. */
#define CB_RUN_LAST_WORD                                                                                  \
  "FROM correction x WHERE x.run_id = r.id AND x.kind IN ('void', 'unvoid') ORDER BY x.created_at DESC, " \
  "x.id DESC "                                                                                            \
  "LIMIT 1"
#define CB_RUN_IS_VOIDED "ifnull((SELECT x.kind = 'void' " CB_RUN_LAST_WORD "), 0)"
#define CB_RUN_STATUS "CASE WHEN " CB_RUN_IS_VOIDED " THEN 'voided' ELSE r.status END"
#define CB_RUN_REASON \
  "CASE WHEN " CB_RUN_IS_VOIDED " THEN (SELECT x.reason " CB_RUN_LAST_WORD ") ELSE r.reason END"

/* The table is run_now, and is called r: the run with what was amended. */
#define CB_RUN_COLUMNS                                                                                     \
  "r.id, r.uuid, r.campaign_id, r.cloth_id, r.body_id, r.rig_id, r.calibration_id, r.kind, r.angle_deg, "  \
  "r.cart_mass_kg, r.added_mass_kg,"                                                                       \
  " r.normal_force_N, r.u_normal_force_N, r.contact_area_m2, r.incline_deg, r.speed_m_per_s, r.travel_m, " \
  "r.direction, r.repeat, "                                                                                \
  "r.rate_Hz,"                                                                                             \
  " r.origin, r.source, r.started_at, r.finished_at, " CB_RUN_STATUS ", " CB_RUN_REASON                    \
  ", r.flags, r.body_angle_deg, r.specimen_id"
#define CB_RUN_N_COLUMNS 29

/* Runs of a material in the column cloth_id or body_id, by the indices. */
#define CB_RUNS_OF(column, material)                                                                      \
  "r.id IN (SELECT id FROM run WHERE " column                                                             \
  " IN (" CBS_ALL_OF(material) ") UNION SELECT run_id FROM correction WHERE material_id IN (" CBS_ALL_OF( \
      material) ")) AND r." column " = " material

cbs_reader cbs_read_run; /* into a cb_run */

#endif
