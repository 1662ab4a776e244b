/* Any bytes as the checkpoint of a small scene of each of the models, its hash and check sums put right: a
 * state from which a step can be taken or fails with a sentence, or one sentence and the play as it was. The
 * first byte says which model. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../kit/resume_scenes.h"
#include "sim_play_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *folder; /* of the two files that a play is saved to */

static void remove_folder(void) {
  char command[300];
  (void)snprintf(command, sizeof command, "rm -r %s", folder);
  if (system(command) != 0) abort();
}

static void path_of(const char *name, char out[300]) {
  static char made[] = "/tmp/fuzz_resume_XXXXXX";
  if (!folder) {
    folder = mkdtemp(made);
    if (!folder || atexit(remove_folder) != 0) abort();
  }
  (void)snprintf(out, 300, "%s/%s", folder, name);
}

/* The play's state as a file has it. Caller frees. */
static uint8_t *state_of(sim_play *p, size_t *n) {
  char path[300];
  static uint8_t buffer[1 << 20];
  path_of("state", path);
  if (sim_play_save(p, path, NULL) != CB_OK) abort();
  FILE *f = fopen(path, "rb");
  if (!f) abort();
  *n = fread(buffer, 1, sizeof buffer, f);
  (void)fclose(f);
  uint8_t *copy = malloc(*n);
  if (!copy) abort();
  memcpy(copy, buffer, *n);
  return copy;
}

static void put_sum(uint8_t *data, size_t n) {
  const uint32_t sum = (uint32_t)crc32_z(0, data, n - 4);
  for (int k = 0; k < 4; k++) data[n - 4 + (size_t)k] = (uint8_t)(sum >> 8 * k);
}

#define HEAD 24

/* Its head is the play's, its sums are right; within, a cloth's own. */
static void put_right(uint8_t *data, size_t n, const uint8_t *own, const char *model) {
  static const char cloth[] = "CBCLOTH";
  const size_t head = HEAD + strlen(model);
  memcpy(data, own, head < n ? head : n);
  for (size_t at = head; at + 36 < n; at++) {
    uint64_t length = 0;
    if (memcmp(data + at, cloth, sizeof cloth) != 0) continue;
    for (int k = 0; k < 8; k++) length |= (uint64_t)data[at - 8 + (size_t)k] << 8 * k;
    if (at >= head + 8 && length > 36 && length <= n - at) put_sum(data + at, (size_t)length);
  }
  if (n >= 4) put_sum(data, n);
}

/* *before: the state that the play had. */
static void try_it(sim_play *p, uint8_t *data, size_t n, const uint8_t *before, size_t before_n) {
  cb_err err = {""};
  put_right(data, n, before, sim_play_model(p));
  if (sim_play_restore(p, data, n, "fuzz", &err) == CB_OK) {
    err.msg[0] = '\0';
    if (sim_play_step(p, NULL, &err) != CB_OK && !err.msg[0]) __builtin_trap();
    return;
  }
  size_t after_n;
  uint8_t *after = state_of(p, &after_n);
  if (!err.msg[0] || before_n != after_n || memcmp(before, after, before_n) != 0) __builtin_trap();
  free(after);
}

/* Made once; it goes back to its start from wherever it was brought. */
static sim_play *play_of(size_t model) {
  static sim_scene scene[RESUME_SCENES];
  static sim_play *play[RESUME_SCENES];
  const char *text = resume_scenes[model].text;
  if (!play[model] && (sim_scene_parse(text, strlen(text), "fuzz", &scene[model], NULL) != CB_OK ||
                       sim_play_new(&scene[model], &play[model], NULL) != CB_OK))
    abort();
  return play[model];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  sim_play *p = play_of(data[0] % RESUME_SCENES);
  size_t n;
  uint8_t *copy = malloc(size), *start = state_of(p, &n);
  if (!copy) abort();
  memcpy(copy, data + 1, size - 1);
  try_it(p, copy, size - 1, start, n);
  if (sim_play_restore(p, start, n, "start", NULL) != CB_OK) __builtin_trap();
  free(copy);
  free(start);
  return 0;
}
