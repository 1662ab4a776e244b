/* The shipped virtual rigs: every pull of a campaign is clean steady sliding, far from the guard's limit. */
#include "cb_num.h"
#include "vrig_bench.h"
#include "vrigtest.h"

static const char *const files[] = {"virtual.yaml",       "virtual-d500.yaml",   "virtual-slow.yaml",
                                    "virtual-grbl.yaml",  "virtual-smc100.yaml", "virtual-esm.yaml",
                                    "virtual-cloth.yaml", "virtual-comedi.yaml", "virtual-gcs.yaml",
                                    "virtual-lines.yaml", "virtual-apt.yaml"};

/* 60 mm at 10 mm/s, forward or backward. */
static void pull(vrig_bench *b, int direction) {
  double T, start = b->rig->stage.start_m, target = direction > 0 ? start + 0.06 : start;
  vrig_stage_move(&b->stage, vrig_bench_time_s(b), target, 0.01, b->rig->stage.acceleration_m_per_s2);
  T = b->stage.end_s - 0.01 / b->rig->stage.acceleration_m_per_s2; /* from here on it brakes */
  bool slides = false;
  double peak = 0;
  while (vrig_bench_time_s(b) < T - 0.08) {
    vrig_bench_step(b);
    slides = slides || b->slip != 0;
    if (slides && (b->slip != direction || vrig_bench_force_N(b) == 0))
      fail_msg("%s, %g kg: it sticks or falls slack again", b->rig->path, b->mass_kg);
    peak = fmax(peak, fabs(vrig_bench_force_N(b)));
  }
  double factor = 1 + b->rig->virt.truth.repeat_sd_rel * (b->placement + b->run) / sqrt(2);
  double kinetic = vrig_bench_true_kinetic_N(b, 1, 0.01) * factor,
         still = vrig_bench_true_static_N(b, 1) * factor;
  assert_near(direction * vrig_bench_force_N(b) / kinetic, 1, 1e-9);
  /* Seen at the ends of steps, and not overshot: a step of the ramp is k v h = 0.5 mN. */
  assert_true(peak <= still * (1 + 1e-9) && peak >= still - 5e-4);
  assert_true(b->rig->force.overload_N > 2 * still);
}

static void every_pull_is_clean(void **state) {
  (void)state;
  const double added_kg[] = {0.01, 0.025, 0.05, 0.1, 0.2, 0.3}, angles_deg[] = {0, 45, 90};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[512];
    cb_rig rig;
    vrig_bench b;
    (void)snprintf(path, sizeof path, "%s/rigs/%s", CB_SOURCE_DIR, files[i]);
    assert_ok(cb_rig_load(path, &rig, err));
    assert_ok(vrig_bench_init(&b, &rig, err));
    for (int a = 0; a < 3; a++)
      for (int m = 0; m < 6; m++) {
        assert_ok(vrig_bench_turn_sample(&b, angles_deg[a] * CB_DEG, err));
        assert_ok(vrig_bench_load_cart(&b, added_kg[m], err));
        for (int direction = 1; direction >= -1; direction -= 2) {
          pull(&b, direction);
          while (vrig_stage_moving(&b.stage, vrig_bench_time_s(&b)) || b.slip != 0) vrig_bench_step(&b);
        }
      }
    cb_rig_clear(&rig);
  }
}

/* The display of the D500 rig reads 2.488 mV/V at 200 g. */
static void the_d500_reads_as_published(void **state) {
  (void)state;
  cb_rig rig;
  assert_ok(cb_rig_load(CB_SOURCE_DIR "/rigs/virtual-d500.yaml", &rig, err));
  assert_near(0.2 * CB_STANDARD_GRAVITY_M_PER_S2 / rig.calibration.slope_N_per_unit, 2.488, 5e-4);
  cb_rig_clear(&rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_pull_is_clean),
                                     cmocka_unit_test(the_d500_reads_as_published)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
