#define _GNU_SOURCE /* memfd_create */
#include "lab_guess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cb_csv.h"
#include "cb_file.h"
#include "cb_store_material_test.h"
#include "fit_import.h"
#include "fit_incline.h"
#include "fit_trace.h"
#include "lab_import_parts.h"

/* ---- the readers ---- */

static cb_status try_friction(const char *mapping, const char *file, cb_err *err) {
  fit_import im;
  const cb_status st = fit_import_read(mapping, file, &im, err);
  fit_import_clear(&im);
  return st;
}

static cb_status try_incline(const char *mapping, const char *file, fit_incline_kind kind, cb_err *err) {
  fit_import im;
  const cb_status st = fit_incline_read(kind, mapping, file, &im, err);
  fit_import_clear(&im);
  return st;
}

static cb_status try_trace(const char *mapping, const char *file, cb_err *err) {
  fit_trace t;
  const cb_status st = fit_trace_read(mapping, file, NULL, NULL, &t, err);
  fit_trace_clear(&t);
  return st;
}

static cb_status try_kes(const char *mapping, const char *file, cb_err *err) {
  lab_kes kes;
  const cb_status st = lab_kes_read(mapping, file, &kes, err);
  lab_kes_clear(&kes);
  return st;
}

static cb_status try_tests(const char *mapping, const char *file, cb_test_kind kind, cb_err *err) {
  lab_material_tests tests;
  const cb_status st = lab_material_tests_read(mapping, file, kind, &tests, err);
  lab_material_tests_clear(&tests);
  return st;
}

static int find_name(const char *const *names, const char *name) {
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static cb_status try_kind(const char *kind, const char *mapping, const char *file, cb_err *err) {
  const int incline = find_name(fit_incline_kind_names, kind), test = find_name(cb_test_kind_names, kind);
  if (incline >= 0) return try_incline(mapping, file, (fit_incline_kind)incline, err);
  if (test >= 0) return try_tests(mapping, file, (cb_test_kind)test, err);
  if (strcmp(kind, "trace") == 0) return try_trace(mapping, file, err);
  return strcmp(kind, "kes") == 0 ? try_kes(mapping, file, err) : try_friction(mapping, file, err);
}

/* ---- the trial ---- */

/* The readers take paths. A file in memory has one, and is gone with the process. */
static cb_status try_mapping(const fit_guess *g, const char *file, cb_err *err) {
  char path[40];
  const size_t n = strlen(g->trial);
  const int fd = memfd_create("mapping", MFD_CLOEXEC);
  if (fd < 0 || write(fd, g->trial, n) != (ssize_t)n) {
    if (fd >= 0) (void)close(fd);
    return cb_no_memory(err, "a mapping of %zu bytes", n);
  }
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  const cb_status st = try_kind(g->kind, path, file, err);
  (void)close(fd);
  if (st == CB_OK) return CB_OK;
  const cb_err inner = *err;
  return cb_fail(err, st, "%s: looks like '%s', but cannot be read as that: %.300s", file, g->kind,
                 inner.msg);
}

cb_status lab_guess(const char *file, const char *sheet, const char *kind, fit_guess *out, cb_err *err) {
  char *text;
  size_t n;
  cb_err own = {""};
  if (!err) err = &own;
  *out = (fit_guess){.rows = 0};
  CB_TRY(cb_file_read(file, cb_csv_options_default().max_bytes, &text, &n, err));
  cb_status st = fit_guess_mapping(text, n, file, sheet, kind, out, err);
  free(text);
  return st == CB_OK ? try_mapping(out, file, err) : st;
}
