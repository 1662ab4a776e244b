#include "cb_store_impl.h"

/* Rules of the schema:
 * - STRICT tables, units in column names, SI except where a person reads the column (angle_deg).
 * - NULL means "not known"; 0 never does.
 * - What was measured is append-only: triggers refuse UPDATE and DELETE. A run may only change its status,
 *   once it ended. */

static const char step_1[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;"

    "CREATE TABLE material("
    "  id INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK(kind IN ('cloth','body')), name TEXT NOT NULL CHECK(name <> ''),"
    "  composition TEXT NOT NULL, weave TEXT NOT NULL, areal_density_kg_per_m2 REAL CHECK(areal_density_kg_per_m2 > 0),"
    "  thickness_m REAL CHECK(thickness_m > 0), source TEXT NOT NULL,"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), UNIQUE(kind, name)) STRICT;"

    "CREATE TABLE rig("
    "  id INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL) STRICT;"

    "CREATE TABLE calibration("
    "  id INTEGER PRIMARY KEY, rig_id INTEGER REFERENCES rig(id), unit TEXT NOT NULL, slope_N_per_unit REAL NOT NULL CHECK(slope_N_per_unit <> 0),"
    "  u_rel REAL NOT NULL CHECK(u_rel >= 0), resolution_N REAL NOT NULL CHECK(resolution_N >= 0),"
    "  certificate TEXT NOT NULL, valid_from TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"

    "CREATE TABLE campaign("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, name TEXT NOT NULL, kind TEXT NOT NULL CHECK(kind IN ('friction','slide','import')),"
    "  cloth_id INTEGER REFERENCES material(id), body_id INTEGER REFERENCES material(id), rig_id INTEGER REFERENCES rig(id),"
    "  plan_text TEXT NOT NULL, operator_name TEXT NOT NULL, temperature_degC REAL, humidity_percent REAL,"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')),"
    "  program_version TEXT NOT NULL, created_at TEXT NOT NULL, finished_at TEXT) STRICT;"

    "CREATE TABLE run("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, campaign_id INTEGER NOT NULL REFERENCES campaign(id),"
    "  cloth_id INTEGER NOT NULL REFERENCES material(id), body_id INTEGER NOT NULL REFERENCES material(id),"
    "  rig_id INTEGER REFERENCES rig(id), calibration_id INTEGER REFERENCES calibration(id),"
    "  kind TEXT NOT NULL CHECK(kind IN ('pull','slide')), angle_deg REAL NOT NULL,"
    "  cart_mass_kg REAL NOT NULL CHECK(cart_mass_kg >= 0), added_mass_kg REAL NOT NULL CHECK(added_mass_kg >= 0),"
    "  normal_force_N REAL NOT NULL CHECK(normal_force_N >= 0), u_normal_force_N REAL NOT NULL CHECK(u_normal_force_N >= 0),"
    "  contact_area_m2 REAL NOT NULL CHECK(contact_area_m2 > 0), incline_deg REAL NOT NULL, speed_m_per_s REAL NOT NULL CHECK(speed_m_per_s >= 0),"
    "  travel_m REAL NOT NULL CHECK(travel_m >= 0), direction INTEGER NOT NULL CHECK(direction IN (-1, 1)), repeat INTEGER NOT NULL CHECK(repeat >= 1),"
    "  rate_Hz REAL NOT NULL CHECK(rate_Hz >= 0), origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')),"
    "  source TEXT NOT NULL, program_version TEXT NOT NULL, started_at TEXT NOT NULL, finished_at TEXT,"
    "  status TEXT NOT NULL CHECK(status IN ('running','done','failed','aborted','interrupted')), reason TEXT NOT NULL) STRICT;"
    "CREATE INDEX run_by_campaign ON run(campaign_id);"
    "CREATE INDEX run_by_pair ON run(cloth_id, body_id);"

    "CREATE TABLE sample_chunk("
    "  run_id INTEGER NOT NULL REFERENCES run(id), channel TEXT NOT NULL CHECK(channel IN ('force','position')),"
    "  first_index INTEGER NOT NULL CHECK(first_index >= 0), n INTEGER NOT NULL CHECK(n > 0), encoding TEXT NOT NULL CHECK(encoding = 'tv-f64le'),"
    "  crc32 INTEGER NOT NULL, payload BLOB NOT NULL, PRIMARY KEY(run_id, channel, first_index)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE event("
    "  id INTEGER PRIMARY KEY, campaign_id INTEGER NOT NULL REFERENCES campaign(id), run_id INTEGER REFERENCES run(id), t_s REAL NOT NULL,"
    "  at TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;"
    "CREATE INDEX event_by_campaign ON event(campaign_id);"

    "CREATE TABLE friction_point("
    "  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id), zero_N REAL NOT NULL, u_zero_N REAL NOT NULL,"
    "  static_N REAL, u_static_N REAL, kinetic_N REAL, u_kinetic_N REAL, kinetic_sd_N REAL NOT NULL, n_eff REAL NOT NULL,"
    "  window_from_m REAL NOT NULL, window_to_m REAL NOT NULL, mu_reported REAL, mu_reported_decimals INTEGER NOT NULL,"
    "  method TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX point_by_run ON friction_point(run_id);"

    "CREATE TABLE friction_law("
    "  id INTEGER PRIMARY KEY, cloth_id INTEGER NOT NULL REFERENCES material(id), body_id INTEGER NOT NULL REFERENCES material(id),"
    "  kind TEXT NOT NULL CHECK(kind IN ('static','kinetic')), form TEXT NOT NULL CHECK(form IN ('isotropic','orthotropic','general')),"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), contact_area_m2 REAL NOT NULL CHECK(contact_area_m2 > 0),"
    "  exponent REAL NOT NULL CHECK(exponent > 0), u_exponent REAL NOT NULL CHECK(u_exponent >= 0), u_rel_common REAL NOT NULL CHECK(u_rel_common >= 0),"
    "  u_rel_model REAL NOT NULL CHECK(u_rel_model >= 0), dof REAL NOT NULL CHECK(dof > 0), method TEXT NOT NULL, verdicts_json TEXT NOT NULL,"
    "  program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX law_by_pair ON friction_law(cloth_id, body_id, kind);"
    "CREATE TABLE friction_knot("
    "  law_id INTEGER NOT NULL REFERENCES friction_law(id), normal_force_N REAL NOT NULL CHECK(normal_force_N > 0),"
    "  f00_N REAL NOT NULL, f01_N REAL NOT NULL, f11_N REAL NOT NULL,"
    "  cov_00_00_N2 REAL NOT NULL, cov_00_01_N2 REAL NOT NULL, cov_00_11_N2 REAL NOT NULL, cov_01_01_N2 REAL NOT NULL, cov_01_11_N2 REAL NOT NULL,"
    "  cov_11_11_N2 REAL NOT NULL, PRIMARY KEY(law_id, normal_force_N)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE friction_law_input("
    "  law_id INTEGER NOT NULL REFERENCES friction_law(id), point_id INTEGER NOT NULL REFERENCES friction_point(id),"
    "  PRIMARY KEY(law_id, point_id)) STRICT, WITHOUT ROWID;"

#define APPEND_ONLY(table)                                                                          \
  "CREATE TRIGGER " table "_no_update BEFORE UPDATE ON " table " BEGIN SELECT RAISE(ABORT, '" table \
  " is append-only'); END;"                                                                         \
  "CREATE TRIGGER " table "_no_delete BEFORE DELETE ON " table " BEGIN SELECT RAISE(ABORT, '" table \
  " is append-only'); END;"
    APPEND_ONLY("sample_chunk") APPEND_ONLY("calibration") APPEND_ONLY("event") APPEND_ONLY("friction_point") APPEND_ONLY("friction_law")
        APPEND_ONLY("friction_knot") APPEND_ONLY("friction_law_input") APPEND_ONLY("rig")
    "CREATE TRIGGER run_no_delete BEFORE DELETE ON run BEGIN SELECT RAISE(ABORT, 'run is append-only'); END;"
    "CREATE TRIGGER run_ends_once BEFORE UPDATE ON run WHEN OLD.status <> 'running' BEGIN SELECT RAISE(ABORT, 'run has ended'); END;"
    "CREATE TRIGGER run_conditions_stay BEFORE UPDATE OF uuid, campaign_id, cloth_id, body_id, rig_id, calibration_id, kind, angle_deg,"
    "  cart_mass_kg, added_mass_kg, normal_force_N, u_normal_force_N, contact_area_m2, incline_deg, speed_m_per_s, travel_m, direction, repeat,"
    "  rate_Hz, origin, source, started_at ON run BEGIN SELECT RAISE(ABORT, 'the conditions of a run are append-only'); END;";

static const char step_2[] =
    "CREATE TABLE validation("
    "  id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, run_id INTEGER NOT NULL REFERENCES run(id),"
    "  law_static_id INTEGER REFERENCES friction_law(id), law_kinetic_id INTEGER REFERENCES friction_law(id),"
    "  pass INTEGER NOT NULL CHECK(pass IN (0, 1)), worst_en REAL NOT NULL, result_json TEXT NOT NULL,"
    "  program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX validation_by_run ON validation(run_id);" APPEND_ONLY("validation");

/* Flags, zeros and converters of a run; more channels (a CHECK cannot be altered, so the table is made
 * anew). */
static const char step_3[] =
    "ALTER TABLE run ADD COLUMN flags TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE run_zero("
    "  run_id INTEGER NOT NULL REFERENCES run(id), phase TEXT NOT NULL CHECK(phase IN ('before','after')), mean REAL NOT NULL,"
    "  sd REAL NOT NULL CHECK(sd >= 0), n INTEGER NOT NULL CHECK(n > 0), t_s REAL NOT NULL, PRIMARY KEY(run_id, phase)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE run_channel("
    "  run_id INTEGER NOT NULL REFERENCES run(id), channel TEXT NOT NULL, device TEXT NOT NULL, conversion TEXT NOT NULL,"
    "  origin REAL NOT NULL, c0 REAL NOT NULL, c1 REAL NOT NULL, c2 REAL NOT NULL, c3 REAL NOT NULL, scale REAL NOT NULL, offset REAL NOT NULL,"
    "  granted_rate_Hz REAL NOT NULL CHECK(granted_rate_Hz >= 0), skew_s REAL NOT NULL CHECK(skew_s >= 0), raw_max REAL NOT NULL,"
    "  PRIMARY KEY(run_id, channel)) STRICT, WITHOUT ROWID;" APPEND_ONLY("run_zero") APPEND_ONLY("run_channel")
    "ALTER TABLE sample_chunk RENAME TO sample_chunk_2;"
    "CREATE TABLE sample_chunk("
    "  run_id INTEGER NOT NULL REFERENCES run(id),"
    "  channel TEXT NOT NULL CHECK(channel IN ('force','position','excitation','temperature','displacement')),"
    "  first_index INTEGER NOT NULL CHECK(first_index >= 0), n INTEGER NOT NULL CHECK(n > 0), encoding TEXT NOT NULL CHECK(encoding = 'tv-f64le'),"
    "  crc32 INTEGER NOT NULL, payload BLOB NOT NULL, PRIMARY KEY(run_id, channel, first_index)) STRICT, WITHOUT ROWID;"
    "INSERT INTO sample_chunk SELECT * FROM sample_chunk_2;"
    "DROP TABLE sample_chunk_2;" APPEND_ONLY("sample_chunk");

/* What `calibrate` measured: the row gets its sources and results, the points their readings; a real run
 * cannot rest on a virtual cell. */
static const char step_calibration[] =
    "ALTER TABLE calibration ADD COLUMN kind TEXT NOT NULL DEFAULT 'declared' CHECK(kind IN ('declared','measured','imported'));"
    "ALTER TABLE calibration ADD COLUMN origin TEXT NOT NULL DEFAULT 'measured'"
    "  CHECK(origin IN ('measured','imported','virtual','simulated'));"
    "ALTER TABLE calibration ADD COLUMN cell TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE calibration ADD COLUMN valid_until TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE calibration ADD COLUMN operator_name TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE calibration ADD COLUMN weights_text TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE calibration ADD COLUMN u_floor_N REAL NOT NULL DEFAULT 0 CHECK(u_floor_N >= 0);"
    "ALTER TABLE calibration ADD COLUMN dof REAL CHECK(dof > 0);"
    "ALTER TABLE calibration ADD COLUMN gravity_m_per_s2 REAL;"
    "ALTER TABLE calibration ADD COLUMN air_density_kg_per_m3 REAL;"
    "ALTER TABLE calibration ADD COLUMN temperature_degC REAL;"
    "ALTER TABLE calibration ADD COLUMN full_scale_N REAL;"
    "ALTER TABLE calibration ADD COLUMN sensitivity_unit_per_N REAL;"
    "ALTER TABLE calibration ADD COLUMN u_sensitivity_unit_per_N REAL;"
    "ALTER TABLE calibration ADD COLUMN intercept_unit REAL;"
    "ALTER TABLE calibration ADD COLUMN u_intercept_unit REAL;"
    "ALTER TABLE calibration ADD COLUMN cov_intercept_sensitivity_unit2_per_N REAL;"
    "ALTER TABLE calibration ADD COLUMN residual_sd_unit REAL;"
    "ALTER TABLE calibration ADD COLUMN nonlinearity_N REAL;"
    "ALTER TABLE calibration ADD COLUMN hysteresis_N REAL;"
    "ALTER TABLE calibration ADD COLUMN repeatability_N REAL;"
    "ALTER TABLE calibration ADD COLUMN zero_return_N REAL;"
    "ALTER TABLE calibration ADD COLUMN creep_N REAL;"
    "ALTER TABLE calibration ADD COLUMN budget_json TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE calibration_point("
    "  calibration_id INTEGER NOT NULL REFERENCES calibration(id), step INTEGER NOT NULL CHECK(step >= 1), cycle INTEGER NOT NULL,"
    "  direction TEXT NOT NULL CHECK(direction IN ('preload','zero','up','down','creep')), mass_kg REAL NOT NULL CHECK(mass_kg >= 0),"
    "  force_N REAL NOT NULL CHECK(force_N >= 0), u_force_N REAL NOT NULL CHECK(u_force_N >= 0), reading REAL NOT NULL,"
    "  sd REAL NOT NULL CHECK(sd >= 0), n INTEGER NOT NULL CHECK(n > 0), t_s REAL NOT NULL, crc32 INTEGER NOT NULL,"
    "  payload BLOB NOT NULL, PRIMARY KEY(calibration_id, step)) STRICT, WITHOUT ROWID;" APPEND_ONLY("calibration_point")
    "CREATE TRIGGER run_calibration_as_real BEFORE INSERT ON run WHEN NEW.origin IN ('measured','imported')"
    "  AND (SELECT kind = 'measured' AND origin IN ('virtual','simulated') FROM calibration WHERE id = NEW.calibration_id)"
    "  BEGIN SELECT RAISE(ABORT, 'a real run cannot rest on the calibration of a virtual cell'); END;";

/* Packed chunks, and a tail for what came since the last one. A rowid table stores large rows tighter than
 * WITHOUT ROWID does, whose rows fill the last of their overflow pages by half on average (measured:
 * docs/reference/database.md). */
#define TAIL_TRIGGERS                                                                                      \
  "CREATE TRIGGER sample_tail_no_update BEFORE UPDATE ON sample_tail BEGIN SELECT RAISE(ABORT, "           \
  "'sample_tail is append-only'); END;"                                                                    \
  "CREATE TRIGGER sample_tail_no_loss BEFORE DELETE ON sample_tail WHEN OLD.first_index + OLD.n > ifnull(" \
  "  (SELECT first_index + n FROM sample_chunk WHERE run_id = OLD.run_id AND channel = OLD.channel AND "   \
  "first_index <= OLD.first_index"                                                                         \
  "   ORDER BY first_index DESC LIMIT 1), 0)"                                                              \
  "  BEGIN SELECT RAISE(ABORT, 'sample_tail: these samples are not in a chunk yet'); END;"
static const char step_storage[] =
    "ALTER TABLE sample_chunk RENAME TO sample_chunk_3;"
#define SAMPLE_COLUMNS                                                                                    \
  "  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id),"                                 \
  "  channel TEXT NOT NULL CHECK(channel IN "                                                             \
  "('force','position','excitation','temperature','displacement')),"                                      \
  "  first_index INTEGER NOT NULL CHECK(first_index >= 0), n INTEGER NOT NULL CHECK(n > 0),"              \
  "  encoding TEXT NOT NULL CHECK(encoding IN ('tv-f64le','tv-pack1')), crc32 INTEGER NOT NULL, payload " \
  "BLOB NOT NULL,"                                                                                        \
  "  UNIQUE(run_id, channel, first_index)"
    "CREATE TABLE sample_chunk(" SAMPLE_COLUMNS
    ") STRICT;"
    "CREATE TABLE sample_tail(" SAMPLE_COLUMNS
    ") STRICT;"
    "INSERT INTO sample_chunk(run_id, channel, first_index, n, encoding, crc32, payload)"
    "  SELECT run_id, channel, first_index, n, encoding, crc32, payload FROM sample_chunk_3;"
    "DROP TABLE sample_chunk_3;" APPEND_ONLY("sample_chunk") TAIL_TRIGGERS;

/* Conditions and specimen of a campaign; what its pulls come to by a test standard. */
static const char step_conditioning[] =
    "CREATE TABLE conditioning("
    "  campaign_id INTEGER PRIMARY KEY REFERENCES campaign(id), preset TEXT NOT NULL,"
    "  atmosphere TEXT CHECK(atmosphere IN ('iso139-standard','iso139-alternative','none')), conditioning_h "
    "REAL CHECK(conditioning_h >= "
    "0),"
    "  cloth_lot TEXT, cloth_side TEXT CHECK(cloth_side IN ('face','back')), body_specimen TEXT,"
    "  specimen_area_m2 REAL CHECK(specimen_area_m2 > 0), wash_state TEXT, note TEXT) STRICT;"
    "CREATE TABLE standard_result("
    "  id INTEGER PRIMARY KEY, campaign_id INTEGER NOT NULL REFERENCES campaign(id), standard TEXT NOT NULL,"
    "  result_json TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX standard_result_by_campaign ON standard_result(campaign_id);" APPEND_ONLY("conditioning")
        APPEND_ONLY("standard_result");

/* Tests of one material by itself, and what they come to. A curve's two columns depend on what was measured:
 * a table for each. */
#define CURVE(name, x, y)                                                                        \
  "CREATE TABLE " name                                                                           \
  "("                                                                                            \
  "  test_id INTEGER NOT NULL REFERENCES material_test(id), i INTEGER NOT NULL CHECK(i >= 0)," x \
  " REAL NOT NULL," y                                                                            \
  " REAL NOT NULL,"                                                                              \
  "  PRIMARY KEY(test_id, i)) STRICT, WITHOUT ROWID;" APPEND_ONLY(name)
static const char step_material_test[] =
    "CREATE TABLE material_test("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, material_id INTEGER NOT NULL REFERENCES material(id),"
    "  kind TEXT NOT NULL CHECK(kind IN ('permeability','stretch','cantilever','bending-moment')),"
    "  method TEXT NOT NULL, specimen TEXT NOT NULL, direction_deg REAL, repeat INTEGER NOT NULL CHECK(repeat >= 1),"
    "  layers INTEGER NOT NULL CHECK(layers >= 1), area_m2 REAL CHECK(area_m2 > 0), length_m REAL CHECK(length_m > 0),"
    "  width_m REAL CHECK(width_m > 0), areal_density_kg_per_m2 REAL CHECK(areal_density_kg_per_m2 > 0), temperature_degC REAL,"
    "  u_x_rel REAL NOT NULL CHECK(u_x_rel >= 0), u_y_rel REAL NOT NULL CHECK(u_y_rel >= 0),"
    "  x_digit REAL NOT NULL CHECK(x_digit >= 0), y_digit REAL NOT NULL CHECK(y_digit >= 0),"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), source TEXT NOT NULL,"
    "  mapping_text TEXT NOT NULL, file_fingerprint TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX material_test_by_material ON material_test(material_id, kind);" APPEND_ONLY("material_test")
        CURVE("permeability_point", "pressure_Pa", "velocity_m_per_s") CURVE("stretch_point", "displacement_m", "force_N")
            CURVE("cantilever_point", "overhang_m", "chord_angle_rad") CURVE("bending_moment_point", "curvature_per_m", "moment_per_width_N")
    "CREATE TABLE material_law("
    "  id INTEGER PRIMARY KEY, material_id INTEGER NOT NULL REFERENCES material(id),"
    "  kind TEXT NOT NULL CHECK(kind IN ('permeability','stretch','bending')), form TEXT NOT NULL,"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), source TEXT NOT NULL, result_json TEXT NOT NULL,"
    "  method TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX material_law_by_material ON material_law(material_id, kind);"
    "CREATE TABLE material_law_input("
    "  law_id INTEGER NOT NULL REFERENCES material_law(id), test_id INTEGER NOT NULL REFERENCES material_test(id),"
    "  PRIMARY KEY(law_id, test_id)) STRICT, WITHOUT ROWID;" APPEND_ONLY("material_law") APPEND_ONLY("material_law_input");

/* Records from elsewhere: a stage's speed as its only word on the motion, a clock of its own for every
 * channel, strokes by their labels; and all that a reduction found, beside the point itself. */
#define SAMPLES_WITH_SPEED                                                                                \
  "(id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id),"                                  \
  "  channel TEXT NOT NULL CHECK(channel IN "                                                             \
  "('force','position','excitation','temperature','displacement','speed')),"                              \
  "  first_index INTEGER NOT NULL CHECK(first_index >= 0), n INTEGER NOT NULL CHECK(n > 0),"              \
  "  encoding TEXT NOT NULL CHECK(encoding IN ('tv-f64le','tv-pack1')), crc32 INTEGER NOT NULL, payload " \
  "BLOB NOT NULL,"                                                                                        \
  "  UNIQUE(run_id, channel, first_index)) STRICT;"
static const char step_trace[] =
    "DROP TRIGGER sample_tail_no_loss;" /* it speaks of sample_chunk */
    "ALTER TABLE sample_chunk RENAME TO sample_chunk_7;"
    "ALTER TABLE sample_tail RENAME TO sample_tail_7;"
    "CREATE TABLE sample_chunk" SAMPLES_WITH_SPEED "CREATE TABLE sample_tail" SAMPLES_WITH_SPEED
    "INSERT INTO sample_chunk SELECT * FROM sample_chunk_7;"
    "INSERT INTO sample_tail SELECT * FROM sample_tail_7;"
    "DROP TABLE sample_chunk_7;"
    "DROP TABLE sample_tail_7;" APPEND_ONLY("sample_chunk") TAIL_TRIGGERS
    "ALTER TABLE run_channel ADD COLUMN clock_offset_s REAL NOT NULL DEFAULT 0;"
    "ALTER TABLE run_channel ADD COLUMN u_clock_offset_s REAL NOT NULL DEFAULT 0 CHECK(u_clock_offset_s >= 0);"
    "CREATE TABLE run_stroke("
    "  run_id INTEGER NOT NULL REFERENCES run(id), first_index INTEGER NOT NULL CHECK(first_index >= 0), n INTEGER NOT NULL CHECK(n > 0),"
    "  direction INTEGER NOT NULL CHECK(direction IN (-1, 1)), PRIMARY KEY(run_id, first_index)) STRICT, WITHOUT ROWID;" APPEND_ONLY(
        "run_stroke") "CREATE TABLE point_detail("
                      "  point_id INTEGER NOT NULL REFERENCES friction_point(id), result_json TEXT NOT NULL,"
                      "  PRIMARY KEY(point_id)) STRICT, WITHOUT ROWID;" APPEND_ONLY("point_detail");

/* How a law runs over the load, and what its knots share. Laws from before are curves of straight chords. */
static const char step_law_model[] =
    "ALTER TABLE friction_law ADD COLUMN model TEXT NOT NULL DEFAULT 'curve' CHECK(model IN "
    "('curve','coulomb','power','offset'));"
    "ALTER TABLE friction_law ADD COLUMN bend REAL NOT NULL DEFAULT 0 CHECK(bend >= 0 AND bend <= 1);"
    "ALTER TABLE friction_law ADD COLUMN offset_N REAL NOT NULL DEFAULT 0 CHECK(offset_N >= 0);"
    "ALTER TABLE friction_law ADD COLUMN speed_m_per_s REAL CHECK(speed_m_per_s >= 0);"
    "CREATE TABLE friction_shared("
    "  law_id INTEGER NOT NULL REFERENCES friction_law(id), part INTEGER NOT NULL CHECK(part >= 0), source "
    "TEXT NOT NULL,"
    "  exponent_below REAL NOT NULL, exponent_above REAL NOT NULL, PRIMARY KEY(law_id, part)) STRICT, "
    "WITHOUT ROWID;"
    "CREATE TABLE friction_shared_knot("
    "  law_id INTEGER NOT NULL REFERENCES friction_law(id), part INTEGER NOT NULL CHECK(part >= 0),"
    "  normal_force_N REAL NOT NULL CHECK(normal_force_N > 0), f00_N REAL NOT NULL, f01_N REAL NOT NULL, "
    "f11_N REAL NOT NULL,"
    "  PRIMARY KEY(law_id, part, normal_force_N)) STRICT, WITHOUT ROWID;" APPEND_ONLY("friction_shared")
        APPEND_ONLY("friction_shared_knot");

/* Cloth on cloth: the body has directions as well, and a law of two tensors. */
static const char step_self_friction[] =
    "ALTER TABLE run ADD COLUMN body_angle_deg REAL;"
    "CREATE TRIGGER run_body_angle_stays BEFORE UPDATE OF body_angle_deg ON run"
    "  BEGIN SELECT RAISE(ABORT, 'the conditions of a run are append-only'); END;"
    "CREATE TABLE self_friction_law("
    "  id INTEGER PRIMARY KEY, cloth_id INTEGER NOT NULL REFERENCES material(id), body_id INTEGER NOT NULL "
    "REFERENCES material(id),"
    "  form TEXT NOT NULL CHECK(form IN ('mean','product')),"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), result_json TEXT "
    "NOT NULL,"
    "  method TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX self_friction_law_by_pair ON self_friction_law(cloth_id, body_id);"
    "CREATE TABLE self_friction_law_input("
    "  law_id INTEGER NOT NULL REFERENCES self_friction_law(id), point_id INTEGER NOT NULL REFERENCES "
    "friction_point(id),"
    "  PRIMARY KEY(law_id, point_id)) STRICT, WITHOUT ROWID;" APPEND_ONLY("self_friction_law")
        APPEND_ONLY("self_friction_law_input");

/* Drapes of one cloth: what each shadow comes to. */
static const char step_drape[] =
    "CREATE TABLE drape_measurement("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, material_id INTEGER NOT NULL REFERENCES "
    "material(id), capture TEXT NOT NULL,"
    "  method TEXT NOT NULL CHECK(method IN ('silhouette','mesh')), support_m REAL NOT NULL CHECK(support_m "
    "> 0),"
    "  specimen_m REAL NOT NULL CHECK(specimen_m > support_m), drape_coefficient REAL NOT NULL,"
    "  u_drape_coefficient REAL NOT NULL CHECK(u_drape_coefficient >= 0), nodes INTEGER NOT NULL CHECK(nodes "
    ">= 0),"
    "  node_height_m REAL NOT NULL CHECK(node_height_m >= 0), area_m2 REAL NOT NULL CHECK(area_m2 > 0),"
    "  pixel_m REAL NOT NULL CHECK(pixel_m > 0), u_scale_rel REAL NOT NULL CHECK(u_scale_rel >= 0),"
    "  scale_from TEXT NOT NULL CHECK(scale_from IN ('given','disc','assumed','mesh')), profile_m_json TEXT "
    "NOT NULL,"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), source TEXT NOT "
    "NULL,"
    "  file_fingerprint TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX drape_measurement_by_material ON drape_measurement(material_id);" APPEND_ONLY(
        "drape_measurement");

/* What bodies are made of: another kind of law (a CHECK cannot be altered, so the table is made anew, and the
 * one that refers to it). */
static const char step_elasticity[] =
    "ALTER TABLE material_law_input RENAME TO material_law_input_11;"
    "ALTER TABLE material_law RENAME TO material_law_11;"
    "CREATE TABLE material_law("
    "  id INTEGER PRIMARY KEY, material_id INTEGER NOT NULL REFERENCES material(id),"
    "  kind TEXT NOT NULL CHECK(kind IN ('permeability','stretch','bending','elasticity')), form TEXT NOT NULL,"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), source TEXT NOT NULL, result_json TEXT NOT NULL,"
    "  method TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE TABLE material_law_input("
    "  law_id INTEGER NOT NULL REFERENCES material_law(id), test_id INTEGER NOT NULL REFERENCES material_test(id),"
    "  PRIMARY KEY(law_id, test_id)) STRICT, WITHOUT ROWID;"
    "INSERT INTO material_law SELECT * FROM material_law_11;"
    "INSERT INTO material_law_input SELECT * FROM material_law_input_11;"
    "DROP TABLE material_law_input_11;"
    "DROP TABLE material_law_11;"
    "CREATE INDEX material_law_by_material ON material_law(material_id, kind);" APPEND_ONLY("material_law") APPEND_ONLY("material_law_input")
    "CREATE TRIGGER elasticity_of_bodies BEFORE INSERT ON material_law WHEN NEW.kind = 'elasticity'"
    "  AND (SELECT kind FROM material WHERE id = NEW.material_id) <> 'body'"
    "  BEGIN SELECT RAISE(ABORT, 'elasticity is a law of bodies'); END;";

/* Seals of all rows (cb_seal.h). The rows of an older file are sealed by the upgrade, as they are. */
static const char step_seal[] =
    "CREATE TABLE seal("
    "  tab TEXT NOT NULL, owner INTEGER NOT NULL, n INTEGER NOT NULL CHECK(n >= 0), hash INTEGER NOT NULL,"
    "  PRIMARY KEY(tab, owner)) STRICT, WITHOUT ROWID;";

/* Drapes of which only the coefficient was published: NULL is what nobody saw. Verdicts on what is no run: a
 * drape, a stack of layers, a strip. (A CHECK and a NOT NULL cannot be altered, so the tables are made anew.)
 */
#define DRAPE_COLUMNS                                                                                       \
  "id, uuid, material_id, capture, method, support_m, specimen_m, drape_coefficient, u_drape_coefficient, " \
  "nodes, node_height_m, area_m2, pixel_m, u_scale_rel, scale_from, profile_m_json, origin, source, "       \
  "file_fingerprint, program_version, created_at"
static const char step_verdicts[] =
    "ALTER TABLE material ADD COLUMN u_areal_density_kg_per_m2 REAL CHECK(u_areal_density_kg_per_m2 >= 0);"
    "ALTER TABLE material ADD COLUMN u_thickness_m REAL CHECK(u_thickness_m >= 0);"
    "ALTER TABLE drape_measurement RENAME TO drape_measurement_13;"
    "CREATE TABLE drape_measurement("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, material_id INTEGER NOT NULL REFERENCES "
    "material(id), capture TEXT NOT NULL,"
    "  method TEXT NOT NULL CHECK(method IN ('silhouette','mesh','typed')), support_m REAL NOT NULL "
    "CHECK(support_m > 0),"
    "  specimen_m REAL NOT NULL CHECK(specimen_m > support_m), drape_coefficient REAL NOT NULL,"
    "  u_drape_coefficient REAL NOT NULL CHECK(u_drape_coefficient >= 0), nodes INTEGER CHECK(nodes >= 0),"
    "  node_height_m REAL CHECK(node_height_m >= 0), area_m2 REAL CHECK(area_m2 > 0),"
    "  pixel_m REAL CHECK(pixel_m > 0), u_scale_rel REAL CHECK(u_scale_rel >= 0),"
    "  scale_from TEXT CHECK(scale_from IN ('given','disc','assumed','mesh')), profile_m_json TEXT,"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), source TEXT NOT "
    "NULL, file_fingerprint TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT NULL,"
    "  CHECK(method = 'typed' OR (nodes IS NOT NULL AND node_height_m IS NOT NULL AND area_m2 IS NOT NULL "
    "AND "
    "pixel_m IS NOT NULL AND u_scale_rel IS NOT NULL AND scale_from IS NOT NULL AND profile_m_json IS NOT "
    "NULL))) STRICT;"
    "INSERT INTO drape_measurement(" DRAPE_COLUMNS ") SELECT " DRAPE_COLUMNS
    " FROM drape_measurement_13;"
    "DROP TABLE drape_measurement_13;"
    "CREATE INDEX drape_measurement_by_material ON drape_measurement(material_id);" APPEND_ONLY(
        "drape_measurement")
    "ALTER TABLE validation RENAME TO validation_13;"
    "CREATE TABLE validation("
    "  id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, run_id INTEGER REFERENCES run(id),"
    "  cloth_id INTEGER NOT NULL REFERENCES material(id), body_id INTEGER REFERENCES material(id),"
    "  law_static_id INTEGER REFERENCES friction_law(id), law_kinetic_id INTEGER REFERENCES friction_law(id),"
    "  pass INTEGER NOT NULL CHECK(pass IN (0, 1)), worst_en REAL NOT NULL, result_json TEXT NOT NULL,"
    "  program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "INSERT INTO validation SELECT v.id, v.experiment, v.run_id, r.cloth_id, r.body_id, v.law_static_id, "
    "v.law_kinetic_id, v.pass, v.worst_en, v.result_json, v.program_version, v.created_at"
    "  FROM validation_13 v JOIN run r ON r.id = v.run_id;"
    "DROP TABLE validation_13;"
    "CREATE INDEX validation_by_run ON validation(run_id);"
    "CREATE INDEX validation_by_cloth ON validation(cloth_id);" APPEND_ONLY("validation")
    "CREATE TABLE validation_law("
    "  validation_id INTEGER NOT NULL REFERENCES validation(id), law_id INTEGER NOT NULL REFERENCES "
    "material_law(id),"
    "  PRIMARY KEY(validation_id, law_id)) STRICT, WITHOUT ROWID;" APPEND_ONLY("validation_law")
    "CREATE TABLE validation_test("
    "  validation_id INTEGER NOT NULL REFERENCES validation(id), test_id INTEGER NOT NULL REFERENCES "
    "material_test(id),"
    "  PRIMARY KEY(validation_id, test_id)) STRICT, WITHOUT ROWID;" APPEND_ONLY("validation_test")
    "CREATE TABLE validation_drape("
    "  validation_id INTEGER NOT NULL REFERENCES validation(id), drape_id INTEGER NOT NULL REFERENCES "
    "drape_measurement(id),"
    "  PRIMARY KEY(validation_id, drape_id)) STRICT, WITHOUT ROWID;" APPEND_ONLY("validation_drape");

/* What a person says of a run afterwards. The run itself stays as it was. */
static const char step_correction[] =
    "CREATE TABLE correction("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, run_id INTEGER NOT NULL REFERENCES run(id),"
    "  kind TEXT NOT NULL CHECK(kind IN ('void','unvoid','note')), reason TEXT NOT NULL CHECK(reason <> ''),"
    "  operator_name TEXT NOT NULL CHECK(operator_name <> ''), program_version TEXT NOT NULL, created_at "
    "TEXT "
    "NOT NULL) STRICT;"
    "CREATE INDEX correction_by_run ON correction(run_id);" APPEND_ONLY("correction");

/* Curves of shear and of compression: two more kinds of test (a CHECK cannot be altered, so the table is made
 * anew; its rows come back before the references to them are looked at, at the end of the transaction).
 * Figures of a material that somebody stated and no law is made of. */
#define TEST_COLUMNS                                                                                  \
  "id, uuid, material_id, kind, method, specimen, direction_deg, repeat, layers, area_m2, length_m, " \
  "width_m, areal_density_kg_per_m2, temperature_degC, u_x_rel, u_y_rel, x_digit, y_digit, origin, "  \
  "source, mapping_text, file_fingerprint, program_version, created_at"
#define TEST_KINDS(kinds)                                                                                   \
  "PRAGMA defer_foreign_keys = ON;"                                                                         \
  "CREATE TABLE material_test_14 AS SELECT * FROM material_test;"                                           \
  "DROP TABLE material_test;"                                                                               \
  "CREATE TABLE material_test("                                                                             \
  "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, material_id INTEGER NOT NULL REFERENCES "           \
  "material(id),"                                                                                           \
  "  kind TEXT NOT NULL CHECK(kind IN "                                                                     \
  "(" kinds                                                                                                 \
  ")),"                                                                                                     \
  "  method TEXT NOT NULL, specimen TEXT NOT NULL, direction_deg REAL, repeat INTEGER NOT NULL "            \
  "CHECK(repeat >= 1),"                                                                                     \
  "  layers INTEGER NOT NULL CHECK(layers >= 1), area_m2 REAL CHECK(area_m2 > 0), length_m REAL "           \
  "CHECK(length_m > 0),"                                                                                    \
  "  width_m REAL CHECK(width_m > 0), areal_density_kg_per_m2 REAL CHECK(areal_density_kg_per_m2 > 0), "    \
  "temperature_degC REAL,"                                                                                  \
  "  u_x_rel REAL NOT NULL CHECK(u_x_rel >= 0), u_y_rel REAL NOT NULL CHECK(u_y_rel >= 0),"                 \
  "  x_digit REAL NOT NULL CHECK(x_digit >= 0), y_digit REAL NOT NULL CHECK(y_digit >= 0),"                 \
  "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), source TEXT NOT " \
  "NULL,"                                                                                                   \
  "  mapping_text TEXT NOT NULL, file_fingerprint TEXT NOT NULL, program_version TEXT NOT NULL, "           \
  "created_at TEXT NOT NULL) STRICT;"                                                                       \
  "INSERT INTO material_test(" TEST_COLUMNS ") SELECT " TEST_COLUMNS                                        \
  " FROM material_test_14;"                                                                                 \
  "DROP TABLE material_test_14;"                                                                            \
  "CREATE INDEX material_test_by_material ON material_test(material_id, kind);" APPEND_ONLY("material_test")
static const char step_figures[] =
    TEST_KINDS("'permeability','stretch','cantilever','bending-moment','shear','compression'")
        CURVE("shear_point", "shear_angle_rad", "shear_force_N_per_m")
            CURVE("compression_point", "pressure_Pa", "thickness_m")
    "CREATE TABLE material_figure("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, material_id INTEGER NOT NULL REFERENCES "
    "material(id),"
    "  name TEXT NOT NULL CHECK(name <> ''), value REAL NOT NULL, u REAL CHECK(u >= 0), unit TEXT NOT NULL "
    "CHECK(unit <> ''),"
    "  conditions TEXT NOT NULL, method TEXT NOT NULL,"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), source TEXT NOT "
    "NULL,"
    "  file_fingerprint TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX material_figure_by_material ON material_figure(material_id);" APPEND_ONLY("material_figure");

/* Conditions amended by a person, and names: what a run and a material are now. The rows themselves stay as
 * they were typed. */
#define AMENDED(column)                                                                   \
  "ifnull((SELECT x.value FROM correction x WHERE x.run_id = r.id AND x.field = '" column \
  "' ORDER BY x.created_at DESC, x.id DESC LIMIT 1), r." column ")"
#define AMENDED_MATERIAL(field, column)                                                                    \
  "(SELECT m.is_id FROM material_now m WHERE m.id = ifnull((SELECT x.material_id FROM correction x WHERE " \
  "x.run_id = r.id AND x.field = '" field "' ORDER BY x.created_at DESC, x.id DESC LIMIT 1), r." column "))"
#define SAID_OF_MATERIAL(column, kind)                                                       \
  "(SELECT n." column " FROM material_name n WHERE n.material_id = m.id AND n.kind = '" kind \
  "' ORDER BY n.created_at DESC, n.id DESC LIMIT 1)"
#define MASS_RATIO                                                                                  \
  "CASE WHEN r.cart_mass_kg + r.added_mass_kg > 0 AND NOT EXISTS(SELECT 1 FROM correction x WHERE " \
  "x.run_id = r.id AND x.field = 'normal_force_N') THEN (" AMENDED("cart_mass_kg") " + " AMENDED(   \
      "added_mass_kg") ") / (r.cart_mass_kg + r.added_mass_kg) ELSE 1.0 END"
/* A force that was typed wrongly is amended itself; a wrong mass scales it. */
#define RUN_NOW(ratio, more) \
  "CREATE VIEW run_now AS SELECT r.id, r.uuid, r.campaign_id," \
    "  " AMENDED_MATERIAL("cloth", "cloth_id") " AS cloth_id," \
    "  " AMENDED_MATERIAL("body", "body_id") " AS body_id, r.rig_id, r.calibration_id, r.kind," \
    "  " AMENDED("angle_deg") " AS angle_deg, " AMENDED("cart_mass_kg") " AS cart_mass_kg," \
    "  " AMENDED("added_mass_kg") " AS added_mass_kg," \
    "  " AMENDED("normal_force_N") " * (" ratio ") AS normal_force_N," \
    "  r.u_normal_force_N * (" ratio ") AS u_normal_force_N," \
    "  " AMENDED("contact_area_m2") " AS contact_area_m2, " AMENDED("incline_deg") " AS incline_deg," \
    "  " AMENDED("speed_m_per_s") " AS speed_m_per_s, r.travel_m, r.direction, r.repeat, r.rate_Hz," \
    " r.origin," \
    "  r.source, r.program_version, r.started_at, r.finished_at, r.status, r.reason, r.flags," \
    "  " AMENDED("body_angle_deg") " AS body_angle_deg" more " FROM run r;"
static const char step_names[] =
    "CREATE TABLE correction_16 AS SELECT * FROM correction;"
    "DROP TABLE correction;"
    "CREATE TABLE correction("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, run_id INTEGER NOT NULL REFERENCES run(id),"
    "  kind TEXT NOT NULL CHECK(kind IN ('void','unvoid','note','amend')), field TEXT NOT NULL DEFAULT '',"
    "  value REAL, material_id INTEGER REFERENCES material(id), reason TEXT NOT NULL CHECK(reason <> ''),"
    "  operator_name TEXT NOT NULL CHECK(operator_name <> ''), program_version TEXT NOT NULL,"
    "  created_at TEXT NOT NULL, CHECK((kind = 'amend') = (field <> '')),"
    "  CHECK((kind = 'amend') = ((value IS NULL) <> (material_id IS NULL)))) STRICT;"
    "INSERT INTO correction(id, uuid, run_id, kind, reason, operator_name, program_version, created_at)"
    "  SELECT id, uuid, run_id, kind, reason, operator_name, program_version, created_at FROM correction_16;"
    "DROP TABLE correction_16;"
    "CREATE INDEX correction_by_run ON correction(run_id);"
    "CREATE INDEX correction_by_material ON correction(material_id);" APPEND_ONLY("correction")
    "CREATE TABLE material_name("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, material_id INTEGER NOT NULL REFERENCES "
    "material(id),"
    "  kind TEXT NOT NULL CHECK(kind IN ('name','alias','same')), name TEXT NOT NULL,"
    "  same_id INTEGER REFERENCES material(id), reason TEXT NOT NULL CHECK(reason <> ''),"
    "  operator_name TEXT NOT NULL CHECK(operator_name <> ''), program_version TEXT NOT NULL,"
    "  created_at TEXT NOT NULL, CHECK((kind = 'same') = (same_id IS NOT NULL)),"
    "  CHECK((kind = 'same') = (name = ''))) STRICT;"
    "CREATE INDEX material_name_by_material ON material_name(material_id);" APPEND_ONLY("material_name")
    "CREATE VIEW material_now AS SELECT m.id, m.kind,"
    "  ifnull(" SAID_OF_MATERIAL("name", "name") ", m.name) AS name, m.name AS first_name, m.composition,"
    "  m.weave, m.areal_density_kg_per_m2, m.u_areal_density_kg_per_m2, m.thickness_m, m.u_thickness_m,"
    "  m.source, m.origin, ifnull(" SAID_OF_MATERIAL("same_id", "same") ", m.id) AS is_id FROM material m;"
    RUN_NOW(MASS_RATIO, "");

/* For people who ask (docs/guide/query.md): names in place of ids, units in the names of columns, corrections
 * applied. */
#define NAME_OF(column) \
  "(SELECT c.name FROM material_now m JOIN material_now c ON c.id = m.is_id WHERE m.id = " column ")"
#define STATUS_NOW                                                                                    \
  "CASE WHEN (SELECT x.kind = 'void' FROM correction x WHERE x.run_id = r.id AND x.kind IN ('void', " \
  "'unvoid') ORDER BY x.created_at DESC, x.id DESC LIMIT 1) THEN 'voided' ELSE r.status END"
#define V_RUN(more) \
  "CREATE VIEW v_run AS SELECT r.id AS run_id, r.campaign_id, c.name AS campaign," \
    "  " NAME_OF("r.cloth_id") " AS cloth, (SELECT d.cloth_lot FROM conditioning d WHERE d.campaign_id =" \
    "  r.campaign_id) AS lot, " NAME_OF("r.body_id") " AS body, " more "r.kind, r.angle_deg," \
    " r.body_angle_deg," \
    "  1e3 * r.added_mass_kg AS added_mass_g, r.normal_force_N, 1e3 * r.speed_m_per_s AS speed_mm_per_s," \
    "  CASE WHEN r.direction < 0 THEN 'backward' ELSE 'forward' END AS direction, r.repeat, r.origin," \
    "  " STATUS_NOW " AS status, r.flags, c.operator_name AS operator, r.source, r.started_at" \
    "  FROM run_now r JOIN campaign c ON c.id = r.campaign_id;"
static const char step_views[] =
    V_RUN("")
    "CREATE VIEW v_point AS SELECT v.run_id, v.campaign_id, v.cloth, v.lot, v.body, v.angle_deg,"
    "  v.body_angle_deg, v.normal_force_N, p.static_N, p.u_static_N, p.static_N / v.normal_force_N AS mu_static,"
    "  p.kinetic_N, p.u_kinetic_N, p.kinetic_N / v.normal_force_N AS mu_kinetic, v.direction, v.repeat, v.origin,"
    "  v.status, v.started_at FROM v_run v JOIN friction_point p ON p.id ="
    "  (SELECT max(id) FROM friction_point WHERE run_id = v.run_id);"
    "CREATE VIEW v_mu AS SELECT cloth, body, kind, angle_deg, body_angle_deg, normal_force_N, avg(mu) AS mu,"
    "  sqrt(max(0, (avg(mu * mu) - avg(mu) * avg(mu)) * count(*) / nullif(count(*) - 1, 0))) AS sd_mu,"
    "  count(*) AS n_runs, origin, max(started_at) AS newest FROM (SELECT cloth, body, 'kinetic' AS kind,"
    "  angle_deg, body_angle_deg, round(normal_force_N, 4) AS normal_force_N, abs(mu_kinetic) AS mu, origin,"
    "  started_at, status FROM v_point UNION ALL SELECT cloth, body, 'static', angle_deg, body_angle_deg,"
    "  round(normal_force_N, 4), abs(mu_static), origin, started_at, status FROM v_point)"
    "  WHERE status = 'done' AND mu IS NOT NULL"
    "  GROUP BY cloth, body, kind, angle_deg, body_angle_deg, normal_force_N, origin;"
    "CREATE VIEW v_law AS SELECT 'friction' AS law, kind, " NAME_OF("cloth_id") " AS material,"
    "  " NAME_OF("body_id") " AS body, form, origin, id AS law_id, created_at FROM friction_law"
    "  UNION ALL SELECT 'self-friction', 'kinetic', " NAME_OF("cloth_id") ", " NAME_OF("body_id") ", form,"
    "  origin, id, created_at FROM self_friction_law"
    "  UNION ALL SELECT kind, '', " NAME_OF("material_id") ", '', form, origin, id, created_at"
    "  FROM material_law;"
    "CREATE VIEW v_material AS SELECT m.kind, m.name, m.composition, m.weave,"
    "  1e3 * m.areal_density_kg_per_m2 AS areal_density_g_per_m2, 1e3 * m.thickness_m AS thickness_mm,"
    "  (SELECT count(*) FROM run r WHERE r.cloth_id = m.id OR r.body_id = m.id) AS n_runs,"
    "  (SELECT count(*) FROM material_test t WHERE t.material_id = m.id) AS n_tests,"
    "  (SELECT count(*) FROM drape_measurement d WHERE d.material_id = m.id) AS n_drapes, m.origin, m.source"
    "  FROM material_now m WHERE m.is_id = m.id;"
    "CREATE VIEW v_verdict AS SELECT v.id AS verdict_id, v.experiment, " NAME_OF("v.cloth_id") " AS cloth,"
    "  " NAME_OF("v.body_id") " AS body, v.run_id, v.pass, v.worst_en, v.program_version, v.created_at"
    "  FROM validation v;";

/* Pieces of a cloth, their log, and which of them a run was pulled with. */
static const char step_specimen[] =
    "CREATE TABLE specimen("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, name TEXT NOT NULL CHECK(name <> ''),"
    "  material_id INTEGER NOT NULL REFERENCES material(id), lot TEXT NOT NULL, side TEXT CHECK(side IN "
    "('face','back')), cut_deg REAL, washes INTEGER CHECK(washes >= 0), note TEXT NOT NULL,"
    "  operator_name TEXT NOT NULL CHECK(operator_name <> ''), program_version TEXT NOT NULL,"
    "  created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX specimen_by_material ON specimen(material_id);" APPEND_ONLY("specimen")
    "CREATE TABLE specimen_log("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, specimen_id INTEGER NOT NULL REFERENCES "
    "specimen(id),"
    "  kind TEXT NOT NULL CHECK(kind IN ('condition','wash')), text TEXT NOT NULL CHECK(text <> ''),"
    "  operator_name TEXT NOT NULL CHECK(operator_name <> ''), program_version TEXT NOT NULL,"
    "  created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX specimen_log_by_specimen ON specimen_log(specimen_id);" APPEND_ONLY("specimen_log")
    "ALTER TABLE run ADD COLUMN specimen_id INTEGER REFERENCES specimen(id);"
    "CREATE TRIGGER run_specimen_stays BEFORE UPDATE OF specimen_id ON run"
    "  BEGIN SELECT RAISE(ABORT, 'the conditions of a run are append-only'); END;"
    "DROP VIEW run_now;" RUN_NOW(MASS_RATIO, ", r.specimen_id")
    "DROP VIEW v_run;" V_RUN("(SELECT p.name FROM specimen p WHERE p.id = r.specimen_id) AS specimen, ")
    "CREATE VIEW v_specimen AS SELECT p.name AS specimen, upper(substr(p.uuid, 1, 8)) AS mark,"
    "  " NAME_OF("p.material_id") " AS cloth, p.lot, p.side, p.cut_deg, p.washes + (SELECT count(*) FROM"
    "  specimen_log l WHERE l.specimen_id = p.id AND l.kind = 'wash') AS washes,"
    "  (SELECT l.text FROM specimen_log l WHERE l.specimen_id = p.id AND l.kind = 'condition' ORDER BY"
    "  l.created_at DESC, l.id DESC LIMIT 1) AS conditioned,"
    "  (SELECT count(*) FROM run r WHERE r.specimen_id = p.id) AS n_runs, p.note,"
    "  p.operator_name AS operator, p.created_at FROM specimen p;";

/* Curves of buckled strips: one more kind of test. */
static const char step_buckling[] =
    TEST_KINDS("'permeability','stretch','cantilever','bending-moment','shear','compression','buckling'")
        CURVE("buckling_point", "shortening_m", "force_N");

/* Laws of any kind: laws/include/law.h says which there are and whose, and the store asks it. */
#define LAW_COLUMNS \
  "id, material_id, kind, form, origin, source, result_json, method, program_version, created_at"
static const char step_law_kinds[] =
    "PRAGMA defer_foreign_keys = ON;"
    "CREATE TABLE material_law_20 AS SELECT * FROM material_law;"
    "DROP TABLE material_law;"
    "CREATE TABLE material_law("
    "  id INTEGER PRIMARY KEY, material_id INTEGER NOT NULL REFERENCES material(id),"
    "  kind TEXT NOT NULL CHECK(kind <> ''), form TEXT NOT NULL,"
    "  origin TEXT NOT NULL CHECK(origin IN ('measured','imported','virtual','simulated')), source TEXT NOT "
    "NULL,"
    "  result_json TEXT NOT NULL, method TEXT NOT NULL, program_version TEXT NOT NULL, created_at TEXT NOT "
    "NULL)"
    " STRICT;"
    "INSERT INTO material_law(" LAW_COLUMNS ") SELECT " LAW_COLUMNS
    " FROM material_law_20;"
    "DROP TABLE material_law_20;"
    "CREATE INDEX material_law_by_material ON material_law(material_id, kind);" APPEND_ONLY("material_law");

/* The numbers of laws by which materials are found: written from the laws' texts (cb_store_law_number.c). A
 * material stands for all that are it; of its laws of a kind the newest counts. */
#define NUMBER(column, unit, name)                                         \
  ", max(v.value) FILTER(WHERE v.name = '" name "') * " unit " AS " column \
  ", max(v.u) FILTER"                                                      \
  "(WHERE v.name = '" name "') * " unit " AS u_" column
#define KNOWN(column) "  x." column ", x.u_" column ","
static const char step_numbers[] =
    "CREATE TABLE law_number("
    "  law_id INTEGER NOT NULL REFERENCES material_law(id), name TEXT NOT NULL CHECK(name <> ''),"
    "  value REAL NOT NULL, u REAL CHECK(u >= 0), dof REAL CHECK(dof > 0), PRIMARY KEY(law_id, name)) STRICT,"
    "  WITHOUT ROWID;"
    "CREATE INDEX run_by_body ON run(body_id);"
    "DROP VIEW v_law;"
    "CREATE VIEW v_law AS SELECT 'F' || id AS ref, 'friction' AS law, kind, " NAME_OF("cloth_id") " AS material,"
    "  " NAME_OF("body_id") " AS body, form, origin, id AS law_id, created_at FROM friction_law"
    "  UNION ALL SELECT 'T' || id, 'self-friction', 'kinetic', " NAME_OF("cloth_id") ", " NAME_OF("body_id") ","
    "  form, origin, id, created_at FROM self_friction_law"
    "  UNION ALL SELECT upper(substr(kind, 1, 1)) || id, kind, '', " NAME_OF("material_id") ", '', form,"
    "  origin, id, created_at FROM material_law;"
    "DROP VIEW v_material;"
    "CREATE VIEW v_material AS WITH a AS MATERIALIZED (SELECT id, is_id FROM material_now),"
    "  newest AS MATERIALIZED (SELECT a.is_id AS m, l.kind, max(l.id) AS law FROM material_law l JOIN a ON"
    "    a.id = l.material_id GROUP BY 1, 2),"
    "  number AS MATERIALIZED (SELECT n.m"
    NUMBER("stretch_warp_N_per_m", "1", "stretch_warp_N_per_m")
    NUMBER("stretch_weft_N_per_m", "1", "stretch_weft_N_per_m")
    NUMBER("shear_N_per_m", "1", "shear_N_per_m") NUMBER("bending_warp_uNm", "1e6", "bending_warp_Nm")
    NUMBER("bending_weft_uNm", "1e6", "bending_weft_Nm") NUMBER("air_mm_per_s", "1e3", "air_m_per_s")
    "    FROM newest n JOIN law_number v ON v.law_id = n.law GROUP BY 1),"
    "  law AS MATERIALIZED (SELECT m, group_concat(kind) AS kinds FROM (SELECT m, kind FROM newest UNION"
    "    SELECT a.is_id, 'friction' FROM friction_law f JOIN a ON a.id IN (f.cloth_id, f.body_id) UNION"
    "    SELECT a.is_id, 'self-friction' FROM self_friction_law f JOIN a ON a.id IN (f.cloth_id, f.body_id)"
    "    ORDER BY 1, 2) GROUP BY 1),"
    "  test AS MATERIALIZED (SELECT a.is_id AS m, count(*) AS n, avg(t.areal_density_kg_per_m2) FILTER(WHERE"
    "    t.areal_density_kg_per_m2 > 0) AS mass FROM material_test t JOIN a ON a.id = t.material_id GROUP BY 1),"
    "  drape AS MATERIALIZED (SELECT a.is_id AS m, count(*) AS n, avg(d.drape_coefficient) AS mean,"
    "    avg(d.drape_coefficient * d.drape_coefficient) AS square, avg(d.u_drape_coefficient) AS u"
    "    FROM drape_measurement d JOIN a ON a.id = d.material_id GROUP BY 1),"
    "  pull AS MATERIALIZED (SELECT a.is_id AS m, sum(n) AS n FROM (SELECT cloth_id AS id, count(*) AS n FROM"
    "    run GROUP BY 1 UNION ALL SELECT body_id, count(*) FROM run GROUP BY 1) r JOIN a ON a.id = r.id"
    "    GROUP BY 1)"
    "  SELECT m.kind, m.name, m.composition, m.weave,"
    "  1e3 * ifnull(m.areal_density_kg_per_m2, test.mass) AS areal_density_g_per_m2,"
    "  1e3 * m.u_areal_density_kg_per_m2 AS u_areal_density_g_per_m2,"
    "  1e3 * m.thickness_m AS thickness_mm, 1e3 * m.u_thickness_m AS u_thickness_mm," KNOWN(
        "stretch_warp_N_per_m") KNOWN("stretch_weft_N_per_m") KNOWN("shear_N_per_m") KNOWN("bending_warp_uNm")
        KNOWN("bending_weft_uNm") KNOWN("air_mm_per_s")
    "  drape.mean AS drape_coefficient, sqrt(drape.u * drape.u + max(0, ifnull((drape.square - drape.mean *"
    "  drape.mean) / nullif(drape.n - 1, 0), 0))) AS u_drape_coefficient, law.kinds AS laws,"
    "  ifnull(pull.n, 0) AS n_runs, ifnull(test.n, 0) AS n_tests, ifnull(drape.n, 0) AS n_drapes, m.origin,"
    "  m.source FROM material_now m LEFT JOIN number x ON x.m = m.id LEFT JOIN law ON law.m = m.id"
    "  LEFT JOIN test ON test.m = m.id LEFT JOIN drape ON drape.m = m.id LEFT JOIN pull ON pull.m = m.id"
    "  WHERE m.is_id = m.id;";

/* Runs of a pair, and those that are flagged, are counted without reading them. */
static const char step_counting[] =
    "DROP INDEX run_by_pair;"
    "CREATE INDEX run_by_pair ON run(cloth_id, body_id, kind, status, body_angle_deg);"
    "CREATE INDEX run_flagged ON run(campaign_id) WHERE flags <> '';";

/* The mean of what was measured alike. Names cost most, and so they are looked up once for each mean; LIMIT
 * -1 keeps SQLite from working out a corrected condition again wherever it is used. */
#define OF_KIND(column) "CASE k.kind WHEN 'kinetic' THEN g.k_" column " ELSE g.s_" column " END"
#define MEAN_OF(mu, as)                                                                     \
  "avg(" mu ") AS " as "_mean, avg(" mu " * " mu ") AS " as "_square, count(" mu ") AS " as \
  "_n, max(started_at) FILTER(WHERE " mu " IS NOT NULL) AS " as "_newest"
static const char step_means[] =
    "DROP VIEW run_now;" RUN_NOW("CASE WHEN EXISTS(SELECT 1 FROM correction x WHERE x.run_id = r.id AND x.field"
    "  IN ('cart_mass_kg', 'added_mass_kg')) THEN " MASS_RATIO " ELSE 1.0 END", ", r.specimen_id")
    "DROP VIEW v_mu;"
    "CREATE VIEW v_mu AS SELECT " NAME_OF("g.cloth_id") " AS cloth, " NAME_OF("g.body_id") " AS body, k.kind,"
    "  g.angle_deg, g.body_angle_deg, g.normal_force_N, " OF_KIND("mean") " AS mu,"
    "  sqrt(max(0, (" OF_KIND("square") " - " OF_KIND("mean") " * " OF_KIND("mean") ") * " OF_KIND("n")
    "  / nullif(" OF_KIND("n") " - 1, 0))) AS sd_mu, " OF_KIND("n") " AS n_runs, g.origin,"
    "  " OF_KIND("newest") " AS newest FROM (SELECT cloth_id, body_id, angle_deg, body_angle_deg,"
    "  round(normal_force_N, 4) AS normal_force_N, origin,"
    "  " MEAN_OF("abs(kinetic_N / normal_force_N)", "k") ", " MEAN_OF("abs(static_N / normal_force_N)", "s")
    "  FROM (SELECT r.cloth_id, r.body_id, r.angle_deg, r.body_angle_deg, r.normal_force_N, r.origin,"
    "  r.started_at, p.kinetic_N, p.static_N FROM run_now r JOIN friction_point p ON p.id ="
    "  (SELECT max(id) FROM friction_point WHERE run_id = r.id) WHERE " STATUS_NOW " = 'done' LIMIT -1)"
    "  GROUP BY 1, 2, 3, 4, 5, 6) g JOIN (SELECT 'kinetic' AS kind UNION ALL SELECT 'static') k"
    "  WHERE " OF_KIND("n") " > 0;";

/* What a predicted drape looks like: positions and triangles, packed (cb_store_shape.c). A newer shape takes
 * the place of none. */
static const char step_shape[] =
    "CREATE TABLE drape_shape("
    "  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, material_id INTEGER NOT NULL REFERENCES "
    "material(id),"
    "  stretch_law_id INTEGER REFERENCES material_law(id), bending_law_id INTEGER REFERENCES "
    "material_law(id),"
    "  support_m REAL NOT NULL CHECK(support_m > 0), specimen_m REAL NOT NULL CHECK(specimen_m > support_m),"
    "  drape_coefficient REAL NOT NULL, seed INTEGER NOT NULL, seeds INTEGER NOT NULL CHECK(seeds >= 1),"
    "  n_vertices INTEGER NOT NULL CHECK(n_vertices >= 3), n_triangles INTEGER NOT NULL CHECK(n_triangles >= "
    "1),"
    "  quantum_m REAL NOT NULL CHECK(quantum_m > 0), crc32 INTEGER NOT NULL, payload BLOB NOT NULL,"
    "  program_version TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;"
    "CREATE INDEX drape_shape_by_material ON drape_shape(material_id);" APPEND_ONLY("drape_shape");

/* What `rig live` saw is a run, of a campaign of its own, that knows no pair and has no point, so that
 * nothing can be fitted to it. Only what a column may hold changes: the text of the tables does, and no row
 * (sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes"). */
#define REWORD(table, from, to) \
  "UPDATE sqlite_master SET sql = replace(sql, '" from "', '" to "') WHERE name = '" table "';"
static const char step_look[] =
    "PRAGMA writable_schema = ON;" REWORD("campaign", "''import'')", "''import'',''look'')")
        REWORD("run", "''slide'')", "''slide'',''look'')") REWORD("run", "REAL NOT NULL", "REAL")
            REWORD("run", "INTEGER NOT NULL REFERENCES material", "INTEGER REFERENCES material")
                REWORD("run", ") STRICT",
                       ", CHECK(kind = ''look'' OR cloth_id + body_id + angle_deg + cart_mass_kg + added_mass_kg"
                       " + normal_force_N + u_normal_force_N + contact_area_m2 + incline_deg + speed_m_per_s"
                       " + travel_m + rate_Hz IS NOT NULL)) STRICT")
    "PRAGMA writable_schema = RESET;"
    "CREATE TRIGGER look_has_no_point BEFORE INSERT ON friction_point"
    "  WHEN (SELECT kind FROM run WHERE id = NEW.run_id) = 'look'"
    "  BEGIN SELECT RAISE(ABORT, 'a look has no point'); END;";

/* With thousands of laws and 10^5 runs: which materials friction laws are of, and which runs failed. */
#define OF_PAIR(table) table " f JOIN a ON a.id IN (f.cloth_id, f.body_id)"
#define OF_BOTH(table) \
  "(SELECT cloth_id AS id FROM " table " UNION SELECT body_id FROM " table ") f JOIN a ON a.id = f.id"
static const char step_large[] = "PRAGMA writable_schema = ON;" REWORD("v_material", OF_PAIR("self_friction_law"),
                                                                       OF_BOTH("self_friction_law"))
    REWORD("v_material", OF_PAIR("friction_law"), OF_BOTH("friction_law")) "PRAGMA writable_schema = RESET;"
    "CREATE INDEX run_failed ON run(status) WHERE flags <> '' OR status IN ('failed', 'aborted', "
    "'interrupted');";

const char *const cb_schema_steps[] = {step_1,
                                       step_2,
                                       step_3,
                                       step_calibration,
                                       step_storage,
                                       step_conditioning,
                                       step_material_test,
                                       step_trace,
                                       step_law_model,
                                       step_self_friction,
                                       step_drape,
                                       step_elasticity,
                                       step_seal,
                                       step_verdicts,
                                       step_correction,
                                       step_figures,
                                       step_names,
                                       step_views,
                                       step_specimen,
                                       step_buckling,
                                       step_law_kinds,
                                       step_numbers,
                                       step_counting,
                                       step_means,
                                       step_shape,
                                       step_look,
                                       step_large};
const int cb_schema_version = (int)(sizeof cb_schema_steps / sizeof cb_schema_steps[0]);
const uint64_t cb_schema_hash = UINT64_C(0x34bb962e178afc1e);
