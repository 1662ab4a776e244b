/* The tilting plane: pieces of the cloth, 20 cm x 20 cm, on the body of the virtual rig, free and under a
 * plate of 1 kg. A free one is far lighter than any sled; the truth holds there, too. No air, no lift at an
 * edge. Its inclinometer is wrong by its zero, and by the hand that stops the tilt; its gate by a few ms. */
#include <math.h>

#include "cb_draft.h"
#include "cb_num.h"
#include "cb_rig.h"
#include "vlab_impl.h"

#define G CB_STANDARD_GRAVITY_M_PER_S2
#define AREA_M2 0.04
#define PLATE_KG 1.0
#define SLOPE_DEG 60.0
#define GATE_M 0.4
#define U_ZERO_DEG 0.2

enum { AXIS_INCLINOMETER = 9, DIRECTIONS = 3 };

/* A piece in its laying: its own friction and weight. */
typedef struct piece {
  const cb_rig *rig;
  double direction_deg, mass_kg, friction;
} piece;

/* The truth is of the rig's contact area: equal pressure, equal force per area. */
static double friction_N(const piece *p, bool at_rest, double slope_rad) {
  const cb_rig_truth *t = &p->rig->virt.truth;
  const double areas = AREA_M2 / p->rig->bench.contact_area_m2, direction = p->direction_deg * CB_DEG,
               load_N = p->mass_kg * G * cos(slope_rad) / areas;
  return p->friction * areas *
         (at_rest ? cb_rig_truth_static(t, direction, load_N)
                  : cb_rig_truth_kinetic(t, direction, load_N, t->reference_speed_m_per_s));
}

/* The weight's part down the plane grows with the slope, and friction falls: they meet once. */
static double release_deg(const piece *p) {
  double low = 0, high = CB_PI / 2;
  for (int i = 0; i < 50; i++) {
    const double middle = (low + high) / 2;
    *(p->mass_kg * G * sin(middle) < friction_N(p, true, middle) ? &low : &high) = middle;
  }
  return low / CB_DEG;
}

static void put_piece(const vlab *lab, const piece *p, bool slides, cb_rng *rng, FILE *f) {
  const vlab_axis balance = {.digit = 0.01}, tilt = {.noise = 0.15, .digit = 0.1},
                  clock = {.noise = 0.002, .digit = 0.001};
  const double zero_deg = U_ZERO_DEG * (vlab_calibration(lab, AXIS_INCLINOMETER, 1) - 1),
               slope = (SLOPE_DEG - zero_deg) * CB_DEG,
               a = G * sin(slope) - friction_N(p, false, slope) / p->mass_kg; /* from rest to the gate */
  (void)fprintf(f, "%s,%.0f,%.2f,", lab->cloth, p->direction_deg, vlab_read(&balance, 1e3 * p->mass_kg, rng));
  if (slides)
    (void)fprintf(f, "%.1f,%.3f\n", SLOPE_DEG, vlab_read(&clock, sqrt(2 * GATE_M / a), rng));
  else
    (void)fprintf(f, "%.1f\n", vlab_read(&tilt, release_deg(p) + zero_deg, rng));
}

cb_status vlab_inclines(const vlab *lab, const char *rig_path, bool slides, const char *path, cb_err *err) {
  cb_rig rig;
  cb_draft out;
  cb_rng rng;
  CB_TRY(cb_draft_begin(&out, err));
  const cb_status st = cb_rig_load(rig_path, &rig, err);
  cb_rng_init(&rng, lab->seed, VLAB_STREAM_INCLINES + 1000 * (uint64_t)slides);
  (void)fprintf(out.to, "fabric,direction_deg,mass_g,%s\n", slides ? "slope_deg,gate_s" : "release_deg");
  for (int i = 0; st == CB_OK && i < 2 * DIRECTIONS; i++) {
    const double plate_kg = i < DIRECTIONS ? 0 : PLATE_KG,
                 cloth_kg =
                     AREA_M2 * lab->truth.areal_density_kg_per_m2 * vlab_specimen(&rng, lab->scatter.mass);
    const piece p = {&rig, 45 * (i % DIRECTIONS), cloth_kg + plate_kg,
                     vlab_specimen(&rng, rig.virt.truth.repeat_sd_rel)};
    put_piece(lab, &p, slides, &rng, out.to);
  }
  cb_rig_clear(&rig);
  return cb_draft_save(&out, st, path, err);
}
