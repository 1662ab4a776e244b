/* The ready-made bodies, in life size. */
#include <stdbool.h>

#include "cb_num.h"
#include "sim_shape.h"
#include "sim_shape_impl.h"

const char *const sim_shape_ready_names[] = {"ball", "car",      "torso",  "toy",
                                             "vest", "mattress", "pillow", NULL};

#define QUARTER (CB_PI / 2)

/* A body at its own length; sim_shape_make scales it. */
typedef struct ready {
  double length_m;
  sim_shape_body body;
} ready;

static const ready ball = {0.6, {.n_parts = 1, .part = {{SIM_SHAPE_ELLIPSOID, .half_m = {0.3, 0.3, 0.3}}}}};

static const ready mattress = {
    2.0, {.n_parts = 1, .part = {{SIM_SHAPE_BOX, {0, 0, -0.1}, .half_m = {1, 0.7, 0.1}, .round_m = 0.05}}}};

static const ready pillow = {0.7,
                             {.n_parts = 2,
                              .part = {{SIM_SHAPE_BOX, .half_m = {0.35, 0.25, 0.05}, .round_m = 0.05},
                                       {SIM_SHAPE_ELLIPSOID, .half_m = {0.30, 0.21, 0.09}}},
                              .blend_m = 0.05}};

/* Body, cabin, windscreen, wheels. */
static const ready car = {
    4.2,
    {.n_parts = 7,
     .part = {{SIM_SHAPE_BOX, {0, 0, 0.56}, .half_m = {2.08, 0.82, 0.28}, .round_m = 0.18},
              {SIM_SHAPE_BOX, {-0.35, 0, 0.98}, .half_m = {1.0, 0.66, 0.38}, .round_m = 0.22},
              {SIM_SHAPE_ELLIPSOID, {0.6, 0, 0.82}, {0, 0.3, 0}, {0.75, 0.62, 0.2}, 0},
              {SIM_SHAPE_CAPSULE, {1.3, 0.66, 0.32}, {QUARTER, 0, 0}, {0, 0, 0.04}, 0.31},
              {SIM_SHAPE_CAPSULE, {1.3, -0.66, 0.32}, {QUARTER, 0, 0}, {0, 0, 0.04}, 0.31},
              {SIM_SHAPE_CAPSULE, {-1.3, 0.66, 0.32}, {QUARTER, 0, 0}, {0, 0, 0.04}, 0.31},
              {SIM_SHAPE_CAPSULE, {-1.3, -0.66, 0.32}, {QUARTER, 0, 0}, {0, 0, 0.04}, 0.31}},
     .blend_m = 0.12,
     .bump_m = 0.04,
     .bump_every_m = 0.45}};

/* Hips, waist, chest, breast, shoulders, neck, what there is of arms. */
#define TORSO                                                                               \
  .n_parts = 9,                                                                             \
  .part = {{SIM_SHAPE_ELLIPSOID, {0, 0, 0.13}, .half_m = {0.18, 0.125, 0.13}},              \
           {SIM_SHAPE_ELLIPSOID, {0, 0, 0.28}, .half_m = {0.145, 0.105, 0.16}},             \
           {SIM_SHAPE_ELLIPSOID, {0, 0, 0.44}, .half_m = {0.165, 0.12, 0.15}},              \
           {SIM_SHAPE_ELLIPSOID, {0.07, -0.07, 0.45}, .half_m = {0.075, 0.06, 0.065}},      \
           {SIM_SHAPE_ELLIPSOID, {-0.07, -0.07, 0.45}, .half_m = {0.075, 0.06, 0.065}},     \
           {SIM_SHAPE_CAPSULE, {0, 0, 0.53}, {0, QUARTER, 0}, {0, 0, 0.13}, 0.06},          \
           {SIM_SHAPE_CAPSULE, {0, 0.01, 0.65}, .half_m = {0, 0, 0.042}, .round_m = 0.058}, \
           {SIM_SHAPE_CAPSULE, {0.19, 0, 0.5}, {0, QUARTER, 0}, {0, 0, 0.08}, 0.055},       \
           {SIM_SHAPE_CAPSULE, {-0.19, 0, 0.5}, {0, QUARTER, 0}, {0, 0, 0.08}, 0.055}},     \
  .blend_m = 0.07

static const ready torso = {0.75, {TORSO}};

/* From the waist to the neck; cut across waist, neck and arms, so that the rims are as round as it is
 * thick. */
static const ready vest = {0.75,
                           {TORSO, .shell_m = {0.012, 0.047}, .edge_m = 0.03, .n_cuts = 4,
                            .cut = {{SIM_SHAPE_BOX, {0, 0, -0.3}, .half_m = {1, 1, 0.5}},
                                    {SIM_SHAPE_BOX, {0, 0, 1.165}, .half_m = {1, 1, 0.5}},
                                    {SIM_SHAPE_BOX, {0.735, 0, 0}, .half_m = {0.5, 1, 1}},
                                    {SIM_SHAPE_BOX, {-0.735, 0, 0}, .half_m = {0.5, 1, 1}}}}};

/* Belly, head, ears, muzzle, arms, legs. */
static const ready toy = {
    0.35,
    {.n_parts = 9,
     .part = {{SIM_SHAPE_ELLIPSOID, {0, 0, 0.11}, .half_m = {0.085, 0.075, 0.11}},
              {SIM_SHAPE_ELLIPSOID, {0, -0.01, 0.262}, .half_m = {0.075, 0.07, 0.07}},
              {SIM_SHAPE_ELLIPSOID, {0.055, 0, 0.32}, .half_m = {0.03, 0.02, 0.03}},
              {SIM_SHAPE_ELLIPSOID, {-0.055, 0, 0.32}, .half_m = {0.03, 0.02, 0.03}},
              {SIM_SHAPE_ELLIPSOID, {0, -0.075, 0.25}, .half_m = {0.032, 0.04, 0.028}},
              {SIM_SHAPE_CAPSULE, {0.095, -0.04, 0.14}, {-0.8, -0.4, 0}, {0, 0, 0.04}, 0.028},
              {SIM_SHAPE_CAPSULE, {-0.095, -0.04, 0.14}, {-0.8, 0.4, 0}, {0, 0, 0.04}, 0.028},
              {SIM_SHAPE_CAPSULE, {0.065, -0.08, 0.036}, {QUARTER, 0.25, 0}, {0, 0, 0.055}, 0.036},
              {SIM_SHAPE_CAPSULE, {-0.065, -0.08, 0.036}, {QUARTER, -0.25, 0}, {0, 0, 0.055}, 0.036}},
     .blend_m = 0.025}};

sim_shape_body sim_shape_make(sim_shape_ready which, double length_m) {
  static const ready *const all[] = {&ball, &car, &torso, &toy, &vest, &mattress, &pillow};
  sim_shape_body out = all[which]->body;
  if (length_m > 0) sim_shape_scale(&out, length_m / all[which]->length_m);
  return out;
}
