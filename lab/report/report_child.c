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

static cb_status wait_for(pid_t pid, const char *name, const char *need, FILE *log, cb_err *err) {
  char words[160];
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return cb_fail(err, CB_E_IO, "%s: cannot wait for it: %s", name, strerror(errno));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CB_OK;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return cb_fail(err, CB_E_NOTFOUND, "%s is not installed: %s", name, need);
  read_words(log, words);
  if (WIFSIGNALED(status)) return cb_fail(err, CB_E_IO, "%s was ended by signal %d", name, WTERMSIG(status));
  return cb_fail(err, CB_E_IO, "%s failed with exit status %d: %s", name, WEXITSTATUS(status),
                 words[0] ? words : "it did not say why");
}

cb_status report_child_run(const char *const argv[], int in, int to, const char *need, cb_err *err) {
  FILE *log = tmpfile();
  if (!log) return cb_fail(err, CB_E_IO, "%s: no temporary file for its words: %s", argv[0], strerror(errno));
  const pid_t pid = fork();
  if (pid == 0) child(argv, in, to, fileno(log));
  const cb_status st = pid < 0 ? cb_fail(err, CB_E_IO, "%s: cannot start it: %s", argv[0], strerror(errno))
                               : wait_for(pid, argv[0], need, log, err);
  (void)fclose(log);
  return st;
}
