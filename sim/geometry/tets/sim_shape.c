#include "sim_shape.h"

#include <math.h>

#include "cb_num.h"
#include "sim_shape_field.h"
#include "sim_shape_impl.h"

const char *const sim_shape_kind_names[] = {"ellipsoid", "capsule", "box", NULL};

static cb_status check_part(const sim_shape_part *p, const char *what, cb_err *err) {
  for (int k = 0; k < 3; k++) {
    CB_TRY(cb_check_range(p->origin_m[k], -1e3, 1e3, what, "m", err));
    CB_TRY(cb_check_range(p->turned_rad[k], -100, 100, what, "rad", err));
    if (p->kind == SIM_SHAPE_CAPSULE && k < 2) continue;
    CB_TRY(cb_check_range(p->half_m[k], p->kind == SIM_SHAPE_CAPSULE ? 0 : 1e-6, 1e3, what, "m", err));
    if (p->kind == SIM_SHAPE_BOX && !(p->round_m >= 0 && p->round_m <= p->half_m[k]))
      return cb_fail(err, CB_E_RANGE, "%s: rounded by %g m: 0 to half its least side, %g m, was wanted", what,
                     p->round_m, p->half_m[k]);
  }
  if (p->kind == SIM_SHAPE_CAPSULE) CB_TRY(cb_check_range(p->round_m, 1e-6, 1e3, what, "m", err));
  return CB_OK;
}

cb_status sim_shape_check(const sim_shape_body *b, cb_err *err) {
  if (b->n_parts < 1 || b->n_parts > SIM_SHAPE_PARTS || b->n_cuts < 0 || b->n_cuts > SIM_SHAPE_CUTS)
    return cb_fail(err, CB_E_RANGE,
                   "shape: %d parts and %d cuts: 1 to %d parts and at most %d cuts were wanted", b->n_parts,
                   b->n_cuts, SIM_SHAPE_PARTS, SIM_SHAPE_CUTS);
  for (int i = 0; i < b->n_parts; i++) {
    cb_status st = check_part(&b->part[i], sim_shape_kind_names[b->part[i].kind], err);
    if (st != CB_OK) return cb_fail_in(err, st, "shape: part %d", i);
  }
  for (int i = 0; i < b->n_cuts; i++) {
    cb_status st = check_part(&b->cut[i], sim_shape_kind_names[b->cut[i].kind], err);
    if (st != CB_OK) return cb_fail_in(err, st, "shape: cut %d", i);
  }
  CB_TRY(cb_check_range(b->blend_m, 0, 1e3, "shape: blend", "m", err));
  CB_TRY(cb_check_range(b->bump_m, 0, 1e3, "shape: bump", "m", err));
  if (b->bump_m > 0)
    CB_TRY(cb_check_range(b->bump_every_m, 4 * b->bump_m, 1e3, "shape: length of a bump", "m", err));
  bool shell = b->shell_m[0] != 0 || b->shell_m[1] != 0;
  if (shell && !(b->shell_m[1] > b->shell_m[0] && fabs(b->shell_m[0]) < 1e3 && b->shell_m[1] < 1e3))
    return cb_fail(err, CB_E_RANGE, "shape: shell from %g to %g m: the second must be larger", b->shell_m[0],
                   b->shell_m[1]);
  return cb_check_range(b->edge_m, 0, shell ? b->shell_m[1] - b->shell_m[0] : 1e3, "shape: rounding of edges",
                        "m", err);
}

static void scale_part(sim_shape_part *p, double s) {
  for (int k = 0; k < 3; k++) {
    p->origin_m[k] *= s;
    p->half_m[k] *= s;
  }
  p->round_m *= s;
}

void sim_shape_scale(sim_shape_body *b, double s) {
  for (int i = 0; i < b->n_parts; i++) scale_part(&b->part[i], s);
  for (int i = 0; i < b->n_cuts; i++) scale_part(&b->cut[i], s);
  b->blend_m *= s;
  b->bump_m *= s;
  b->bump_every_m *= s;
  b->shell_m[0] *= s;
  b->shell_m[1] *= s;
  b->edge_m *= s;
}
