/* The virtual laboratory: its truth against closed forms, its files, and the chain from files to verdicts. */
#include <omp.h>

#include "cb_store_material_test.h"
#include "cbtest.h"
#include "cb_num.h"
#include "cb_rig.h"
#include "fit_drape.h"
#include "fit_incline.h"
#include "lab_drape_prediction.h"
#include "vlab_chain.h"
#include "vlab_impl.h"

#define LAB_FILE CB_SOURCE_DIR "/rigs/virtual-lab.yaml"

static vlab load_shipped(void) {
  vlab lab;
  assert_ok(vlab_load(LAB_FILE, &lab, err));
  return lab;
}

/* ---- truth ---- */

/* At small strain a strip has the compliance of the orthotropic sheet:
 * c^4 / E1 + s^4 / E2 + s^2 c^2 (1 / G - 2 nu12 / E1). */
static void a_small_strain_is_orthotropic(void **state) {
  (void)state;
  const vlab_membrane m = {.warp_N_per_m = 3000,
                           .weft_N_per_m = 2000,
                           .shear_N_per_m = 90,
                           .cross_N_per_m = 400,
                           .warp_growth = 40,
                           .weft_growth = 20,
                           .shear_growth = 5};
  const double det = 3000. * 2000 - 400. * 400;
  for (double deg = 0; deg <= 90; deg += 7.5) {
    const double c = pow(cos(deg * CB_DEG), 2), s = 1 - c, e = 1e-7;
    const double compliance = c * c * 2000 / det + s * s * 3000 / det + s * c * (1 / 90. - 2 * 400 / det);
    assert_near(vlab_strip_N_per_m(&m, deg * CB_DEG, e) / e * compliance, 1, 1e-5);
  }
}

/* Along the warp without cross coupling nothing is to be solved: P = (1 + e) S(e + e^2 / 2). */
static void a_warp_strip_follows_its_curve(void **state) {
  (void)state;
  const vlab_membrane m = {.warp_N_per_m = 1000, .weft_N_per_m = 700, .shear_N_per_m = 50, .warp_growth = 30};
  const double e = 0.05, E = e + e * e / 2;
  assert_near(vlab_strip_N_per_m(&m, 0, e), (1 + e) * 1000 / 30 * expm1(30 * E), 1e-9);
  assert_near(vlab_strip_N_per_m(&m, CB_PI / 2, e), (1 + e) * 700 * E, 1e-9);
}

static void air_obeys_its_equation(void **state) {
  (void)state;
  const vlab_truth t = {.viscous_Pa_s_per_m = 1000, .inertial_Pa_s2_per_m2 = 700};
  const double v = vlab_air_m_per_s(&t, 150);
  assert_near(1000 * v + 700 * v * v, 150, 1e-10);
}

/* ---- files ---- */

static void a_file_says_what_is_wrong_with_it(void **state) {
  (void)state;
  const struct {
    const char *from, *to, *says;
    cb_status status;
  } cases[] = {{"cross_N_per_m: 320", "cross_N_per_m: 9999", "geometric mean", CB_E_RANGE},
               {"seed: 1", "sead: 1", "sead", CB_E_PARSE},
               {"strips: 5", "strips: 0", "strips", CB_E_RANGE},
               {"thickness_mm: 0.48", "thickness_mm: thick", "thickness_mm", CB_E_PARSE},
               {"drapes: 6", "", "drapes", CB_E_PARSE}};
  char *text;
  size_t n;
  vlab lab;
  assert_ok(cb_file_read(LAB_FILE, 1 << 20, &text, &n, err));
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *const pair[][2] = {{cases[i].from, cases[i].to}};
    char *wrong = cbt_replace(text, pair, 1);
    assert_fails(cases[i].status, cases[i].says, vlab_parse(wrong, strlen(wrong), "lab.yaml", &lab, err));
    free(wrong);
  }
  free(text);
  assert_fails(CB_E_IO, "nowhere", vlab_load("/nowhere/lab.yaml", &lab, err));
}

/* The same seed writes the same bytes, another one others. */
static void a_seed_is_a_laboratory(void **state) {
  (void)state;
  vlab lab = load_shipped();
  char path[3][400];
  char *text[3];
  for (int i = 0; i < 3; i++) {
    lab.seed = i < 2 ? 5 : 6;
    assert_ok(vlab_airs(&lab, 1, cbt_path(i == 0 ? "a" : i == 1 ? "b" : "c", path[i]), err));
    text[i] = cbt_read(path[i]);
  }
  assert_string_equal(text[0], text[1]);
  assert_string_not_equal(text[0], text[2]);
  for (int i = 0; i < 3; i++) free(text[i]);
}

/* The mappings state the instruments' uncertainties. */
static void mappings_and_instruments_agree(void **state) {
  (void)state;
  const vlab lab = load_shipped();
  const struct {
    const char *mapping, *format;
    double u;
  } lines[] = {{"strips", "unit: mm, u_rel: %g}", lab.have.extension_mm.u_rel},
               {"strips", "unit: N, u_rel: %g}", lab.have.load_N.u_rel},
               {"bending", "unit: 1/cm, u_rel: %g}", lab.have.curvature_per_cm.u_rel},
               {"bending", "unit: gf cm/cm, u_rel: %g}", lab.have.moment_gf_cm_per_cm.u_rel},
               {"air", "unit: Pa, u_rel: %g}", lab.have.pressure_Pa.u_rel},
               {"air", "unit: L/min, u_rel: %g}", lab.have.flow_l_per_min.u_rel}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    char path[400], wanted[80];
    (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/rigs/import/demo_%s.yaml", lines[i].mapping);
    (void)snprintf(wanted, sizeof wanted, lines[i].format, lines[i].u);
    char *text = cbt_read(path);
    if (!strstr(text, wanted)) fail_msg("%s lacks '%s'", path, wanted);
    free(text);
  }
}

static void a_rig_gets_another_truth(void **state) {
  (void)state;
  cb_rig shipped, other;
  char path[400];
  cbt_path("rig.yaml", path);
  assert_ok(vlab_rig(CB_SOURCE_DIR "/rigs/virtual.yaml", 9, 1.15, path, err));
  assert_ok(cb_rig_load(CB_SOURCE_DIR "/rigs/virtual.yaml", &shipped, err));
  assert_ok(cb_rig_load(path, &other, err));
  assert_true(other.virt.seed == 9);
  assert_near(cb_rig_truth_kinetic(&other.virt.truth, 0.5, 1, 0.01),
              1.15 * cb_rig_truth_kinetic(&shipped.virt.truth, 0.5, 1, 0.01), 1e-12);
  cb_rig_clear(&shipped);
  cb_rig_clear(&other);
  cbt_write(cbt_path("bare.yaml", path), "name: x\n");
  assert_fails(CB_E_PARSE, "seed", vlab_rig(path, 9, 1, cbt_path("out.yaml", (char[400]){0}), err));
}

/* Releases at atan F/N and slides at g (sin a - F/N cos a), the truth's own F at the piece's own load; 15 %
 * more friction another angle. Read as a person's import reads them. */
static void pieces_on_a_tilted_plane_obey_coulomb(void **state) {
  (void)state;
  vlab lab = load_shipped();
  const char *const kinds[] = {"release", "slope"};
  char rig_path[400], path[400], map[400];
  cb_rig rig;
  lab.scatter.mass = 0;
  assert_ok(vlab_rig(CB_SOURCE_DIR "/rigs/virtual.yaml", 1, 1.15, cbt_path("more.yaml", rig_path), err));
  assert_ok(cb_rig_load(rig_path, &rig, err));
  for (int kind = FIT_INCLINE_RELEASE; kind <= FIT_INCLINE_SLIDE; kind++) {
    fit_import t;
    cbt_path("plane.csv", path);
    assert_ok(vlab_inclines(&lab, rig_path, kind == FIT_INCLINE_SLIDE, path, err));
    (void)snprintf(map, sizeof map, CB_SOURCE_DIR "/rigs/import/demo_%s.yaml", kinds[kind]);
    assert_ok(fit_incline_read((fit_incline_kind)kind, map, path, &t, err));
    assert_int_equal(t.n_rows, 6);
    assert_int_equal(t.calibration.origin, CB_VIRTUAL);
    for (size_t i = 0; i < t.n_rows; i++) {
      const cb_run *r = &t.rows[i].run;
      const double areas = 400. / 50, direction = r->angle_deg * CB_DEG, N = r->normal_force_N / areas,
                   F = areas * (kind == FIT_INCLINE_RELEASE
                                    ? cb_rig_truth_static(&rig.virt.truth, direction, N)
                                    : cb_rig_truth_kinetic(&rig.virt.truth, direction, N, 0.01)),
                   got = kind == FIT_INCLINE_RELEASE ? t.rows[i].point.static_N : t.rows[i].point.kinetic_N;
      assert_int_equal(r->origin, CB_VIRTUAL);
      assert_near(r->added_mass_kg, (i < 3 ? 0 : 1) + 0.04 * 0.221, 1e-5);
      /* scatter 0.5 %, 0.2 degrees of the inclinometer, the hand, the gate: three of each */
      assert_near(got / F, 1, 0.05);
    }
    fit_import_clear(&t);
  }
  cb_rig_clear(&rig);
}

/* ---- the chain ---- */

/* 6 laboratories, with CB_SLOW 12. The bands hold 95 %; cells of one law share its calibration, so that few
 * of them hold none or all. Of verdicts one may fail: of 12 two or more do once in 9, of 6 once in 30. */
static void laws_hold_the_truth_and_verdicts_see_a_moved_cloth(void **state) {
  (void)state;
  int cells[CHAIN_PROPERTIES] = {0}, inside[CHAIN_PROPERTIES] = {0}, passed[2] = {0};
  const int labs = getenv("CB_SLOW") ? 12 : 6;
  vlab lab = load_shipped();
  for (int seed = 1; seed <= labs; seed++) {
    chain_files f;
    chain_result same, other;
    lab.seed = (uint64_t)seed;
    const vlab moved = vlab_moved(&lab, 1.15);
    assert_ok(chain_begin(&lab, cbt_folder, &f, &same, err));
    assert_ok(chain_end(&lab, &lab, &f, &same, err));
    assert_ok(chain_end(&lab, &moved, &f, &other, err));
    for (int k = 0; k < CHAIN_PROPERTIES; k++)
      cells[k] += same.tally[k].cells, inside[k] += same.tally[k].inside;
    passed[0] += same.stack_en <= 1, passed[1] += same.strip_en <= 1;
    print_message("seed %d: two layers %.2f, moved %.2f\n", seed, same.stack_en, other.stack_en);
    if (other.stack_en <= 1 || other.strip_en <= 1)
      fail_msg("seed %d: a cloth that is 15 %% another passes: %g, %g", seed, other.stack_en, other.strip_en);
  }
  for (int k = 0; k < CHAIN_PROPERTIES; k++) {
    print_message("%s: %d of %d inside\n", chain_names[k], inside[k], cells[k]);
    assert_true(inside[k] >= 0.8 * cells[k]);
  }
  assert_true(passed[0] >= labs - 1 && passed[1] >= labs - 1);
}

/* What the instruments wrote never passes as measured. */
static void everything_is_virtual(void **state) {
  (void)state;
  const vlab lab = load_shipped();
  char path[400], mapping[400];
  lab_material_tests t;
  assert_ok(vlab_airs(&lab, 2, cbt_path("air.csv", path), err));
  assert_ok(lab_material_tests_read(CB_SOURCE_DIR "/rigs/import/demo_air.yaml", path, CB_TEST_PERMEABILITY,
                                    &t, err));
  assert_int_equal(t.n, lab.have.stacks);
  assert_int_equal(t.curves[0].test.origin, CB_VIRTUAL);
  assert_string_equal(t.curves[0].material, "Demo Twill x 2");
  lab_material_tests_clear(&t);
  char *text = cbt_read(CB_SOURCE_DIR "/rigs/import/demo_air.yaml");
  char *claims = cbt_replace(text, (const char *const[][2]){{"value: virtual", "value: measured"}}, 1);
  cbt_write(cbt_path("map.yaml", mapping), claims);
  assert_fails(CB_E_PARSE, "one of imported, virtual, simulated",
               lab_material_tests_read(mapping, path, CB_TEST_PERMEABILITY, &t, err));
  lab_material_tests_clear(&t);
  free(text), free(claims);
}

/* A law that says it is real, beside a virtual one, makes no cloth. */
static void nothing_is_made_of_real_and_virtual(void **state) {
  (void)state;
  const vlab lab = load_shipped();
  const lab_drape_numbers none = {.areal_density_kg_per_m2 = 0.2,
                                  .thickness_m = NAN,
                                  .stretch_N_per_m = {NAN, NAN},
                                  .shear_N_per_m = NAN,
                                  .bend_Nm = {NAN, NAN},
                                  .hysteresis_N = {NAN, NAN}};
  char path[400];
  chain_files f;
  chain_result r;
  cb_store *s;
  cb_bending_law law;
  cb_material_law row;
  lab_drape_cloth cloth;
  assert_ok(chain_begin(&lab, cbt_folder, &f, &r, err));
  assert_ok(cb_store_open(cbt_path("chain.db", path), CB_STORE_WRITE, &s, err));
  assert_ok(lab_drape_cloth_make(s, lab.cloth, &none, &cloth, err));
  assert_int_equal(cloth.origin, CB_VIRTUAL);
  assert_ok(cb_store_law_of(s, CB_LAW_BENDING, lab.cloth, &law, &row, err));
  row.origin = CB_IMPORTED;
  assert_ok(cb_store_material_law_put(s, &row, NULL, 0, err));
  free(row.result_json);
  assert_fails(CB_E_RANGE, "virtual", lab_drape_cloth_make(s, lab.cloth, &none, &cloth, err));
  assert_ok(cb_store_close(s, err));
}

/* ---- drapes ---- */

/* A coarse one: its picture has the support as its scale, and a moved cloth another area. */
static void a_drape_is_photographed(void **state) {
  (void)state;
  vlab lab = load_shipped();
  const fit_drape_setup size = fit_drape_setup_default();
  fit_drape_file f[2];
  char path[400];
  lab.have.drapes = 1;
  lab.have.drape_vertices = 1200;
  for (int i = 0; i < 2; i++) {
    const vlab judged = vlab_moved(&lab, i ? 1.15 : 1);
    assert_ok(vlab_drapes_end(-1, &judged, cbt_folder, NULL, err));
    assert_ok(fit_drape_read(cbt_path("drape-1.png", path), &size, &f[i], err));
    assert_int_equal(f[i].drape.scale_from, FIT_SCALE_DISC);
  }
  const double DC = f[0].drape.drape_coefficient;
  assert_true(DC > 0.5 && DC < 0.8);
  /* Vertices move; the straight edges between them do not. Eight drapes of other seeds and meshes differ from
   * 1.15 by -0.1 to +2.8 %. */
  assert_near(f[1].drape.drape_coefficient / DC, 1.15, 0.04);
}

/* A drape of this seed wants a second rest: forces of 0.0011 of the weight are left after the first. */
static void a_slow_fold_comes_to_rest(void **state) {
  (void)state;
  if (!getenv("CB_SLOW")) skip(); /* half a minute: ./run test slow */
  vlab lab = load_shipped();
  lab.seed = 10;
  lab.have.drapes = 6;
  const vlab judged = vlab_moved(&lab, 1.15);
  assert_ok(vlab_drapes_end(-1, &judged, cbt_folder, NULL, err));
}

/* Drapes are laid side by side, and no library that they share mixes them up. */
static void drapes_are_the_same_with_two_threads(void **state) {
  (void)state;
  vlab lab = load_shipped();
  char *bytes[2][4], path[400], name[20];
  size_t n[2][4];
  lab.have.drapes = getenv("CB_SLOW") ? 4 : 2;
  lab.have.drape_vertices = 100;
  for (int t = 0; t < 2; t++) {
    omp_set_num_threads(t + 1);
    assert_ok(vlab_drapes_end(-1, &lab, cbt_folder, NULL, err));
    for (int i = 0; i < lab.have.drapes; i++) {
      (void)snprintf(name, sizeof name, "drape-%d.png", i + 1);
      assert_ok(cb_file_read(cbt_path(name, path), 1 << 24, &bytes[t][i], &n[t][i], err));
    }
  }
  omp_set_num_threads(1);
  for (int i = 0; i < lab.have.drapes; i++) {
    assert_int_equal(n[0][i], n[1][i]);
    assert_memory_equal(bytes[0][i], bytes[1][i], n[0][i]);
    free(bytes[0][i]), free(bytes[1][i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_small_strain_is_orthotropic),
      cmocka_unit_test(a_slow_fold_comes_to_rest),
      cmocka_unit_test(a_warp_strip_follows_its_curve),
      cmocka_unit_test(air_obeys_its_equation),
      cmocka_unit_test(a_file_says_what_is_wrong_with_it),
      cmocka_unit_test(a_seed_is_a_laboratory),
      cmocka_unit_test(mappings_and_instruments_agree),
      cmocka_unit_test(a_rig_gets_another_truth),
      cmocka_unit_test(pieces_on_a_tilted_plane_obey_coulomb),
      cmocka_unit_test(laws_hold_the_truth_and_verdicts_see_a_moved_cloth),
      cmocka_unit_test(everything_is_virtual),
      cmocka_unit_test(nothing_is_made_of_real_and_virtual),
      cmocka_unit_test(a_drape_is_photographed),
      cmocka_unit_test(drapes_are_the_same_with_two_threads),
  };
  return cmocka_run_group_tests(tests, cbt_folder_set_up, cbt_folder_tear_down);
}
