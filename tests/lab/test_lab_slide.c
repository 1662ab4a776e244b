/* The verdict on a pull: its numbers against closed forms, a planted law against its own virtual pull and
 * against half as much again, the codec there and back, and all of it through a database. */
#include "cb_json.h"
#include "cb_num.h"
#include "fit_pull.h"
#include "lab_en.h"
#include "lab_slide_impl.h"
#include "lab_slide_seal.h"
#include "sim_sled.h"
#include "storetest.h"

/* ---- E_n ---- */

static void en_of_closed_forms(void **state) {
  (void)state;
  assert_true(lab_en(1.5, 0.3, 1.5, 0.1) == 0);
  assert_near(lab_en(3, 0.3, 2, 0.4), 2, 1e-12); /* 3, 4, 5 */
  assert_near(lab_en(2, 0.4, 3, 0.3), -2, 1e-12);
}

/* Student's t of two sides at 95 %: tables of the distribution. */
static void expanded_uncertainty(void **state) {
  (void)state;
  assert_near(lab_expanded_95(0.5, 0, 0), 0.5 * 1.959963984540054, 1e-9);
  assert_near(lab_expanded_95(0.5, 0.5, 0), 0.5 * 1.959963984540054, 1e-9); /* no degrees of freedom known */
  assert_near(lab_expanded_95(0.5, 0.5, 10), 0.5 * 2.2281388519649385, 1e-9);
  /* A part as large as the rest: u = sqrt 2 part, nu = 2.5 * 4 = 10. */
  assert_near(lab_expanded_95(sqrt(2), 1, 2.5), sqrt(2) * 2.2281388519649385, 1e-9);
  /* With two degrees of freedom t(p) = (2 p - 1) / sqrt(2 p (1 - p)), p = 0.975; 0.125 * 2^4 = 2. */
  assert_near(lab_expanded_95(2, 1, 0.125), 2 * 0.95 / sqrt(2 * 0.975 * 0.025), 1e-9);
}

/* ---- a planted law ---- */

#define MU 0.4
#define LOAD_N 1.0

static cb_friction_law coulomb(double mu) {
  cb_friction_law law = {.kind = CB_FRICTION_KINETIC,
                         .form = CB_FORM_ISOTROPIC,
                         .cloth = "Twill",
                         .body = "Foam",
                         .origin = CB_VIRTUAL,
                         .contact_area_m2 = 0.005,
                         .n_knots = 1,
                         .model = CB_MODEL_COULOMB,
                         .exponent = 1,
                         .u_rel_common = 0.002,
                         .dof = 12,
                         .speed_m_per_s = NAN};
  law.knots[0] = (cb_friction_knot){.normal_force_N = LOAD_N, .f_N = {mu * LOAD_N, 0, mu * LOAD_N}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) law.knots[0].cov_N2[i][k] = i == 1 || k == 1 ? 0 : 1e-6;
  return law;
}

static const cb_rig_bench bench = {.link_stiffness_N_per_m = 500,
                                   .link_slack_m = 0.002,
                                   .gravity_m_per_s2 = CB_STANDARD_GRAVITY_M_PER_S2,
                                   .u_angle_deg = 0.5};

static cb_run a_run(void) {
  return (cb_run){.kind = CB_RUN_SLIDE,
                  .angle_deg = 30,
                  .normal_force_N = LOAD_N,
                  .u_normal_force_N = 0.001,
                  .contact_area_m2 = 0.005,
                  .speed_m_per_s = 0.01,
                  .travel_m = 0.03,
                  .direction = 1,
                  .repeat = 1,
                  .rate_Hz = 400,
                  .origin = CB_VIRTUAL,
                  .source = "bench",
                  .status = CB_RUN_DONE};
}

/* A pull of a sled on that law, by a link of other damping than the prediction's best estimate. Caller:
 * cb_trace_clear. */
static cb_trace pull(double mu) {
  const cb_friction_law law = coulomb(mu);
  const cb_run run = a_run();
  sim_sled s = sim_sled_default();
  sim_sled_result r;
  s.gravity_m_per_s2 = bench.gravity_m_per_s2;
  s.mass_kg = LOAD_N / bench.gravity_m_per_s2;
  s.contact_area_m2 = run.contact_area_m2;
  s.kinetic_law = &law;
  s.pull = (sim_pull){.angle_rad = run.angle_deg * CB_DEG,
                      .stiffness_N_per_m = bench.link_stiffness_N_per_m,
                      .slack_m = bench.link_slack_m,
                      .damping_Ns_per_m = 2 * 0.8 * sqrt(bench.link_stiffness_N_per_m * s.mass_kg),
                      .profile = {0.2, run.travel_m, run.speed_m_per_s, 0.5}};
  s.duration_s = 3.6;
  s.rate_Hz = run.rate_Hz;
  s.step_s = 1e-3;
  assert_ok(sim_sled_run(&s, &r, err));
  cb_trace t = r.trace;
  r.trace = (cb_trace){0};
  sim_sled_result_clear(&r);
  return t;
}

static lab_slide_case a_case(double mu_of_law) {
  return (lab_slide_case){.run = a_run(),
                          .bench = bench,
                          .acceleration_m_per_s2 = 0.5,
                          .kinetic = coulomb(mu_of_law),
                          .calibration = {.u_rel = 0.002},
                          .kinetic_scatter = {.repeat_rel = 0.01, .placement_rel = 0.02, .dof = 4},
                          .restlessness_rel = 0.01,
                          .trace = pull(MU)};
}

static void the_law_of_the_pull_agrees(void **state) {
  (void)state;
  lab_slide_case c = a_case(MU);
  lab_slide_verdict v;
  assert_ok(lab_slide_compare(&c, &v, err));
  const lab_slide_quantity *q = &v.q[LAB_SLIDE_KINETIC_PLATEAU];
  assert_true(v.pass && v.worst_en < 0.5 && q->compared && fabs(q->en) < 1e-6);
  assert_near(q->predicted, MU * LOAD_N, 1e-4);
  assert_near(q->measured, MU * LOAD_N, 1e-4);
  assert_true(v.inside_measured_range && v.n_curve == LAB_SLIDE_CURVE_POINTS && v.model == LAB_SLIDE_SLED);
  /* No static law: its peak, and where it is, cannot be compared. */
  assert_true(!v.q[LAB_SLIDE_STATIC_PEAK].compared && isnan(v.q[LAB_SLIDE_STATIC_PEAK].measured));
  lab_slide_case_clear(&c);
}

/* What the verdict says of the plateau, worked out by hand. */
static void the_plateau_by_hand(void **state) {
  (void)state;
  lab_slide_case c = a_case(MU);
  lab_slide_verdict v;
  fit_pull m;
  const fit_pull_options opt = fit_pull_options_default();
  assert_ok(lab_slide_compare(&c, &v, err));
  assert_ok(fit_pull_reduce(&c.trace, 1, c.run.travel_m, &opt, &m, err));
  const lab_slide_quantity *q = &v.q[LAB_SLIDE_KINETIC_PLATEAU];
  double scatter = hypot(0.01, 0.02) * m.kinetic_N, calibration = 0.002 * m.kinetic_N;
  double u = sqrt(m.u_kinetic_N * m.u_kinetic_N + scatter * scatter + calibration * calibration);
  assert_true(q->measured == m.kinetic_N);
  assert_near(q->u_measured, u, 1e-12);
  assert_near(q->U_measured, lab_expanded_95(u, scatter, 4), 1e-12);
  assert_true(q->U_measured > 2.7 * u && q->U_measured < 2.7765 * u); /* t of 4 degrees of freedom and a
                                                                         little more */
  assert_near(
      q->en,
      (q->predicted - q->measured) / sqrt(q->U_predicted * q->U_predicted + q->U_measured * q->U_measured),
      1e-12);
  /* The prediction: 200 draws of the law (1 mN and 0.2 %), the load (0.1 %) and what does not touch the
   * plateau. */
  double u_law = hypot(1e-3, 0.002 * MU), u_load = 0.001 * MU;
  assert_near(q->u_predicted, hypot(u_law, u_load), 0.2 * hypot(u_law, u_load));
  /* A calibration that both share cancels. */
  c.calibration_shared = true;
  assert_ok(lab_slide_compare(&c, &v, err));
  assert_near(v.q[LAB_SLIDE_KINETIC_PLATEAU].u_measured, hypot(m.u_kinetic_N, scatter), 1e-12);
  lab_slide_case_clear(&c);
}

static void half_as_much_again_disagrees(void **state) {
  (void)state;
  lab_slide_case c = a_case(1.5 * MU);
  lab_slide_verdict v;
  assert_ok(lab_slide_compare(&c, &v, err));
  assert_true(!v.pass && v.worst_en > 3 && v.q[LAB_SLIDE_KINETIC_PLATEAU].en == v.worst_en);
  lab_slide_case_clear(&c);
}

static void a_trace_without_a_pull_is_refused(void **state) {
  (void)state;
  lab_slide_case c = a_case(MU);
  lab_slide_verdict v;
  for (size_t i = 0; i < c.trace.position_m.n; i++) c.trace.position_m.v[i] = 0;
  c.run.id = 7;
  assert_fails(CB_E_RANGE, "run 7 cannot be reduced: ", lab_slide_compare(&c, &v, err));
  lab_slide_case_clear(&c);
}

/* A cloth that is held at its edge gives way by F/2E until all of its square slides; held over its area it is
 * the sled. Both say how far they are from the sled. */
static void a_cloth_held_at_its_edge(void **state) {
  (void)state;
  lab_slide_case c = a_case(MU);
  lab_slide_verdict area, edge;
  const double stretch_N_per_m = 200, force_N = MU * LOAD_N;
  c.model = LAB_SLIDE_PRESCRIBED;
  c.cloth = malloc(sizeof *c.cloth);
  assert_non_null(c.cloth);
  *c.cloth = sim_material_isotropic(0.2, stretch_N_per_m, 1e-5);
  assert_ok(lab_slide_compare(&c, &area, err));
  c.sheet.grip = LAB_SLIDE_EDGE;
  c.has_static = true;
  c.stat = coulomb(1.2 * MU);
  assert_ok(lab_slide_compare(&c, &edge, err));
  const lab_slide_quantity *q = &area.q[LAB_SLIDE_KINETIC_PLATEAU];
  assert_true(area.pass && fabs(q->sled - q->predicted) < 1e-5 && fabs(lab_slide_from_sled(q)) < 0.01);
  assert_near(edge.q[LAB_SLIDE_KINETIC_PLATEAU].predicted, force_N, 2e-3 * force_N);
  q = &edge.q[LAB_SLIDE_BREAKAWAY];
  /* The edge goes by du/dF = 1/E as it reaches the plateau, the link by 1/k: its damping of 0.6 of critical
   * carries a part. */
  const double k = bench.link_stiffness_N_per_m, v = 0.01 * k / (k + stretch_N_per_m),
               damping_N = 1.2 * sqrt(k * LOAD_N / bench.gravity_m_per_s2) * (0.01 - v),
               at_m = bench.link_slack_m + (force_N - damping_N) / k + force_N / (2 * stretch_N_per_m);
  assert_near(q->predicted, at_m, 0.03 * force_N / (2 * stretch_N_per_m) + 1e-5 /* a sample */);
  assert_near(lab_slide_from_sled(q), (q->predicted - q->sled) / q->u_predicted, 1e-12);
  /* The stretch is known to a tenth: so is how far the edge went. */
  assert_true(q->u_predicted > 0.09 * force_N / (2 * stretch_N_per_m));
  /* No peak: 1.2 of the friction is the sled's alone. */
  q = &edge.q[LAB_SLIDE_STATIC_PEAK];
  assert_near(q->sled, 1.2 * force_N, 1e-3);
  const double swing_N = 0.01 * sqrt(k * LOAD_N / bench.gravity_m_per_s2);
  assert_true(q->predicted < force_N + swing_N && lab_slide_from_sled(q) < -3);
  lab_slide_case_clear(&c);
}

/* ---- the codec ---- */

static char *document(const lab_slide_verdict *v) {
  json_t *doc = lab_slide_json(v);
  char *text = cb_json_text(doc);
  json_decref(doc);
  assert_non_null(text);
  return text;
}

static lab_slide_verdict a_verdict(lab_slide_model model) {
  lab_slide_verdict v = {.pass = false,
                         .worst_en = 1.0 / 0.7,
                         .run_id = 12,
                         .law_kinetic_id = 3,
                         .law_static_id = model == LAB_SLIDE_PRESCRIBED ? 4 : 0,
                         .cloth = "Twill \"2\"",
                         .body = "Foam",
                         .angle_deg = 1e2 / 3,
                         .normal_force_N = 1 / 7.0,
                         .speed_m_per_s = 0.01,
                         .direction = -1,
                         .origin_measured = CB_MEASURED,
                         .origin_law = CB_IMPORTED,
                         .inside_measured_range = true,
                         .model = model,
                         .young_Pa = model == LAB_SLIDE_ELASTIC ? 123456.7 : NAN,
                         .poisson = model == LAB_SLIDE_ELASTIC ? 0.3 : NAN,
                         .elasticity_law_id = model == LAB_SLIDE_ELASTIC ? 9 : 0,
                         .sheet = {LAB_SLIDE_EDGE, 0.15, false, 5, 0, 6},
                         .kinetic_scatter = {1e-3 / 3, 2e-3 / 3, 7.1},
                         .calibration_shared = true,
                         .draws = 200,
                         .seed = LAB_SLIDE_SEED,
                         .n_curve = 3,
                         .curve_x_m = {0, 1e-3 / 3, 2e-3 / 3},
                         .curve_N = {0, 0.1, NAN}};
  for (int i = 0; i < LAB_SLIDE_QUANTITIES; i++)
    v.q[i] = (lab_slide_quantity){false, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  v.q[LAB_SLIDE_KINETIC_PLATEAU] =
      (lab_slide_quantity){true, 0.1, 1.0 / 3, 2.0 / 3, 0.7, 1e-9, 2e-9, 1.0 / 0.7, 0.2};
  v.q[LAB_SLIDE_CURVE_RMS] = (lab_slide_quantity){true, 0, 0.1, 0.2, 0.3, 0.4, 0.5, -0.25, NAN};
  return v;
}

static void there_and_back(void **state) {
  (void)state;
  for (int model = LAB_SLIDE_SLED; model <= LAB_SLIDE_ELASTIC; model++) {
    lab_slide_verdict v = a_verdict((lab_slide_model)model), back;
    char *text = document(&v);
    assert_ok(lab_slide_read(text, &back, err));
    assert_true(back.young_Pa == v.young_Pa || (isnan(back.young_Pa) && isnan(v.young_Pa)));
    assert_true(back.run_id == 12 && back.law_kinetic_id == 3 && back.law_static_id == v.law_static_id &&
                !back.pass);
    assert_true(back.origin_measured == CB_MEASURED && back.origin_law == CB_IMPORTED &&
                back.model == v.model && back.direction == -1);
    assert_memory_equal(&back.q[LAB_SLIDE_KINETIC_PLATEAU].predicted,
                        &v.q[LAB_SLIDE_KINETIC_PLATEAU].predicted, 8 * sizeof(double));
    if (model != LAB_SLIDE_SLED)
      assert_true(back.sheet.grip == LAB_SLIDE_EDGE && back.sheet.areal_density_kg_per_m2 == 0.15 &&
                  back.sheet.stretch_law_id == 5 && back.sheet.bending_law_id == 0 &&
                  back.sheet.permeability_law_id == 6 && !back.sheet.mass_assumed);
    assert_true(back.q[LAB_SLIDE_CURVE_RMS].compared && !back.q[LAB_SLIDE_BREAKAWAY].compared &&
                isnan(back.q[LAB_SLIDE_BREAKAWAY].en));
    assert_memory_equal(&back.kinetic_scatter, &v.kinetic_scatter, sizeof v.kinetic_scatter);
    assert_memory_equal(back.curve_x_m, v.curve_x_m, 3 * sizeof(double));
    assert_true(back.n_curve == 3 && back.curve_N[1] == 0.1 && isnan(back.curve_N[2]));
    char *again = document(&back);
    assert_string_equal(again, text);
    free(text), free(again);
  }
}

static void malformed_documents_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *sentence;
  } changes[] = {
      {"\"quantities\":[", "\"quantities\":[{},", "quantities: ''"},
      {"kinetic_plateau", "kinetic", "'kinetic' is none that is compared"},
      {"\"u_predicted\":", "\"u_predicted\":\"x\",\"n\":", "u_predicted: a number was wanted"},
      {"\"run_id\":12", "\"run_id\":-12", "run_id: a row's number was wanted"},
      {"\"origin_law\":\"imported\"", "\"origin_law\":\"made\"", "origin_law: one of its words was wanted"},
      {"\"model\":\"sled\"", "\"model\":7", "model: one of its words was wanted"},
      {"\"uncertainty\":{", "\"uncertainty\":[],\"n\":{", "uncertainty: an object was wanted"},
      {"\"stage_displacement_m\":[", "\"stage_displacement_m\":[1,", "curve: 3 forces of 4 displacements"},
      {"\"predicted_force_N\":[", "\"predicted_force_N\":[\"x\",", "predicted_force_N: numbers were wanted"},
  };
  lab_slide_verdict v = a_verdict(LAB_SLIDE_SLED);
  char *text = document(&v);
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
    const char *const pair[1][2] = {{changes[i].from, changes[i].to}};
    char *changed = cbt_replace(text, pair, 1);
    assert_fails(CB_E_DB, changes[i].sentence, lab_slide_read(changed, &v, err));
    free(changed);
  }
  free(text);
  assert_fails(CB_E_DB, "no JSON document", lab_slide_read("", &v, err));
  assert_fails(CB_E_DB, "no JSON document", lab_slide_read("[]", &v, err));
}

/* Documents of older programs had no model, no curve and no uncertainty. */
static void an_older_document_is_read(void **state) {
  (void)state;
  lab_slide_verdict v;
  assert_ok(lab_slide_read(
      "{\"verdict\": \"pass\", \"quantities\": [{\"name\": \"static_peak\", \"predicted\": 1}]}", &v, err));
  assert_true(v.pass && v.model == LAB_SLIDE_SLED && v.n_curve == 0 && v.q[LAB_SLIDE_STATIC_PEAK].compared);
  assert_true(v.q[LAB_SLIDE_STATIC_PEAK].predicted == 1 && isnan(v.q[LAB_SLIDE_STATIC_PEAK].measured));
}

/* ---- through a database, as a program does ---- */

static const char rig_text[] =
    "name: bench\n"
    "stage: {driver: zaber-ascii, port: /dev/ttyUSB0, baud: 115200, device_address: 1, microstep_um: "
    "0.1984375, limit_min_mm: 0,"
    " limit_max_mm: 100, max_speed_mm_per_s: 50, acceleration_mm_per_s2: 500, start_mm: 20, checksum: false, "
    "reply_timeout_s: 0.5}\n"
    "force: {driver: line, port: /dev/ttyUSB1, baud: 115200, unit: N, rate_Hz: 400, overload_N: 8, "
    "silence_timeout_s: 1, field: 0,"
    " separator: \",\", scale: 1}\n"
    "calibration: {slope_N_per_unit: 1, u_rel: 0.002, resolution: 0.0001, certificate: W, valid_from: "
    "2026-01-01}\n"
    "bench: {cart_mass_g: 13, u_mass_g: 0.05, contact_area_cm2: 50, link_stiffness_N_per_m: 500, "
    "link_slack_mm: 2,"
    " gravity_m_per_s2: 9.80665, u_angle_deg: 0.5}\n";

static cb_run put_pull(cb_store *s, cb_run_kind kind) {
  cb_run run = a_run();
  cb_trace t = pull(MU);
  cb_calibration cal = {
      .unit = "N", .slope_N_per_unit = 1, .u_rel = 0.002, .certificate = "W", .valid_from = "2026-01-01"};
  cb_campaign c = {.name = "slides",
                   .kind = CB_CAMPAIGN_SLIDE,
                   .plan_text = "plan",
                   .temperature_degC = NAN,
                   .humidity_percent = NAN};
  c.origin = run.origin;
  run.kind = kind;
  run.status = CB_RUN_RUNNING;
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, "Twill", CB_VIRTUAL, &run.cloth_id, err));
  assert_ok(cb_store_material_ensure(s, CB_BODY, "Foam", CB_VIRTUAL, &run.body_id, err));
  assert_ok(cb_store_rig_ensure(s, "bench", rig_text, &run.rig_id, err));
  cal.rig_id = run.rig_id;
  assert_ok(cb_store_calibration_ensure(s, &cal, err));
  run.calibration_id = cal.id;
  assert_ok(cb_store_campaign_put(s, &c, err));
  run.campaign_id = c.id;
  assert_ok(cb_store_run_put(s, &run, err));
  assert_ok(cb_store_chunk_put(s, run.id, CB_CHANNEL_FORCE, 0, t.force_N.n, t.force_N.t_s, t.force_N.v, err));
  assert_ok(cb_store_chunk_put(s, run.id, CB_CHANNEL_POSITION, 0, t.position_m.n, t.position_m.t_s,
                               t.position_m.v, err));
  assert_ok(cb_store_run_finish(s, run.id, CB_RUN_DONE, "", err));
  run.status = CB_RUN_DONE;
  cb_trace_clear(&t);
  return run;
}

static void put_law(cb_store *s, const cb_run *run, double mu) {
  cb_friction_law law = coulomb(mu);
  assert_ok(cb_store_law_put(s, &law, run->cloth_id, run->body_id, NULL, 0, "planted",
                             "{\"scatter\": {\"sd_rel\": 0.01, \"dof\": 9}}", err));
}

static void judged_and_kept(void **state) {
  store_fixture *f = *state;
  cb_run run = put_pull(f->s, CB_RUN_SLIDE), newest;
  lab_slide_verdict v, back;
  cb_validation *list;
  size_t n;
  put_law(f->s, &run, MU);
  assert_ok(lab_slide_newest(f->s, &newest, err));
  assert_true(newest.id == run.id);
  assert_ok(lab_slide_judge(f->s, &newest, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &v, err));
  assert_true(v.pass && v.run_id == run.id && v.kinetic_scatter.repeat_rel == 0.01 &&
              v.kinetic_scatter.dof == 9);
  assert_string_equal(v.cloth, "Twill");
  assert_ok(lab_slide_store(f->s, &v, err));
  assert_ok(cb_store_validations(f->s, run.id, &list, &n, err));
  assert_true(n == 1 && list[0].pass && list[0].worst_en == v.worst_en &&
              list[0].law_kinetic_id == v.law_kinetic_id);
  assert_ok(lab_slide_read(list[0].result_json, &back, err));
  assert_memory_equal(back.q, v.q, sizeof v.q);
  assert_memory_equal(back.curve_N, v.curve_N, v.n_curve * sizeof(double));
  cb_validations_free(list, n);
  put_law(f->s, &run, 1.5 * MU);
  assert_ok(lab_slide_judge(f->s, &newest, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &v, err));
  assert_true(!v.pass && v.worst_en > 3);
}

/* The same verdicts as one by one, in the order of the runs; none of a slide without a law, and that said. */
static void all_at_once(void **state) {
  store_fixture *f = *state;
  const cb_run first = put_pull(f->s, CB_RUN_SLIDE), second = put_pull(f->s, CB_RUN_SLIDE);
  cb_stop stop = CB_STOP_OPERATOR;
  lab_slide_judged *each;
  lab_slide_verdict alone;
  size_t n;
  assert_ok(lab_slide_judge_all(f->db, LAB_SLIDE_SLED, LAB_SLIDE_AREA, NULL, &each, &n, err));
  assert_true(n == 2 && each[0].status == CB_E_NOTFOUND && strstr(each[1].err.msg, "Twill"));
  free(each);
  put_law(f->s, &first, MU);
  assert_ok(lab_slide_judge_all(f->db, LAB_SLIDE_SLED, LAB_SLIDE_AREA, NULL, &each, &n, err));
  assert_true(n == 2 && each[0].verdict.run_id == first.id && each[1].verdict.run_id == second.id);
  for (size_t i = 0; i < n; i++) {
    assert_true(each[i].status == CB_OK && each[i].verdict.pass);
    assert_ok(lab_slide_judge(f->s, i == 0 ? &first : &second, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &alone, err));
    assert_memory_equal(each[i].verdict.q, alone.q, sizeof alone.q);
  }
  free(each);
  assert_ok(lab_slide_judge_all(f->db, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &stop, &each, &n, err));
  assert_true(n == 2 && each[0].status == CB_E_STOPPED && each[1].status == CB_E_STOPPED);
  free(each);
}

/* A pull that is measured after the prediction was sealed has the verdict of a prediction made now; an
 * earlier one is no test, nor is another load. */
static void a_sealed_prediction_is_judged(void **state) {
  store_fixture *f = *state;
  cb_run before = put_pull(f->s, CB_RUN_SLIDE);
  const lab_slide_question q = {.cloth = "Twill", .body = "Foam", .angle_deg = NAN, .normal_force_N = NAN},
                           heavier = {.cloth = "Twill",
                                      .body = "Foam",
                                      .angle_deg = 30,
                                      .normal_force_N = 1.1},
                           nobody = {.cloth = "Felt", .body = "Foam"};
  lab_slide_verdict foreseen, sealed, now;
  lab_seal written, seal;
  char path[400];
  put_law(f->s, &before, MU);
  assert_fails(CB_E_NOTFOUND, "Felt", lab_slide_foresee(f->s, &nobody, &foreseen, err));
  assert_ok(lab_slide_foresee(f->s, &q, &foreseen, err));
  json_t *doc = lab_slide_foreseen_json(&foreseen);
  assert_ok(lab_seal_write(cbt_path("a.json", path), "slide", doc, &written, err));
  lab_seal_clear(&written);
  json_decref(doc);
  assert_ok(lab_seal_read(path, "slide", &seal, err));
  assert_fails(CB_E_RANGE, "it is no test of it", lab_slide_judge_sealed(f->s, &before, &seal, &sealed, err));
  cb_run after = put_pull(f->s, CB_RUN_SLIDE);
  assert_ok(cb_store_run_get(f->s, after.id, &after, err));
  assert_ok(lab_slide_judge_sealed(f->s, &after, &seal, &sealed, err));
  assert_ok(lab_slide_judge(f->s, &after, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &now, err));
  assert_true(sealed.pass && sealed.seal == &seal && sealed.run_id == after.id);
  const lab_slide_quantity *a = &sealed.q[LAB_SLIDE_KINETIC_PLATEAU], *b = &now.q[LAB_SLIDE_KINETIC_PLATEAU];
  assert_true(a->predicted == foreseen.q[LAB_SLIDE_KINETIC_PLATEAU].predicted && a->measured == b->measured);
  assert_near(a->predicted, b->predicted, 1e-12);
  assert_near(a->U_measured, b->U_measured, 1e-12);
  assert_ok(lab_slide_store(f->s, &sealed, err));
  lab_seal_clear(&seal);
  assert_ok(lab_slide_foresee(f->s, &heavier, &foreseen, err));
  assert_near(foreseen.q[LAB_SLIDE_KINETIC_PLATEAU].predicted, MU * 1.1, 1e-3);
  doc = lab_slide_foreseen_json(&foreseen);
  assert_ok(lab_seal_write(cbt_path("b.json", path), "slide", doc, &written, err));
  json_decref(doc);
  cb_run third = put_pull(f->s, CB_RUN_SLIDE);
  assert_ok(cb_store_run_get(f->s, third.id, &third, err));
  assert_fails(CB_E_RANGE, "the sealed prediction has 30 deg, 1.1 N",
               lab_slide_judge_sealed(f->s, &third, &written, &sealed, err));
  lab_seal_clear(&written);
}

static void what_cannot_be_compared(void **state) {
  store_fixture *f = *state;
  lab_slide_verdict v;
  cb_run run;
  assert_fails(CB_E_NOTFOUND, "no finished slide", lab_slide_newest(f->s, &run, err));
  run = put_pull(f->s, CB_RUN_PULL);
  assert_fails(CB_E_NOTFOUND, "no finished slide", lab_slide_newest(f->s, &run, err));
  assert_fails(CB_E_NOTFOUND, "Twill",
               lab_slide_judge(f->s, &run, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &v, err)); /* no law */
  put_law(f->s, &run, MU);
  assert_fails(CB_E_NOTFOUND, "'Twill' has no law of stretch: a cloth that is held at its edge wants one",
               lab_slide_judge(f->s, &run, LAB_SLIDE_PRESCRIBED, LAB_SLIDE_EDGE, &v, err));
  cb_run other = run;
  other.status = CB_RUN_FAILED;
  assert_fails(CB_E_RANGE, "is failed: only a finished run",
               lab_slide_judge(f->s, &other, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &v, err));
  other = run;
  other.incline_deg = 5;
  assert_fails(CB_E_RANGE, "on a slope of 5 deg",
               lab_slide_judge(f->s, &other, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &v, err));
  other = run;
  other.rig_id = 0;
  assert_fails(CB_E_NOTFOUND, "no rig or calibration",
               lab_slide_judge(f->s, &other, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &v, err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(en_of_closed_forms),
      cmocka_unit_test(expanded_uncertainty),
      cmocka_unit_test(the_law_of_the_pull_agrees),
      cmocka_unit_test(the_plateau_by_hand),
      cmocka_unit_test(half_as_much_again_disagrees),
      cmocka_unit_test(a_trace_without_a_pull_is_refused),
      cmocka_unit_test(a_cloth_held_at_its_edge),
      cmocka_unit_test(there_and_back),
      cmocka_unit_test(malformed_documents_are_refused),
      cmocka_unit_test(an_older_document_is_read),
      STORE_TEST(judged_and_kept),
      STORE_TEST(all_at_once),
      STORE_TEST(a_sealed_prediction_is_judged),
      STORE_TEST(what_cannot_be_compared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
