#define _GNU_SOURCE /* F_OFD_SETLK */
#include "cb_claim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A record per campaign, at its number. */
static struct flock record_of(int64_t campaign_id, short type) {
  return (struct flock){.l_type = type,
                        .l_whence = SEEK_SET,
                        .l_start = (off_t)campaign_id * CB_CLAIM_WHO,
                        .l_len = CB_CLAIM_WHO};
}

/* One file, by whatever name the database was opened. */
static bool name_file(const char *database, char path[512]) {
  char real[PATH_MAX];
  const char *name = realpath(database, real) ? real : database;
  return snprintf(path, 512, "%s-running", name) < 512;
}

static void read_holder(int fd, int64_t campaign_id, char who[CB_CLAIM_WHO]) {
  ssize_t n = pread(fd, who, CB_CLAIM_WHO - 1, (off_t)campaign_id * CB_CLAIM_WHO);
  who[n > 0 ? n : 0] = '\0';
  if (!who[0]) (void)snprintf(who, CB_CLAIM_WHO, "another process");
}

static void write_holder(int fd, int64_t campaign_id) {
  char record[CB_CLAIM_WHO] = "", host[64] = "?", since[32];
  const struct passwd *user = getpwuid(geteuid());
  const time_t now = time(NULL);
  struct tm utc;
  (void)gethostname(host, sizeof host - 1);
  (void)strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  (void)snprintf(record, sizeof record, "process %ld of %.24s on %.40s, since %s", (long)getpid(),
                 user ? user->pw_name : "?", host, since);
  (void)!pwrite(fd, record, sizeof record, (off_t)campaign_id * CB_CLAIM_WHO);
}

/* Who may write the database may lock it. */
static void share_file(int fd, const char *database) {
  struct stat of;
  if (stat(database, &of) != 0) return;
  (void)fchmod(fd, of.st_mode & 0777);
  if (geteuid() == 0) (void)!fchown(fd, of.st_uid, of.st_gid);
}

/* The file may have been removed between open and lock: its lock would be nobody's. */
static bool still_there(int fd, const char *path) {
  struct stat opened, named;
  return fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

static cb_status try_lock(cb_claim *c, const char *database, bool *again, cb_err *err) {
  struct flock record = record_of(c->campaign_id, F_WRLCK);
  char who[CB_CLAIM_WHO];
  *again = false;
  /* Another user's file may not be opened with O_CREAT where the folder is everybody's (protected_regular).
   */
  c->fd = open(c->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (c->fd < 0 && errno == ENOENT) c->fd = open(c->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (c->fd < 0) return cb_fail(err, CB_E_IO, "%s: cannot be opened: %s", c->path, strerror(errno));
  share_file(c->fd, database);
  if (fcntl(c->fd, F_OFD_SETLK, &record) != 0) {
    if (errno != EAGAIN && errno != EACCES)
      return cb_fail(err, CB_E_IO, "%s: cannot be locked: %s", c->path, strerror(errno));
    read_holder(c->fd, c->campaign_id, who);
    return cb_fail(err, CB_E_DB, "%s: campaign %lld is being measured by %s", database,
                   (long long)c->campaign_id, who);
  }
  *again = !still_there(c->fd, c->path);
  return CB_OK;
}

cb_status cb_claim_take(const char *database, int64_t campaign_id, cb_claim *out, cb_err *err) {
  bool again = true;
  *out = (cb_claim){.campaign_id = campaign_id, .fd = -1};
  if (!name_file(database, out->path)) return cb_fail(err, CB_E_RANGE, "%s: the path is too long", database);
  while (again) {
    cb_status st = try_lock(out, database, &again, err);
    if (st == CB_OK && !again) break;
    if (out->fd >= 0) close(out->fd);
    if (st == CB_OK) continue;
    *out = (cb_claim){.campaign_id = 0};
    return st;
  }
  write_holder(out->fd, campaign_id);
  return CB_OK;
}

void cb_claim_release(cb_claim *c) {
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET}; /* to the end, however far that is */
  if (c->campaign_id == 0) return;
  if (fcntl(c->fd, F_OFD_SETLK, &all) == 0) (void)unlink(c->path);
  close(c->fd);
  *c = (cb_claim){.campaign_id = 0};
}

bool cb_claim_holder(const char *database, int64_t campaign_id, char who[CB_CLAIM_WHO]) {
  struct flock record = record_of(campaign_id, F_WRLCK);
  char path[512];
  who[0] = '\0';
  int fd = name_file(database, path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return false;
  bool held = fcntl(fd, F_OFD_GETLK, &record) == 0 && record.l_type != F_UNLCK;
  if (held) read_holder(fd, campaign_id, who);
  close(fd);
  return held;
}
