/* The air permeability tester: a test head of 20 cm2, ten pressures (ISO 9237, over a range of pressures).
 * Its file is a table with one column of pressures and a row per reading. */
#include <math.h>

#include "cb_draft.h"
#include "vlab_impl.h"

#define AREA_M2 20e-4
#define L_PER_MIN 60e3 /* m3/s */
#define LAYERS_MOST 4
/* Part of a layer's resistance that each layer but one has more: yarns lie over the next layer's pores. */
#define CONTACT 0.2

enum { AXIS_PRESSURE = 5, AXIS_FLOW };

static const double pressures_Pa[] = {20, 30, 50, 75, 100, 150, 200, 300, 400, 500};
#define N_PRESSURES ((int)(sizeof pressures_Pa / sizeof pressures_Pa[0]))

void vlab_stack_name(const vlab *lab, int layers, char out[80]) {
  (void)snprintf(out, 80, layers > 1 ? "%s x %d" : "%s", lab->cloth, layers);
}

/* Pieces in series: their resistances add, and those of their contacts. */
static vlab_truth draw_stack(const vlab *lab, int layers, cb_rng *rng) {
  vlab_truth t = {0};
  for (int k = 0; k < layers && k < LAYERS_MOST; k++) {
    const double tight = vlab_specimen(rng, lab->scatter.air) * (k > 0 ? 1 + CONTACT : 1);
    t.viscous_Pa_s_per_m += tight * lab->truth.viscous_Pa_s_per_m;
    t.inertial_Pa_s2_per_m2 += tight * lab->truth.inertial_Pa_s2_per_m2;
  }
  return t;
}

/* The pressure is set to what the gauge shows; the true one differs by the gauge's calibration and noise. */
static void blow_piece(const vlab *lab, const vlab_truth *piece, const char *names, cb_rng *rng, FILE *f) {
  const double by_pressure = vlab_calibration(lab, AXIS_PRESSURE, lab->have.pressure_Pa.u_rel),
               by_flow = vlab_calibration(lab, AXIS_FLOW, lab->have.flow_l_per_min.u_rel);
  for (int i = 0; i < N_PRESSURES; i++) {
    const double p = (pressures_Pa[i] + lab->have.pressure_Pa.noise * cb_rng_normal(rng)) / by_pressure,
                 flow = by_flow * L_PER_MIN * AREA_M2 * vlab_air_m_per_s(piece, p);
    (void)fprintf(f, "%s,%.0f,%.2f\n", names, pressures_Pa[i],
                  vlab_read(&lab->have.flow_l_per_min, flow, rng));
  }
}

cb_status vlab_airs(const vlab *lab, int layers, const char *path, cb_err *err) {
  cb_draft out;
  cb_rng rng;
  char cloth[80];
  CB_TRY(cb_draft_begin(&out, err));
  cb_rng_init(&rng, lab->seed, VLAB_STREAM_AIR + 1000 * (uint64_t)layers);
  vlab_stack_name(lab, layers, cloth);
  (void)fprintf(out.to,
                "# virtual air permeability tester, test head 20 cm2\nfabric,piece,dp_Pa,flow_L_min\n");
  for (int i = 0; i < (layers > 1 ? lab->have.stacks : lab->have.pieces); i++) {
    char names[120];
    const vlab_truth piece = draw_stack(lab, layers, &rng);
    (void)snprintf(names, sizeof names, "%s,P%d", cloth, i + 1);
    blow_piece(lab, &piece, names, &rng, out.to);
  }
  return cb_draft_save(&out, CB_OK, path, err);
}
