/* Who may come in, where others reach the server: a file of names and hashes of passwords. */
#include <crypt.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "serve_impl.h"

#define PEOPLE 100
#define LINE 400
#define KNOWN 16 /* logins that are remembered: a hash takes a tenth of a second by design */

typedef struct person {
  char name[64], hash[LINE];
} person;

/* What a browser sent and was right. */
typedef struct known {
  char sent[LINE];
  const char *name; /* NULL: the place is free */
} known;

struct serve_login {
  person list[PEOPLE];
  size_t n, next; /* next: place of the next that is remembered */
  known known[KNOWN];
  struct crypt_data data; /* 32 kB of work */
};

/* ---- the file ---- */

/* NAME:HASH, as mkpasswd and htpasswd write it. */
static cb_status take_line(serve_login *l, const char *path, size_t number, char *line, cb_err *err) {
  char *colon = strchr(line, ':');
  line[strcspn(line, "\r\n")] = '\0';
  if (!line[0] || line[0] == '#') return CB_OK;
  if (!colon || colon == line || colon - line >= (long)sizeof l->list[0].name || colon[1] != '$' ||
      !cb_text_is_line(line))
    return cb_fail(err, CB_E_PARSE, "%s:%zu: NAME:HASH was wanted, the hash as 'mkpasswd' prints it", path,
                   number);
  if (l->n == PEOPLE) return cb_fail(err, CB_E_RANGE, "%s: at most %d people were wanted", path, PEOPLE);
  person *p = &l->list[l->n++];
  *colon = '\0';
  (void)snprintf(p->name, sizeof p->name, "%s", line);
  (void)snprintf(p->hash, sizeof p->hash, "%s", colon + 1);
  return CB_OK;
}

static cb_status read_lines(serve_login *l, const char *path, FILE *f, cb_err *err) {
  char line[LINE];
  for (size_t number = 1; fgets(line, sizeof line, f); number++)
    CB_TRY(take_line(l, path, number, line, err));
  if (ferror(f)) return cb_fail(err, CB_E_IO, "%s: it cannot be read", path);
  return l->n > 0 ? CB_OK
                  : cb_fail(err, CB_E_PARSE, "%s: there is nobody in it: lines NAME:HASH were wanted", path);
}

cb_status serve_login_read(const char *path, serve_login **out, cb_err *err) {
  *out = NULL;
  FILE *f = fopen(path, "r");
  if (!f) return cb_fail(err, CB_E_IO, "%s: %s", path, strerror(errno));
  serve_login *l = calloc(1, sizeof *l);
  cb_status st = l ? read_lines(l, path, f, err) : cb_no_memory(err, "the passwords");
  (void)fclose(f);
  if (st == CB_OK)
    *out = l;
  else
    serve_login_end(l);
  return st;
}

void serve_login_end(serve_login *l) {
  if (l) explicit_bzero(l, sizeof *l);
  free(l);
}

/* ---- a request ---- */

static const person *find_person(serve_login *l, const char *name, const char *password) {
  for (size_t i = 0; i < l->n; i++) {
    if (strcmp(l->list[i].name, name) != 0) continue;
    const char *hash = crypt_r(password, l->list[i].hash, &l->data);
    if (hash && hash[0] != '*' && strcmp(hash, l->list[i].hash) == 0) return &l->list[i];
  }
  return NULL;
}

static const char *look_up(const serve_login *l, const char *sent) {
  for (size_t i = 0; i < KNOWN; i++)
    if (l->known[i].name && strcmp(l->known[i].sent, sent) == 0) return l->known[i].name;
  return NULL;
}

const char *serve_login_of(serve_login *l, struct MHD_Connection *c) {
  const char *sent = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Authorization");
  if (!sent || strlen(sent) >= LINE) return NULL;
  const char *name = look_up(l, sent);
  if (name) return name;
  char *password = NULL, *user = MHD_basic_auth_get_username_password(c, &password);
  const person *p = user && password ? find_person(l, user, password) : NULL;
  if (p) {
    known *k = &l->known[l->next++ % KNOWN];
    (void)snprintf(k->sent, sizeof k->sent, "%s", sent);
    k->name = p->name;
  }
  MHD_free(user);
  MHD_free(password);
  return p ? p->name : NULL;
}
