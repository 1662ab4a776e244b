/* The cases of a plan, checked before anything runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "swp_check.h"
#include "swp_run_impl.h"

/* ---- what commands say goes into a file meanwhile ---- */

typedef struct aside {
  FILE *file;
  int stderr_was, stdout_was;
} aside;

static cb_status put_aside(aside *a, cb_err *err) {
  (void)fflush(stdout);
  a->file = tmpfile();
  a->stderr_was = dup(STDERR_FILENO);
  a->stdout_was = dup(STDOUT_FILENO);
  if (a->file && a->stderr_was >= 0 && a->stdout_was >= 0 && dup2(fileno(a->file), STDERR_FILENO) >= 0 &&
      dup2(fileno(a->file), STDOUT_FILENO) >= 0)
    return CB_OK;
  return cb_fail(err, CB_E_IO, "no temporary file: %s", strerror(errno));
}

/* Puts back both, and reads what was said. */
static void put_back(aside *a, char *said, size_t size) {
  (void)fflush(stdout);
  (void)fflush(stderr);
  if (a->stderr_was >= 0) (void)dup2(a->stderr_was, STDERR_FILENO);
  if (a->stdout_was >= 0) (void)dup2(a->stdout_was, STDOUT_FILENO);
  if (a->stderr_was >= 0) (void)close(a->stderr_was);
  if (a->stdout_was >= 0) (void)close(a->stdout_was);
  said[0] = '\0';
  if (!a->file) return;
  rewind(a->file);
  said[fread(said, 1, size - 1, a->file)] = '\0';
  (void)fclose(a->file);
}

/* ---- a case ---- */

static cb_status refuse(const swp_plan *p, int index, const char *why, cb_err *err) {
  char name[300];
  swp_case_say(p, index, name, sizeof name);
  return cb_fail(err, CB_E_RANGE, "%s: %s", name, why);
}

static cb_status check_scene(const swp_plan *p, int index, const swp_checks *checks, cb_err *err) {
  cb_err why;
  char *text = swp_case_scene(p, index);
  if (!text) return cb_no_memory(err, "a scene");
  const cb_status st = checks->scene(text, p->file[0].name, &why);
  free(text);
  return st == CB_OK ? CB_OK : refuse(p, index, why.msg, err);
}

static cb_status check_case(const swp_plan *p, int index, const swp_checks *checks, bool *refused,
                            cb_err *err) {
  swp_command command;
  CB_TRY(swp_command_make(p, index, "FOLDER", &command, err));
  *refused = checks->command(command.argc, command.argv) != 0;
  swp_command_clear(&command);
  return *refused || !p->scene ? CB_OK : check_scene(p, index, checks, err);
}

cb_status swp_check(const swp_plan *p, int k, int n, const swp_checks *checks, cb_err *err) {
  aside a = {NULL, -1, -1};
  char said[2048], why[600];
  bool refused = false;
  int last = 0;
  cb_status st = put_aside(&a, err);
  for (int i = k - 1; st == CB_OK && !refused && i < p->n_cases; i += n) {
    last = i;
    st = check_case(p, i, checks, &refused, err);
  }
  put_back(&a, said, sizeof said);
  if (st != CB_OK || !refused) return st;
  swp_sentence_read(said, why, sizeof why);
  return refuse(p, last, why, err);
}
