/* The strip tester: a constant rate of extension, clamps 200 mm apart, strips 50 mm wide (ISO 13934-1). Its
 * file is a report of nine lines, then rows with semicolons and decimal commas. */
#include <math.h>
#include <string.h>

#include "cb_draft.h"
#include "cb_num.h"
#include "vlab_impl.h"

#define LENGTH_MM 200.0
#define WIDTH_MM 50.0
#define RATE_MM_PER_S (20.0 / 60)
#define SAMPLES_PER_S 10.0
#define LOAD_STOP_N 40.0
#define EXTENSION_STOP_MM 16.0
#define MOUNT_MM 0.12 /* slack of a mounted strip, mean; negative: it is mounted under tension */
#define MOUNT_SD_MM 0.10

enum { AXIS_EXTENSION = 1, AXIS_LOAD };

typedef struct strip {
  double angle_deg, stiffness, slack_mm;
} strip;

/* The strain of the cloth, whose length between the clamps is theirs and its slack. */
static double strip_load_N(const vlab *lab, const strip *s, double extension_mm) {
  const double strain = (extension_mm - s->slack_mm) / (LENGTH_MM + s->slack_mm);
  return strain > 0 ? s->stiffness * 1e-3 * WIDTH_MM *
                          vlab_strip_N_per_m(&lab->truth.membrane, s->angle_deg * CB_DEG, strain)
                    : 0;
}

/* 0,512 */
static void put_number(FILE *f, double v, int decimals) {
  char text[40];
  (void)snprintf(text, sizeof text, "%.*f", decimals, v);
  char *point = strchr(text, '.');
  if (point) *point = ',';
  (void)fprintf(f, ";%s", text);
}

static void pull_strip(const vlab *lab, const strip *s, const char *name, cb_rng *rng, FILE *f) {
  const double by_extension = vlab_calibration(lab, AXIS_EXTENSION, lab->have.extension_mm.u_rel),
               by_load = vlab_calibration(lab, AXIS_LOAD, lab->have.load_N.u_rel);
  for (int i = 0;; i++) {
    const double t = i / SAMPLES_PER_S, extension = RATE_MM_PER_S * t, load = strip_load_N(lab, s, extension);
    if (load > LOAD_STOP_N || extension > EXTENSION_STOP_MM) return;
    (void)fprintf(f, "%s;%s", lab->cloth, name);
    put_number(f, s->angle_deg, 1);
    put_number(f, t, 1);
    put_number(f, vlab_read(&lab->have.extension_mm, by_extension * extension, rng), 3);
    put_number(f, vlab_read(&lab->have.load_N, by_load * load, rng), 3);
    (void)fprintf(f, "\n");
  }
}

static void put_head(const vlab *lab, FILE *f) {
  (void)fprintf(f,
                "Virtual strip tester;method;ISO 13934-1, strips, raw data\n"
                "Sample;%s\n"
                "Width;50,0;mm\n"
                "Gauge length;200,0;mm\n"
                "Rate;20,0;mm/min\n"
                "Pretension;none\n"
                "\n"
                "Sample;Specimen;Direction;Time;Extension;Load\n"
                ";;(deg);(s);(mm);(N)\n",
                lab->cloth);
}

static cb_status pull_strips(const vlab *lab, const double *angles_deg, size_t n, const char *path,
                             cb_err *err) {
  cb_draft out;
  CB_TRY(cb_draft_begin(&out, err));
  put_head(lab, out.to);
  for (size_t k = 0; k < n; k++) {
    cb_rng rng;
    cb_rng_init(&rng, lab->seed, VLAB_STREAM_STRIPS + 1000 * (uint64_t)lround(10 * angles_deg[k]));
    for (int i = 0; i < lab->have.strips; i++) {
      char name[24];
      const strip s = {angles_deg[k], vlab_specimen(&rng, lab->scatter.stretch),
                       MOUNT_MM + MOUNT_SD_MM * cb_rng_normal(&rng)};
      (void)snprintf(name, sizeof name, "S%d", i + 1);
      pull_strip(lab, &s, name, &rng, out.to);
    }
  }
  return cb_draft_save(&out, CB_OK, path, err);
}

cb_status vlab_strips(const vlab *lab, const char *path, cb_err *err) {
  return pull_strips(lab, lab->have.strip_angles_deg.v, lab->have.strip_angles_deg.n, path, err);
}

cb_status vlab_judged_strips(const vlab *lab, const char *path, cb_err *err) {
  return pull_strips(lab, &lab->have.judged_angle_deg, 1, path, err);
}
