#include "report_child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(const char *const argv[], int in, int to, int words) {
  if (in < 0) in = open("/dev/null", O_RDONLY);
  if (in < 0 || dup2(in, 0) < 0 || dup2(to, 1) < 0 || dup2(words, 2) < 0) _exit(126);
  (void)execvp(argv[0], (char *const *)argv);
  _exit(errno == ENOENT ? 127 : 126);
}

/* The line that says where ("line 3: undefined variable"), else the first. */
static void read_words(FILE *log, char out[160]) {
  char line[400];
  out[0] = '\0';
  rewind(log);
  while (fgets(line, sizeof line, log)) {
    const char *where = strstr(line, "line ");
    line[strcspn(line, "\n")] = '\0';
    if (where || !out[0]) (void)snprintf(out, 160, "%s", where ? where : line);
    if (where) return;
  }
}

cb_status report_child_end(pid_t pid, const char *name, const char *need, FILE *log, cb_err *err) {
  char words[160];
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return cb_fail(err, CB_E_IO, "%s: cannot wait for it: %s", name, strerror(errno));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CB_OK;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return cb_fail(err, CB_E_NOTFOUND, "%s is not installed: %s", name, need);
  if (WIFSIGNALED(status)) return cb_fail(err, CB_E_IO, "%s was ended by signal %d", name, WTERMSIG(status));
  read_words(log, words);
  return cb_fail(err, CB_E_IO, "%s failed with exit status %d: %s", name, WEXITSTATUS(status),
                 words[0] ? words : "it did not say why");
}

cb_status report_child_start(const char *const argv[], int in, int to, int words, pid_t *pid, cb_err *err) {
  *pid = fork();
  if (*pid == 0) child(argv, in, to, words);
  return *pid > 0 ? CB_OK : cb_fail(err, CB_E_IO, "%s: cannot start it: %s", argv[0], strerror(errno));
}

cb_status report_child_run(const char *const argv[], int in, int to, const char *need, cb_err *err) {
  FILE *log = tmpfile();
  pid_t pid;
  if (!log) return cb_fail(err, CB_E_IO, "%s: no temporary file for its words: %s", argv[0], strerror(errno));
  cb_status st = report_child_start(argv, in, to, fileno(log), &pid, err);
  if (st == CB_OK) st = report_child_end(pid, argv[0], need, log, err);
  (void)fclose(log);
  return st;
}
