/* The folder in which a case writes its files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "swp_run_impl.h"

static cb_status make(const swp_work *work, int index, char out[SWP_FOLDER_BYTES], cb_err *err) {
  if (!work->plan->keep_files || !work->keep)
    return cb_dir_make_temporary("clothbench-sweep", out, SWP_FOLDER_BYTES, err);
  (void)snprintf(out, SWP_FOLDER_BYTES, "%s/%07d", work->keep, index);
  cb_dir_remove(out); /* of a case that was killed */
  return cb_dir_make(out, err);
}

cb_status swp_folder_make(const swp_work *work, int index, char out[SWP_FOLDER_BYTES], cb_err *err) {
  char path[SWP_FOLDER_BYTES + 16];
  out[0] = '\0';
  if (!swp_words_have(work->plan, "{folder}") && !swp_words_have(work->plan, "{scene}")) return CB_OK;
  CB_TRY(make(work, index, out, err));
  if (!work->plan->scene) return CB_OK;
  char *scene = swp_case_scene(work->plan, index);
  if (!scene) return cb_no_memory(err, "a scene");
  (void)snprintf(path, sizeof path, "%s/scene.yaml", out);
  const cb_status st = cb_file_write(path, scene, strlen(scene), err);
  free(scene);
  return st;
}

void swp_folder_end(const swp_work *work, const char *folder) {
  if (folder[0] && !(work->plan->keep_files && work->keep)) cb_dir_remove(folder);
}
