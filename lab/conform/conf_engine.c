#include "conf_engine_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_draft.h"
#include "cb_file.h"
#include "cb_text.h"
#include "cb_time.h"
#include "cb_version.h"

#define HOLE "{folder}"
#define PYTHON "python3 {folder}/play.py {folder}"

/* Programs whose command and script are known. The script gets into the folder as play.py. */
typedef struct known {
  const char *name, *command, *script;
  bool imports_folder;         /* the script imports folder.py */
  bool has_shear, has_bending; /* the program can be told its own */
} known;
static const known known_engines[] = {
    {"blender",
     "blender --background --factory-startup --python-exit-code 1 --python {folder}/play.py -- {folder}",
     conf_blender_play, false, true, true},
    {"mujoco", PYTHON, conf_mujoco_play, true, false, true},
    {"newton", PYTHON " vbd", conf_newton_play, true, false, true},
    {"pybullet", PYTHON, conf_pybullet_play, true, false, false},
};
#define N_KNOWN (sizeof known_engines / sizeof known_engines[0])

static const known *find_known(const char *name) {
  for (size_t i = 0; i < N_KNOWN; i++)
    if (strcmp(name, known_engines[i].name) == 0) return &known_engines[i];
  return NULL;
}

cb_status conf_engine_init(const char *word, conf_engine *out, cb_err *err) {
  *out = (conf_engine){.has_directions = true, .limit_s = 600};
  const bool own = strcmp(word, "clothbench") == 0;
  const known *k = find_known(word);
  if (!own && !k && !strstr(word, HOLE))
    return cb_fail(
        err, CB_E_ARG,
        "'%.60s': clothbench, blender, mujoco, newton, pybullet, or a command with {folder} was wanted",
        word);
  if (strlen(word) >= sizeof out->name)
    return cb_fail(err, CB_E_ARG, "'%.60s...': a command of at most %zu characters was wanted", word,
                   sizeof out->name - 1);
  (void)snprintf(out->name, sizeof out->name, "%s", word);
  if (own) (void)snprintf(out->version, sizeof out->version, "clothbench %s", cb_version());
  out->has_directions = !k;
  out->has_hinges = k;
  out->has_shear = !k || k->has_shear;
  out->has_bending = !k || k->has_bending;
  return CB_OK;
}

/* ---- a command ---- */

/* Returns the command with the folder, quoted for the shell; the caller frees it. NULL: no memory. */
static char *fill_in(const char *command, const char *folder) {
  char *text;
  cb_draft d;
  if (cb_draft_begin(&d, NULL) != CB_OK) return NULL;
  for (const char *hole; (hole = strstr(command, HOLE)); command = hole + strlen(HOLE)) {
    fwrite(command, 1, (size_t)(hole - command), d.to);
    cb_text_put_shell(d.to, folder);
  }
  fputs(command, d.to);
  return cb_draft_end(&d, CB_OK, &text, NULL) == CB_OK ? text : NULL;
}

/* Its words go to log.txt of the folder. */
static _Noreturn void be_command(char *command, const char *log) {
  char shell[] = "sh", option[] = "-c";
  const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666), in = open("/dev/null", O_RDONLY);
  (void)setpgid(0, 0); /* what it starts can be ended with it */
  if (out < 0 || in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
      dup2(out, STDERR_FILENO) < 0)
    _exit(126);
  execvp(shell, (char *[]){shell, option, command, NULL});
  _exit(126);
}

static cb_status wait_for(pid_t pid, const conf_engine *e, const cb_stop *stop, int *status, cb_err *err) {
  const double end_s = cb_now_monotonic_s() + e->limit_s;
  for (;;) {
    const pid_t ended = waitpid(pid, status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return CB_OK;
    const bool late = cb_now_monotonic_s() > end_s;
    if (late || cb_stop_wanted(stop)) {
      (void)kill(-pid, SIGKILL);
      (void)waitpid(pid, status, 0);
      CB_TRY(cb_stop_check(stop, err));
      return cb_fail(err, CB_E_TIMEOUT, "%s: no result after %g s", e->name, e->limit_s);
    }
    cb_sleep_s(0.02);
  }
}

/* The last line that was said, which often has the reason. */
static void read_last_line(const char *log, char *out, size_t size) {
  char *text;
  size_t n;
  out[0] = '\0';
  if (cb_file_read(log, 16u << 20, &text, &n, NULL) != CB_OK) return;
  while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r')) text[--n] = '\0';
  const char *line = strrchr(text, '\n');
  (void)cb_text_show(line ? line + 1 : text, out, size);
  free(text);
}

static cb_status run(const conf_engine *e, const char *folder, const cb_stop *stop, cb_err *err) {
  char log[CONF_FOLDER_BYTES + 32], said[300];
  int status = 0;
  const known *k = find_known(e->name);
  char *command = fill_in(k ? k->command : e->name, folder);
  if (!command) return cb_no_memory(err, "a command");
  (void)snprintf(log, sizeof log, "%s/log.txt", folder);
  const pid_t pid = fork();
  if (pid == 0) be_command(command, log);
  free(command);
  if (pid < 0) return cb_fail(err, CB_E_IO, "%s: no process: %s", e->name, strerror(errno));
  CB_TRY(wait_for(pid, e, stop, &status, err));
  if (status == 0) return CB_OK;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return cb_fail(err, CB_E_NOTFOUND, "%s: the program is not installed here", e->name);
  read_last_line(log, said, sizeof said);
  return cb_fail(err, CB_E_IO, "%s: failed%s%s", e->name, said[0] ? ": " : "", said);
}

/* ---- an experiment ---- */

/* Blender plays what users get: the preset. */
static cb_status write_preset(const conf_case *c, const char *folder, cb_err *err) {
  char *preset;
  CB_TRY(exch_blender_write(&c->cloth, NULL, &preset, err));
  const cb_status st = conf_text_write(folder, "preset.py", preset, err);
  free(preset);
  return st;
}

static cb_status write_scripts(const known *k, const conf_case *c, const char *folder, cb_err *err) {
  CB_TRY(conf_text_write(folder, "play.py", k->script, err));
  return k->imports_folder ? conf_text_write(folder, "folder.py", conf_folder_py, err)
                           : write_preset(c, folder, err);
}

/* engine.txt, if the command wrote one. */
static void read_version(const char *folder, char version[80]) {
  char path[CONF_FOLDER_BYTES + 32], *text;
  size_t n;
  (void)snprintf(path, sizeof path, "%s/engine.txt", folder);
  if (cb_file_read(path, 4096, &text, &n, NULL) != CB_OK) return;
  text[strcspn(text, "\r\n")] = '\0';
  (void)cb_text_show(text, version, 80);
  free(text);
}

static cb_status play_in(const conf_engine *e, const conf_case *c, const char *folder, const cb_stop *stop,
                         double (*position)[3], char version[80], cb_err *err) {
  CB_TRY(conf_folder_write(c, folder, err));
  const known *k = find_known(e->name);
  if (k) CB_TRY(write_scripts(k, c, folder, err));
  CB_TRY(run(e, folder, stop, err));
  CB_TRY(conf_folder_read(c, folder, position, err));
  if (version) read_version(folder, version);
  return CB_OK;
}

cb_status conf_engine_play(const conf_engine *e, const conf_case *c, const char *keep, const cb_stop *stop,
                           double (*position)[3], char version[80], cb_err *err) {
  char folder[CONF_FOLDER_BYTES];
  CB_TRY(cb_stop_check(stop, err));
  const bool own = strcmp(e->name, "clothbench") == 0;
  if (own && !keep) return conf_own_play(c, position, err);
  if (!keep) {
    CB_TRY(cb_dir_make_temporary("clothbench-experiment", folder, sizeof folder, err));
  } else {
    (void)snprintf(folder, sizeof folder, "%s", keep);
    CB_TRY(cb_dir_make(folder, err));
  }
  if (own) {
    CB_TRY(conf_folder_write(c, folder, err));
    return conf_own_play(c, position, err);
  }
  const cb_status st = play_in(e, c, folder, stop, position, version, err);
  if (!keep) cb_dir_remove(folder);
  return st;
}
