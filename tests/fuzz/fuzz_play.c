/* Any text as a scene of any model: made and freed, or one sentence. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim_play.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Cloths of millions of vertices are made in earnest: that is for sim_scene's own target. */
static int is_small(const sim_scene *s) {
  for (int k = 0; k < s->n_sheets; k++)
    if (s->sheet[k].vertices > 500 || s->sheet[k].file[0]) return 0;
  for (int k = 0; k < s->n_bodies; k++)
    if (s->body[k].file[0]) return 0;
  return s->n_layers == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sim_scene s;
  sim_play *p = NULL;
  cb_err err = {""};
  cb_status st = sim_scene_parse((const char *)data, size, "fuzz", &s, &err);
  if (st == CB_OK && !is_small(&s)) {
    sim_scene_clear(&s);
    return 0;
  }
  if (st == CB_OK) st = sim_play_new(&s, &p, &err);
  if (st != CB_OK && (!err.msg[0] || p)) __builtin_trap();
  if (st == CB_OK && (sim_play_steps(p) < 1 || sim_play_done(p) != 0 || sim_play_columns(p) < 2))
    __builtin_trap();
  sim_play_free(p);
  sim_scene_clear(&s);
  return 0;
}
