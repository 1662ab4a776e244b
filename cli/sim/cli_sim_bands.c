/* The bands of --law-draw: played after the run, as JSON and in words. */
#include <stdio.h>

#include "cb_plural.h"
#include "cli_sim.h"

static void show_progress(void *context, double done, double total) {
  cli_progress("sim, drawn laws", done, total, context);
}

cb_status cli_sim_play_bands(cli_sim *r, const cb_stop *stop, cb_err *err) {
  const lab_scene_draws draws = {
      .n = r->draws, .stop = stop, .progress = show_progress, .context = r->scene.name};
  char path[CLI_SIM_PATH_BYTES];
  if (r->draws == 0) return CB_OK;
  CB_TRY(lab_scene_bands_play(r->play, &r->scene, &r->materials.laws, &draws, &r->bands, err));
  return lab_scene_bands_write(&r->bands, r->play, cli_sim_path(r, CLI_SIM_BANDS, path), err);
}

/* ---- JSON ---- */

static json_t *sources_json(unsigned set) {
  json_t *list = json_array();
  for (int k = 0; list && k < LAB_SCENE_SOURCES; k++)
    if (set & 1U << k) (void)json_array_append_new(list, json_string(lab_scene_source_names[k]));
  return list;
}

/* The places [mm] of a probe at the end. */
static void find_end(const cli_sim *r, int probe, double low_mm[3], double high_mm[3]) {
  const int at = (r->bands.rows - 1) * r->bands.columns + 6 * probe;
  for (int k = 0; k < 3; k++)
    low_mm[k] = 1e3 * r->bands.low[at + k], high_mm[k] = 1e3 * r->bands.high[at + k];
}

static json_t *probes_json(const cli_sim *r) {
  double low_mm[3], high_mm[3];
  json_t *all = json_array();
  for (int k = 0; all && k < r->scene.n_probes; k++) {
    find_end(r, k, low_mm, high_mm);
    (void)json_array_append_new(
        all, json_pack("{s:s, s:[fff], s:[fff]}", "name", r->scene.probe[k].name, "low_mm", low_mm[0],
                       low_mm[1], low_mm[2], "high_mm", high_mm[0], high_mm[1], high_mm[2]));
  }
  return all;
}

json_t *cli_sim_bands_json(const cli_sim *r) {
  const lab_scene_bands *b = &r->bands;
  if (b->n == 0) return json_null();
  return json_pack("{s:i, s:o, s:o, s:o}", "draws", b->n, "drawn", sources_json(b->drawn), "unknown",
                   sources_json(b->unknown), "probes", probes_json(r));
}

/* ---- words ---- */

static void print_sources(const char *what, unsigned set) {
  int n = 0;
  for (int k = 0; k < LAB_SCENE_SOURCES; k++)
    if (set & 1U << k) printf("%s%s", n++ > 0 ? ", " : what, lab_scene_source_names[k]);
}

void cli_sim_bands_print(const cli_sim *r) {
  const lab_scene_bands *b = &r->bands;
  if (b->n == 0) return;
  printf("laws drawn %d time%s", b->n, CB_S(b->n));
  print_sources(": ", b->drawn);
  print_sources("; their uncertainty is not known: ", b->unknown);
  printf("\n");
  for (int k = 0; k < r->scene.n_probes; k++) {
    double low_mm[3], high_mm[3];
    find_end(r, k, low_mm, high_mm);
    printf("probe %s at the end, 95 %%: x %.4g to %.4g mm, y %.4g to %.4g mm, z %.4g to %.4g mm\n",
           r->scene.probe[k].name, low_mm[0], high_mm[0], low_mm[1], high_mm[1], low_mm[2], high_mm[2]);
  }
}
