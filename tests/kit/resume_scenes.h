/* A small scene of each of the seven models, for what is saved and loaded. Each has what is hard to carry on:
 * contacts, meshes that change, air, multipliers, a hand. */
#ifndef RESUME_SCENES_H
#define RESUME_SCENES_H

typedef struct resume_scene {
  const char *name, *text;
} resume_scene;

#define RESUME_CLOTH                                                                               \
  "material: {areal_density_g_per_m2: 150, stretch_warp_N_per_m: 500, stretch_weft_N_per_m: 500, " \
  "shear_N_per_m: 50,\n"                                                                           \
  "    bend_warp_uN_m: 5, bend_weft_uN_m: 5, thickness_mm: 1, bend_hysteresis_warp_mN: 0.01, "     \
  "bend_hysteresis_weft_mN: 0.01}\n"

static const resume_scene resume_scenes[] = {
    /* Falls on a turning ball, folds on itself, one corner held and led. */
    {"cloth",
     "name: a\n"
     "sheet: {shape: rectangle, length_mm: 120, width_mm: 120, vertices: 60, at_mm: [0, 0, 20]}\n"
     "cloth: {self_friction: 0.2}\n" RESUME_CLOTH "bodies: [{shape: sphere, radius_mm: 18, friction: 0.3, "
     "motion: [{until_s: 1, spin_deg_per_s: [0, 0, 300]}]},\n"
     "  {shape: plane, at_mm: [0, 0, -20], friction: 0.3}]\n"
     "held: [{box_mm: [50, 50, 0, 70, 70, 40], motion: [{until_s: 0.1, velocity_mm_per_s: [-200, 0, 0]}]}]\n"
     "time: {duration_s: 0.3, step_ms: 10, scheme: bdf2, adaptive: true}\n"
     "output: {probes: [{name: rim, at_mm: [-60, -60, 20]}]}\n"},
    {"layers",
     "name: a\n" RESUME_CLOTH "layers:\n  - {shape: pillow, length_mm: 100, cell_mm: 30, at_mm: [0, "
     "0, 37], density_kg_per_m3: 30, young_kPa: 20, poisson: 0.3,\n"
     "     friction: 0.3, friction_on_bodies: 0.3, case: {vertices: 100}, air: {over_Pa: 20, "
     "permeability_mm_per_s: 50}}\n"
     "  - {shape: ball, length_mm: 30, vertices: 60, rigid: true, friction: 0.3, at_mm: [0, 0, 109],\n"
     "     motion: [{until_s: 1, velocity_mm_per_s: [0, 0, -200]}]}\n"
     "bodies: [{shape: plane, friction: 0.3}]\ntime: {duration_s: 0.1, step_ms: 5}\n"},
    {"limited",
     "name: a\n"
     "sheet: {shape: rectangle, length_mm: 200, width_mm: 200, cells: 5, turned_deg: [90, 0, 0], at_mm: [0, "
     "0, "
     "-100]}\n"
     "held: upper-corners\n"
     "material: {areal_density_g_per_m2: 150, thickness_mm: 0, stretch_N_per_m: 20, bend_uN_m: 100, "
     "drag_per_s: 5}\n"
     "limited: {method: mapped}\n"
     "bodies: [{shape: sphere, radius_mm: 60, at_mm: [0, -70, -100], motion: [{until_s: 1, "
     "velocity_mm_per_s: [0, 100, 0]}]}]\n"
     "time: {duration_s: 0.3, step_ms: 10}\noutput: {probes: [{name: middle, at_mm: [0, 0, -100]}]}\n"},
    {"remeshed",
     "name: a\n"
     "sheet: {shape: disc, radius_mm: 60, edge_mm: 25}\n"
     "held: {part: middle, within_mm: 30}\n"
     "material: {areal_density_g_per_m2: 150, stretch_N_per_m: 500, shear_N_per_m: 20, bend_uN_m: 10, "
     "drag_per_s: 1}\n"
     "remeshed: {waves: 5, wave_mm: 2, every_steps: 5, edge_min_mm: 5, edge_max_mm: 30, change_m_per_s: 0,\n"
     "  meets_itself: true}\ntime: {duration_s: 0.3, step_ms: 10}\n"
     "output: {probes: [{name: rim, at_mm: [60, 0, 0]}]}\n"},
    {"conditions",
     "name: a\n"
     "sheet: {shape: rectangle, length_mm: 200, width_mm: 200, cells: 5, turned_deg: [90, 0, 0], at_mm: [0, "
     "0, "
     "-100]}\n"
     "held: upper-corners\n"
     "material: {areal_density_g_per_m2: 150, stretch_N_per_m: 20, shear_N_per_m: 5, bend_uN_m: 10}\n"
     "conditions: {stretch_damping_Ns_per_m: 0.02, bend_damping_uN_m_s: 1, wind_m_per_s: [0, 4, 0], "
     "wind_Ns_per_m3: 1}\n"
     "time: {duration_s: 0.3, step_ms: 10}\noutput: {probes: [{name: hem, at_mm: [0, 0, -200]}]}\n"},
    /* Bursts, and seeps. */
    {"splash",
     "name: a\n"
     "sheet: {shape: rectangle, length_mm: 200, width_mm: 200, cells: 5, at_mm: [500, 500, 500]}\n"
     "held: {part: corners, within_mm: 30}\n"
     "material: {areal_density_g_per_m2: 150, thickness_mm: 1, stretch_N_per_m: 300, bend_uN_m: 10, "
     "damping_ms: 2,\n"
     "  permeability_mm_per_s: 1000000}\n"
     "splash:\n  spacing_mm: 20\n  tear_strain: 0.02\n  tear_s: 0.08\n"
     "  liquid: [{from_mm: [440, 440, 520], to_mm: [560, 560, 580], velocity_m_per_s: [0, 0, -1]}]\n"
     "time: {duration_s: 0.2, step_ms: 5}\noutput: {probes: [{name: drop, at_mm: [500, 500, 550]}]}\n"},
    {"curtain",
     "name: a\n"
     "sheet: {shape: rectangle, length_mm: 300, width_mm: 200}\n"
     "material: {areal_density_g_per_m2: 150, thickness_mm: 2}\n"
     "curtain:\n  columns: 4\n  nodes: 6\n  segments: 3\n  hung_width_mm: 120\n"
     "  wind: {speed_m_per_s: 5, turbulence: 1, seed: 3, centre_mm: [60, -300, -150], direction: [0, 1, 0]}\n"
     "  drag:\n    column: 1\n    node: 4\n    path: [{time_s: 0.05, at_mm: [40, 0, -240]}, {time_s: 0.2, "
     "at_mm: [40, 100, -200]}]\n"
     "bodies: [{shape: sphere, radius_mm: 40, at_mm: [60, 60, -150], motion: [{until_s: 1, "
     "velocity_mm_per_s: [0, -100, 0]}]}]\n"
     "time: {duration_s: 0.3, step_ms: 10}\noutput: {probes: [{name: hem, at_mm: [60, 0, -300]}]}\n"},
};
#define RESUME_SCENES (sizeof resume_scenes / sizeof resume_scenes[0])

#endif
