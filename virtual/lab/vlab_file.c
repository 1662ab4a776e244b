/* The file of a laboratory: rigs/virtual-lab.yaml. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_file.h"
#include "cb_yaml.h"
#include "vlab_impl.h"

#define MAX_BYTES ((size_t)1 << 20)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define NUM(S, key_, member_, min_, max_, scale_)                                                 \
  {                                                                                               \
    .key = key_, .kind = CB_Y_NUM, .offset = offsetof(S, member_), .required = true, .min = min_, \
    .max = max_, .scale = scale_                                                                  \
  }
#define INT(key_, member_, most_)                                                                   \
  {                                                                                                 \
    .key = key_, .kind = CB_Y_INT, .offset = offsetof(vlab_instruments, member_), .required = true, \
    .min = 1, .max = most_                                                                          \
  }
#define NODE(S, member_) \
  { .key = #member_, .kind = CB_Y_NODE, .offset = offsetof(S, member_), .required = true }

typedef struct root_part {
  char cloth[64];
  int seed;
  cb_ynode truth, scatter, instruments;
} root_part;

typedef struct truth_part {
  vlab_truth t;
  cb_ynode stretch, bending;
} truth_part;

typedef struct instruments_part {
  vlab_instruments v;
  cb_ynode extension_mm, load_N, curvature_per_cm, moment_gf_cm_per_cm, pressure_Pa, flow_l_per_min;
} instruments_part;

static const cb_yfield root_fields[] = {
    {.key = "cloth",
     .kind = CB_Y_STR,
     .offset = offsetof(root_part, cloth),
     .size = sizeof((root_part *)0)->cloth,
     .required = true},
    {.key = "seed", .kind = CB_Y_INT, .offset = offsetof(root_part, seed), .min = 0, .max = 1e9},
    NODE(root_part, truth),
    NODE(root_part, scatter),
    NODE(root_part, instruments),
};

static const cb_yfield truth_fields[] = {
    NUM(truth_part, "areal_mass_g_per_m2", t.areal_density_kg_per_m2, 1, 1e4, 1e-3),
    NUM(truth_part, "thickness_mm", t.thickness_m, 0.01, 20, 1e-3),
    NUM(truth_part, "viscous_Pa_s_per_m", t.viscous_Pa_s_per_m, 1, 1e7, 1),
    NUM(truth_part, "inertial_Pa_s2_per_m2", t.inertial_Pa_s2_per_m2, 0, 1e8, 1),
    NODE(truth_part, stretch),
    NODE(truth_part, bending),
};

static const cb_yfield stretch_fields[] = {
    NUM(vlab_membrane, "warp_N_per_m", warp_N_per_m, 1, 1e6, 1),
    NUM(vlab_membrane, "weft_N_per_m", weft_N_per_m, 1, 1e6, 1),
    NUM(vlab_membrane, "shear_N_per_m", shear_N_per_m, 0.1, 1e6, 1),
    NUM(vlab_membrane, "cross_N_per_m", cross_N_per_m, 0, 1e6, 1),
    NUM(vlab_membrane, "warp_growth", warp_growth, 0, 200, 1),
    NUM(vlab_membrane, "weft_growth", weft_growth, 0, 200, 1),
    NUM(vlab_membrane, "shear_growth", shear_growth, 0, 200, 1),
};

static const cb_yfield bending_fields[] = {
    NUM(vlab_bending, "warp_uN_m", warp_Nm, 1e-3, 1e5, 1e-6),
    NUM(vlab_bending, "weft_uN_m", weft_Nm, 1e-3, 1e5, 1e-6),
    NUM(vlab_bending, "twist_uN_m", twist_Nm, 0, 1e5, 1e-6),
    NUM(vlab_bending, "friction_warp_mN", friction_N[0], 0, 1e3, 1e-3),
    NUM(vlab_bending, "friction_weft_mN", friction_N[1], 0, 1e3, 1e-3),
    NUM(vlab_bending, "onset_per_m", onset_per_m, 0.1, 1e3, 1),
};

static const cb_yfield scatter_fields[] = {
    NUM(vlab_scatter, "mass_rel", mass, 0, 0.2, 1),
    NUM(vlab_scatter, "stretch_rel", stretch, 0, 0.2, 1),
    NUM(vlab_scatter, "bending_rel", bending, 0, 0.2, 1),
    NUM(vlab_scatter, "air_rel", air, 0, 0.2, 1),
};

static const cb_yfield axis_fields[] = {
    NUM(vlab_axis, "u_rel", u_rel, 0, 0.1, 1),
    NUM(vlab_axis, "noise", noise, 0, 10, 1),
    NUM(vlab_axis, "digit", digit, 1e-6, 10, 1),
};

static const cb_yfield instrument_fields[] = {
    NUM(instruments_part, "u_mass_rel", v.u_mass_rel, 0, 0.1, 1),
    NUM(instruments_part, "u_thickness_rel", v.u_thickness_rel, 0, 0.1, 1),
    {.key = "strip_angles_deg",
     .kind = CB_Y_NUMLIST,
     .offset = offsetof(instruments_part, v.strip_angles_deg),
     .required = true,
     .min = 0,
     .max = 90},
    NUM(instruments_part, "judged_angle_deg", v.judged_angle_deg, 0, 90, 1),
    INT("strips", strips, 100),
    INT("bent", bent, 100),
    INT("pieces", pieces, 100),
    INT("stacks", stacks, 100),
    INT("drapes", drapes, 100),
    INT("drape_vertices", drape_vertices, 100000),
    NODE(instruments_part, extension_mm),
    NODE(instruments_part, load_N),
    NODE(instruments_part, curvature_per_cm),
    NODE(instruments_part, moment_gf_cm_per_cm),
    NODE(instruments_part, pressure_Pa),
    NODE(instruments_part, flow_l_per_min),
};

static cb_status bind_truth(cb_ynode at, vlab_truth *out, cb_err *err) {
  truth_part p = {.t = {0}};
  CB_TRY(cb_yaml_bind(at, truth_fields, COUNT(truth_fields), &p, err));
  CB_TRY(cb_yaml_bind(p.stretch, stretch_fields, COUNT(stretch_fields), &p.t.membrane, err));
  CB_TRY(cb_yaml_bind(p.bending, bending_fields, COUNT(bending_fields), &p.t.bending, err));
  const vlab_membrane *m = &p.t.membrane;
  if (m->cross_N_per_m * m->cross_N_per_m >= m->warp_N_per_m * m->weft_N_per_m)
    return cb_yaml_fail(p.stretch, err, CB_E_RANGE,
                        "cross_N_per_m = %g: must be less than the geometric mean of warp and weft",
                        m->cross_N_per_m);
  *out = p.t;
  return CB_OK;
}

static cb_status bind_instruments(cb_ynode at, vlab_instruments *out, cb_err *err) {
  instruments_part p = {.v = {.strips = 0}};
  CB_TRY(cb_yaml_bind(at, instrument_fields, COUNT(instrument_fields), &p, err));
  const struct {
    cb_ynode at;
    vlab_axis *axis;
  } axes[] = {{p.extension_mm, &p.v.extension_mm},         {p.load_N, &p.v.load_N},
              {p.curvature_per_cm, &p.v.curvature_per_cm}, {p.moment_gf_cm_per_cm, &p.v.moment_gf_cm_per_cm},
              {p.pressure_Pa, &p.v.pressure_Pa},           {p.flow_l_per_min, &p.v.flow_l_per_min}};
  for (size_t i = 0; i < COUNT(axes); i++)
    CB_TRY(cb_yaml_bind(axes[i].at, axis_fields, COUNT(axis_fields), axes[i].axis, err));
  *out = p.v;
  return CB_OK;
}

static cb_status bind_root(cb_ynode root, vlab *out, cb_err *err) {
  root_part p = {.seed = 1};
  CB_TRY(cb_yaml_bind(root, root_fields, COUNT(root_fields), &p, err));
  *out = (vlab){.seed = (uint64_t)p.seed, .drape_area_factor = 1};
  (void)snprintf(out->cloth, sizeof out->cloth, "%s", p.cloth);
  CB_TRY(bind_truth(p.truth, &out->truth, err));
  CB_TRY(cb_yaml_bind(p.scatter, scatter_fields, COUNT(scatter_fields), &out->scatter, err));
  return bind_instruments(p.instruments, &out->have, err);
}

cb_status vlab_parse(const char *text, size_t n, const char *name, vlab *out, cb_err *err) {
  cb_yaml *doc = NULL;
  CB_TRY(cb_yaml_parse(text, n, name, &doc, err));
  const cb_status st = bind_root(cb_yaml_root(doc), out, err);
  cb_yaml_free(doc);
  return st;
}

cb_status vlab_load(const char *path, vlab *out, cb_err *err) {
  char *text;
  size_t n;
  CB_TRY(cb_file_read(path, MAX_BYTES, &text, &n, err));
  const cb_status st = vlab_parse(text, n, path, out, err);
  free(text);
  return st;
}

vlab vlab_moved(const vlab *lab, double factor) {
  vlab moved = *lab;
  vlab_membrane *m = &moved.truth.membrane;
  double *const scaled[] = {&m->warp_N_per_m,
                            &m->weft_N_per_m,
                            &m->shear_N_per_m,
                            &m->cross_N_per_m,
                            &moved.truth.viscous_Pa_s_per_m,
                            &moved.truth.inertial_Pa_s2_per_m2};
  for (size_t i = 0; i < COUNT(scaled); i++) *scaled[i] *= factor;
  moved.drape_area_factor *= factor;
  return moved;
}
