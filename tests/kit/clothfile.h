/* Checkpoints of a cloth in files. */
#ifndef CLOTHFILE_H
#define CLOTHFILE_H

#include <stdlib.h>

#include "cb_file.h"
#include "sim_cloth_room.h"

static inline cb_status cloth_save(const sim_cloth *c, const char *path, cb_err *err) {
  cb_bytes b = {0};
  sim_cloth_checkpoint(c, &b);
  return cb_bytes_write(&b, path, err);
}

static inline cb_status cloth_load(sim_cloth *c, const char *path, cb_err *err) {
  char *data;
  size_t n;
  CB_TRY(cb_file_read(path, (size_t)1 << 30, &data, &n, err));
  cb_status st = sim_cloth_restore(c, (const unsigned char *)data, n, path, err);
  free(data);
  return st;
}

#endif
