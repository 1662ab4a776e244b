#include "cli.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cb_columns.h"
#include "cb_draft.h"
#include "cb_file.h"
#include "cb_nearest.h"
#include "cb_num.h"
#include "cb_out.h"
#include "cb_text.h"
#include "cb_time.h"
#include "cli_meant.h"
#include "cli_share.h"

static int usage_error(const char *command, const char *fmt, ...) CB_PRINTF(2, 3);

#define COLUMNS 80 /* of a terminal that does not say */

static size_t columns_of(FILE *to) {
  struct winsize size = {0};
  return ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col >= COLUMNS / 2 ? size.ws_col : COLUMNS;
}

/* In one go: who reads along gets whole lines. */
void cli_wrap(FILE *to, const char *text) {
  char out[8192];
  size_t used = 0, column = 0;
  const bool fits = strlen(text) < sizeof out / 2; /* a break makes a blank three bytes */
  if (!fits || !isatty(fileno(to))) {
    fputs(text, to);
    return;
  }
  const size_t columns = columns_of(to);
  while (*text) {
    const size_t blanks = strspn(text, " "), n = cb_columns_word(text + blanks),
                 w = cb_columns(text + blanks, n);
    const bool breaks = column > 0 && column + blanks + w >= columns;
    used += (size_t)snprintf(out + used, sizeof out - used, "%s%.*s%.*s", breaks ? "\n  " : "",
                             breaks ? 0 : (int)blanks, text, (int)n, text + blanks);
    column = w + (breaks ? 2 : column + blanks);
    text += blanks + n;
    if (*text == '\n') out[used++] = *text++, column = 0;
  }
  out[used] = '\0';
  fputs(out, to);
}

/* A sentence quotes files, databases and the command line: what of it could steer a terminal is shown
 * instead. */
static void say(FILE *to, const char *command, const char *fmt, va_list ap) {
  char raw[4096], shown[4096 + 40];
  const int n = snprintf(shown, sizeof shown, "clothbench %s: ", command);
  (void)vsnprintf(raw, sizeof raw, fmt, ap);
  (void)cb_text_show_lines(raw, shown + n, sizeof shown - (size_t)n);
  cli_wrap(to, shown);
}

static int usage_error(const char *command, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  say(stderr, command, fmt, ap);
  va_end(ap);
  fprintf(stderr, " ('clothbench %s --help' tells more)\n", command);
  return CLI_USAGE;
}

static void print_help(const char *usage, const cli_opt *opts, size_t n) {
  printf("usage: clothbench %s\n", usage);
  for (size_t i = 0; i < n; i++) {
    char left[64];
    static const char *const values[] = {"",      " TEXT", " TEXT", " TEXT",  " NUMBER",
                                         " FILE", " FILE", " FILE", " FOLDER"};
    const char *value = values[opts[i].kind];
    (void)snprintf(left, sizeof left, "--%s%s", opts[i].name, value);
    printf("  %-28s %s%s\n", left, opts[i].help, opts[i].required ? " (required)" : "");
  }
  printf("  %-28s %s\n", "--quiet", "no notes and no progress, but errors");
  printf("  %-28s %s\n", "-h, --help", "this text");
}

/* ---- outputs ---- */

static bool is_output(const cli_opt *o) {
  return o->kind == CLI_OUT_NEW || o->kind == CLI_OUT_FILE || o->kind == CLI_OUT_ANY ||
         o->kind == CLI_OUT_FOLDER;
}

int cli_refuse_dash(const char *command, const char *what, const char *path) {
  if (strcmp(path, "-") != 0) return -1;
  return usage_error(command, "%s -: cannot be standard output, a name was wanted (./- is a file called -)",
                     what);
}

#define MAX_INPUTS 64

/* The other texts of the command line: those that are no files are no one's inode. */
static cb_status check_output(const cli_opt *o, const cli_opt *opts, size_t n_opts, const char **positional,
                              size_t n, cb_err *err) {
  const char *inputs[MAX_INPUTS], *path = *(const char **)o->value;
  size_t n_inputs = 0;
  for (size_t i = 0; i < n_opts; i++)
    if (&opts[i] != o && opts[i].kind == CLI_TEXT) inputs[n_inputs++] = *(const char **)opts[i].value;
  for (size_t i = 0; i < n && n_inputs < MAX_INPUTS; i++) inputs[n_inputs++] = positional[i];
  CB_TRY(cb_out_check_inputs(path, inputs, n_inputs, err));
  if (o->kind == CLI_OUT_NEW && access(path, F_OK) == 0)
    return cb_fail(err, CB_E_IO, "%s: exists already, a new file was wanted", path);
  return cb_out_check(path, err);
}

static int check_outputs(const char *command, const cli_opt *opts, size_t n_opts, const char **positional,
                         size_t n) {
  for (size_t i = 0; i < n_opts; i++) {
    const char *path = is_output(&opts[i]) ? *(const char **)opts[i].value : NULL;
    char what[64];
    cb_err err = {""};
    if (!path || (opts[i].kind == CLI_OUT_ANY && strcmp(path, "-") == 0)) continue;
    (void)snprintf(what, sizeof what, "--%s", opts[i].name);
    int stop = cli_refuse_dash(command, what, path);
    if (stop >= 0) return stop;
    if (opts[i].kind == CLI_OUT_FOLDER) continue; /* the files in it are checked as they are written */
    cb_status st = check_output(&opts[i], opts, n_opts, positional, n, &err);
    if (st != CB_OK) return cb_err_say_in(&err, "%s", what), cli_fail(command, st, &err);
  }
  return -1;
}

cb_status cli_write(const char *path, const char *text, cb_err *err) {
  if (strcmp(path, "-") != 0) return cb_file_write(path, text, strlen(text), err);
  if (fputs(text, stdout) != EOF && fflush(stdout) == 0) return CB_OK;
  return cb_fail(err, CB_E_IO, "standard output could not be written");
}

/* ---- options ---- */

#define MOST_OPTIONS 64 /* of one command */

/* What is typed, or comes out of another program, becomes a name, a text or a path. */
static int check_text(const char *command, const char *what, const char *text) {
  cb_err err;
  return cb_check_line(text, what, &err) == CB_OK ? -1 : usage_error(command, "%s", err.msg);
}

static const cli_opt *find_option(const cli_opt *opts, size_t n, const char *name, size_t length) {
  for (size_t i = 0; i < n; i++)
    if (strlen(opts[i].name) == length && strncmp(opts[i].name, name, length) == 0) return &opts[i];
  return NULL;
}

static int set_number(const char *command, const cli_opt *o, const char *text) {
  char what[64];
  cb_err err;
  (void)snprintf(what, sizeof what, "--%s", o->name);
  cb_status st = cb_parse_double(text, what, o->value, &err);
  if (st == CB_OK && (o->min != 0 || o->max != 0))
    st = cb_check_range(*(double *)o->value, o->min, o->max, what, "", &err);
  return st == CB_OK ? -1 : usage_error(command, "%s", err.msg);
}

static int set_text(const char *command, const cli_opt *o, const char *text) {
  char what[64];
  (void)snprintf(what, sizeof what, "--%s", o->name);
  *(const char **)o->value = text;
  int stop = check_text(command, what, text);
  if (stop >= 0 || strcmp(o->name, "db") != 0) return stop;
  cb_err err;
  if (cb_store_check_path(text, &err) == CB_OK) return -1;
  return usage_error(command, "%s: %s", what, err.msg);
}

static int refuse_option(const char *command, const cli_opt *opts, size_t n, const char *name,
                         size_t length) {
  const char *names[MOST_OPTIONS];
  char typed[64];
  (void)snprintf(typed, sizeof typed, "%.*s", (int)length, name);
  for (size_t i = 0; i < n; i++) names[i] = opts[i].name;
  const int meant = cb_nearest(typed, names, n);
  if (meant >= 0)
    return usage_error(command, "unknown option '--%s': did you mean '--%s'?", typed, names[meant]);
  return usage_error(command, "unknown option '--%.*s'", (int)length, name);
}

/* One "--name", "--name=value" or "--name value" at argv[*i]. */
static int take_option(int argc, char **argv, int *i, const cli_opt *opts, size_t n, bool *seen) {
  const char *name = argv[*i] + 2, *equals = strchr(name, '=');
  size_t length = equals ? (size_t)(equals - name) : strlen(name);
  const cli_opt *o = find_option(opts, n, name, length);
  if (!o) return refuse_option(argv[0], opts, n, name, length);
  seen[o - opts] = true;
  if (o->kind == CLI_SWITCH) {
    if (equals) return usage_error(argv[0], "--%s takes no value", o->name);
    *(bool *)o->value = true;
    return -1;
  }
  const char *text = equals ? equals + 1 : *i + 1 < argc ? argv[++*i] : NULL;
  if (!text) return usage_error(argv[0], "--%s wants a value", o->name);
  if (o->kind == CLI_NUMBER) return set_number(argv[0], o, text);
  return set_text(argv[0], o, o->kind == CLI_TEXT ? cli_share_find(text) : text);
}

static bool only_check;

void cli_only_check(bool on) { only_check = on; }

static int find_names(const char *command, const cli_opt *opts, size_t n) {
  const cli_opt *db = find_option(opts, n, "db", 2);
  for (size_t i = 0; i < n; i++) {
    if (opts[i].kind != CLI_CLOTH && opts[i].kind != CLI_BODY) continue;
    const int stop = cli_meant(command, db ? *(const char **)db->value : NULL, opts[i].kind, opts[i].value);
    if (stop >= 0) return stop;
  }
  return -1;
}

int cli_parse(int argc, char **argv, const char *usage, const cli_opt *opts, size_t n_opts,
              const char **positional, size_t min_positional, size_t max_positional, size_t *n_positional) {
  bool seen[MOST_OPTIONS] = {false};
  size_t n = 0;
  assert(n_opts <= MOST_OPTIONS);
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      print_help(usage, opts, n_opts);
      return CLI_DONE;
    }
    if (strncmp(argv[i], "--", 2) == 0) {
      int stop = take_option(argc, argv, &i, opts, n_opts, seen);
      if (stop >= 0) return stop;
    } else if (n < max_positional) {
      int stop = check_text(argv[0], "argument", argv[i]);
      if (stop >= 0) return stop;
      positional[n++] = cli_share_find(argv[i]);
    } else {
      const bool follows_value = i > 2 && strncmp(argv[i - 2], "--", 2) == 0;
      return usage_error(argv[0], "'%s' is one argument too many%s", argv[i],
                         follows_value ? "; a name with blanks wants quotation marks" : "");
    }
  }
  if (n_positional) *n_positional = n;
  if (n < min_positional) return usage_error(argv[0], "an argument is missing: clothbench %s", usage);
  for (size_t i = 0; i < n_opts; i++)
    if (opts[i].required && !seen[i]) return usage_error(argv[0], "--%s is required", opts[i].name);
  if (only_check) return CLI_DONE;
  const int stop = find_names(argv[0], opts, n_opts);
  return stop >= 0 ? stop : check_outputs(argv[0], opts, n_opts, positional, n);
}

const char *cli_db_path(const char *db_option) {
  if (db_option) return db_option;
  const char *from_environment = getenv("CLOTHBENCH_DB");
  return from_environment && from_environment[0] ? from_environment : "materials.db";
}

const char *cli_db_shipped(const char *path) {
  static char shipped[CLI_SHARE_PATH_BYTES];
  if (strcmp(path, "materials.db") != 0 || access(path, F_OK) == 0) return path;
  return access(cli_share_path(path, shipped), R_OK) == 0 ? shipped : path;
}

const char *cli_db_to_read(const char *db_option) {
  return db_option ? db_option : cli_db_shipped(cli_db_path(NULL));
}

/* A bar that is not full yet stands in the line of the cursor. */
static bool bar_open;

void cli_progress_leave(void) {
  if (bar_open) fputc('\n', stderr);
  bar_open = false;
}

int cli_fail(const char *command, cb_status st, const cb_err *err) {
  char text[sizeof err->msg + 64];
  cli_progress_leave();
  (void)snprintf(text, sizeof text, "clothbench %s: %s\n", command,
                 err && err->msg[0] ? err->msg : cb_status_text(st));
  cli_wrap(stderr, text);
  return st == CB_E_ARG ? CLI_USAGE : CLI_FAILED;
}

/* What --quiet keeps back, until cli_speak. Not begun: notes are printed at once. */
static cb_draft kept;

void cli_keep_quiet(void) { (void)!cb_draft_begin(&kept, NULL); }

void cli_speak(bool failed) {
  char *text;
  if (!kept.to) return;
  if (cb_draft_end(&kept, CB_OK, &text, NULL) == CB_OK && failed) fputs(text, stderr);
  free(text);
  kept = (cb_draft){.to = NULL};
}

void cli_say(const char *command, const char *fmt, ...) {
  FILE *to = kept.to && !only_check ? kept.to : stderr; /* a check catches stderr */
  cli_progress_leave();
  va_list ap;
  va_start(ap, fmt);
  say(to, command, fmt, ap);
  va_end(ap);
  fputc('\n', to);
}

int cli_print_json(const char *command, json_t *doc) {
  char *dumped = doc ? json_dumps(doc, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  char *text = dumped ? cb_text_json(dumped) : NULL;
  bool failed = !text || fputs(text, stdout) == EOF || putchar('\n') == EOF || fflush(stdout) != 0;
  free(dumped);
  free(text);
  json_decref(doc);
  if (!failed) return CLI_DONE;
  cli_say(command, "the result could not be written to standard output");
  return CLI_FAILED;
}

void cli_progress(const char *command, double done, double total, const char *what) {
  static double started_s, drawn_s;
  if (kept.to || !isatty(STDERR_FILENO) || total <= 0) return;
  double now = cb_now_monotonic_s();
  if (done <= 0) started_s = now;
  bool last = done >= total;
  if (!last && now - drawn_s < 0.1) return;
  drawn_s = now;
  char left[32] = "";
  const double left_s = done > 0 ? (now - started_s) * (total - done) / done : 0;
  if (done > 0) (void)snprintf(left, sizeof left, "  %d:%02d left", (int)left_s / 60, (int)left_s % 60);
  int bar = (int)(20 * fmin(done / total, 1));
  fprintf(stderr, "\r\033[Kclothbench %s: [%.*s%*s] %3.0f %%%s  %s", command, bar, "####################",
          20 - bar, "", 100 * fmin(done / total, 1), left, what);
  bar_open = true;
  if (last) cli_progress_leave();
}
