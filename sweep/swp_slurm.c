/* The job for Slurm. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_text.h"
#include "swp_home_impl.h"

static void put_script(FILE *to, const swp_home *h, const swp_slurm *s, int tasks, const char *program) {
  fprintf(to, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --array=1-%d\n#SBATCH --requeue\n", h->plan.name,
          tasks);
  fprintf(to, "#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n#SBATCH --output=%s/log/%%a.txt\n", h->folder);
  fputs("#SBATCH --open-mode=append\n", to);
  if (s->partition[0]) fprintf(to, "#SBATCH --partition=%s\n", s->partition);
  if (s->account[0]) fprintf(to, "#SBATCH --account=%s\n", s->account);
  if (s->minutes) fprintf(to, "#SBATCH --time=%d\n", s->minutes);
  fputs("# Written by 'clothbench sweep'. A task plays every ", to);
  fprintf(to, "%dth case. One that is put on another node goes on where it was.\nexec ", tasks);
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
  return ok ? CB_OK : cb_fail(err, CB_E_IO, "%s: cannot be found", h->folder);
}

cb_status swp_home_write_job(swp_home *h, const swp_slurm *s, int tasks, cb_err *err) {
  char path[SWP_HOME_BYTES + 64], program[4096] = "clothbench", *text = NULL;
  size_t n;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) program[length] = '\0';
  CB_TRY(make_absolute(h, err));
  CB_TRY(cb_dir_make(swp_home_path(h, "log", path), err));
  FILE *to = open_memstream(&text, &n);
  if (!to) return cb_no_memory(err, "%s", h->folder);
  put_script(to, h, s, tasks, program);
  cb_status st = fclose(to) == 0 ? cb_file_write(swp_home_path(h, "job.sh", path), text, n, err)
                                 : cb_no_memory(err, "%s", h->folder);
  free(text);
  return st;
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
