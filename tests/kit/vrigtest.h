/* The rig the tests of the virtual rig start from: no noise, no scatter, no damping, so that closed forms
 * hold. */
#ifndef VRIGTEST_H
#define VRIGTEST_H

#include "cb_rig.h"
#include "cbtest.h"

static const char vrt_text[] =
    "name: test-bench\n"
    "stage: {driver: zaber-ascii, port: virtual, microstep_um: 0.1984375, limit_min_mm: 0, limit_max_mm: 100,"
    " max_speed_mm_per_s: 50, acceleration_mm_per_s2: 500, start_mm: 20}\n"
    "force: {driver: line, port: virtual, unit: N, rate_Hz: 200, overload_N: 8}\n"
    "calibration: {slope_N_per_unit: 1, u_rel: 0.002, resolution: 0.0001}\n"
    "bench: {cart_mass_g: 100, u_mass_g: 0.05, contact_area_cm2: 50, link_stiffness_N_per_m: 500, "
    "link_slack_mm: 2, u_angle_deg: 0.5}\n"
    "virtual: {time_scale: 40, quantum: 0.0001, zero: 0.05, latency_ms: 5, truth: {c00: 0.6, c01: 0.02, c11: "
    "0.45, n00: 0.9, n01: 0.9,"
    " n11: 0.93, static_excess: 0.25}}\n";

/* Change what the test is about afterwards; free with cb_rig_clear. */
static inline void vrt_rig(cb_rig *rig) { assert_ok(cb_rig_parse(vrt_text, "test.yaml", rig, err)); }

#endif
