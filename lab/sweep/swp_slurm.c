/* The job for Slurm. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_draft.h"
#include "cb_file.h"
#include "cb_text.h"
#include "swp_home_impl.h"

/* What neither a shell nor sbatch takes for more than a letter: sbatch reads quotation marks, #, \ and % in
 * its own way, and ends a word at a blank and a line at a line feed. */
static bool is_plain(const char *text) {
  return !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._,:=@+-")];
}

/* Where the tasks' words go. Slurm adds its own words, such as why it ended a task, only where its line can
 * name the file; for other folders the shell names it. */
static void put_output(FILE *to, const swp_home *h) {
  if (is_plain(h->folder))
    fprintf(to, "#SBATCH --output=%s/log/%%a.txt\n#SBATCH --open-mode=append\n", h->folder);
  else
    fputs("#SBATCH --output=/dev/null\n", to);
}

static void put_redirection(FILE *to, const swp_home *h) {
  if (is_plain(h->folder)) return;
  fputs("exec >>", to);
  cb_text_put_shell(to, h->folder);
  fputs("/log/\"$SLURM_ARRAY_TASK_ID\".txt 2>&1\n", to);
}

static void put_script(FILE *to, const swp_home *h, const swp_slurm *s, int tasks, const char *program) {
  fprintf(to, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --array=1-%d\n#SBATCH --requeue\n", h->plan.name,
          tasks);
  fputs("#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n", to);
  put_output(to, h);
  if (s->partition[0]) fprintf(to, "#SBATCH --partition=%s\n", s->partition);
  if (s->account[0]) fprintf(to, "#SBATCH --account=%s\n", s->account);
  if (s->minutes) fprintf(to, "#SBATCH --time=%d\n", s->minutes);
  fputs("# Written by 'clothbench sweep'. A task plays every ", to);
  fprintf(to, "%dth case. One that is put on another node goes on where it was.\n", tasks);
  put_redirection(to, h);
  fputs("exec ", to);
  cb_text_put_shell(to, program);
  fputs(" sweep ", to);
  cb_text_put_shell(to, h->folder);
  fprintf(to, "/plan.yaml --out ");
  cb_text_put_shell(to, h->folder);
  fprintf(to, " --shard \"$SLURM_ARRAY_TASK_ID\"/%d --quiet\n", tasks);
}

/* Slurm's nodes may have another present folder. */
static cb_status make_absolute(swp_home *h, cb_err *err) {
  char *path = realpath(h->folder, NULL);
  const bool ok = path && strlen(path) < sizeof h->folder;
  if (ok) memcpy(h->folder, path, strlen(path) + 1);
  free(path);
  if (!ok) return cb_fail(err, CB_E_IO, "%s: cannot be found", h->folder);
  return cb_check_line(h->folder, "the folder's whole path", err); /* as the tasks' command lines are */
}

static cb_status check_word(const char *what, const char *text, cb_err *err) {
  return is_plain(text)
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "%s = '%s': letters, digits and /._,:=@+- were wanted", what, text);
}

cb_status swp_home_write_job(swp_home *h, const swp_slurm *s, int tasks, cb_err *err) {
  char path[SWP_HOME_BYTES + 64], program[4096] = "clothbench";
  cb_draft d;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) program[length] = '\0';
  CB_TRY(check_word("partition", s->partition, err));
  CB_TRY(check_word("account", s->account, err));
  CB_TRY(make_absolute(h, err));
  CB_TRY(cb_dir_make(swp_home_path(h, "log", path), err));
  CB_TRY(cb_draft_begin(&d, err));
  put_script(d.to, h, s, tasks, program);
  return cb_draft_save(&d, CB_OK, swp_home_path(h, "job.sh", path), err);
}

cb_status swp_home_read_job(const swp_home *h, char **text, cb_err *err) {
  char path[SWP_HOME_BYTES + 64];
  size_t n;
  return cb_file_read(swp_home_path(h, "job.sh", path), 1u << 20, text, &n, err);
}

/* The last words of a child that only runs sbatch. */
static _Noreturn void be_sbatch(const char *script, const int ends[2]) {
  (void)dup2(ends[1], STDOUT_FILENO);
  (void)close(ends[0]);
  (void)close(ends[1]);
  execlp("sbatch", "sbatch", "--parsable", script, (char *)NULL);
  _exit(127);
}

cb_status swp_home_submit(const swp_home *h, char job[64], cb_err *err) {
  char script[SWP_HOME_BYTES + 64];
  int ends[2], status = 0;
  (void)swp_home_path(h, "job.sh", script);
  if (pipe(ends) != 0) return cb_fail(err, CB_E_IO, "no pipe: %s", strerror(errno));
  (void)fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) be_sbatch(script, ends);
  (void)close(ends[1]);
  const ssize_t n = pid > 0 ? read(ends[0], job, 63) : 0;
  (void)close(ends[0]);
  job[n > 0 ? n : 0] = '\0';
  job[strcspn(job, "\n;")] = '\0';
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (pid > 0 && status == 0 && job[0]) return CB_OK;
  if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return cb_fail(err, CB_E_IO, "sbatch is not there: Slurm is wanted on this machine");
  return cb_fail(err, CB_E_IO, "%s: sbatch took no job", script);
}
