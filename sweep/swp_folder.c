/* The folder in which a case writes its files. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "swp_run_impl.h"

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)info, (void)kind, (void)at;
  return remove(path);
}

static void remove_tree(const char *path) { (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static cb_status make(const swp_work *work, int index, char out[SWP_FOLDER_BYTES], cb_err *err) {
  const char *temporary = getenv("TMPDIR");
  if (work->plan->keep_files && work->keep) {
    (void)snprintf(out, SWP_FOLDER_BYTES, "%s/%07d", work->keep, index);
    remove_tree(out); /* of a case that was killed */
    return cb_dir_make(out, err);
  }
  (void)snprintf(out, SWP_FOLDER_BYTES, "%s/clothbench-sweep-XXXXXX",
                 temporary && temporary[0] ? temporary : "/tmp");
  if (mkdtemp(out)) return CB_OK;
  const int why = errno;
  cb_err_say(err, "%s: %s", out, strerror(why));
  out[0] = '\0';
  return CB_E_IO;
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
  if (folder[0] && !(work->plan->keep_files && work->keep)) remove_tree(folder);
}
