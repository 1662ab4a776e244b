/* clothbench db missing: what would have to be measured before cloths can be simulated by name. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_plural.h"
#include "cb_text.h"
#include "cli.h"
#include "cli_db.h"
#include "cli_meant.h"
#include "lab_missing.h"

static json_t *cloth_json(const lab_missing *m) {
  json_t *missing = json_array();
  for (int k = 0; missing && k < LAB_NEEDS; k++)
    if (!m->has[k]) (void)json_array_append_new(missing, json_string(lab_need_names[k]));
  return json_pack("{s:s, s:b, s:I, s:o}", "cloth", m->cloth, "drapes", lab_missing_drapes(m), "bodies",
                   (json_int_t)m->bodies, "missing", missing);
}

static int print_json(const lab_missing *list, size_t n) {
  json_t *cloths = json_array();
  for (size_t i = 0; cloths && i < n; i++) (void)json_array_append_new(cloths, cloth_json(&list[i]));
  return cli_print_json("db", json_pack("{s:o}", "cloths", cloths));
}

static int count_missing(const lab_missing *m) {
  int missing = 0;
  for (int k = 0; k < LAB_NEEDS; k++) missing += !m->has[k];
  return missing;
}

static void print_names(const lab_missing *m) {
  for (int k = 0, put = 0, n = count_missing(m); k < LAB_NEEDS; k++)
    if (!m->has[k]) printf("%s%s", lab_need_names[k], ++put < n ? ", " : "\n");
}

static void print_cloth(const lab_missing *m) {
  char name[160];
  printf("%s: ", cb_text_show(m->cloth, name, sizeof name));
  if (count_missing(m) == 0) printf("nothing is missing\n");
  print_names(m);
}

cb_status cli_db_print_missing(cb_store *s, const char *cloth, cb_err *err) {
  lab_missing *list;
  size_t n;
  CB_TRY(lab_missing_list(s, cloth, &list, &n, err));
  if (n > 0 && count_missing(&list[0]) > 0) {
    printf("\n  not measured: ");
    print_names(&list[0]);
  }
  free(list);
  return CB_OK;
}

/* Of one cloth also what would tell it. */
static void print_sources(const lab_missing *m) {
  for (int k = 0; k < LAB_NEEDS; k++)
    if (!m->has[k]) printf("  %s: %s\n", lab_need_names[k], lab_need_sources[k]);
}

/* How many cloths have each property, and how many all of them. */
static void print_known(const lab_missing *list, size_t n) {
  size_t whole = 0;
  printf("known");
  for (int k = 0; k < LAB_NEEDS; k++) {
    size_t has = 0;
    for (size_t i = 0; i < n; i++) has += list[i].has[k];
    printf("%s %s of %zu", k > 0 ? "," : ":", lab_need_names[k], has);
  }
  for (size_t i = 0; i < n; i++) whole += count_missing(&list[i]) == 0;
  printf("; all of it of %zu\n", whole);
}

static int print_text(const lab_missing *list, size_t n, bool one) {
  size_t drapes = 0;
  for (size_t i = 0; i < n; i++) {
    print_cloth(&list[i]);
    if (one) print_sources(&list[i]);
    drapes += lab_missing_drapes(&list[i]);
  }
  if (!one) print_known(list, n);
  printf(
      "%zu of %zu cloth%s can be draped by name: areal density, thickness, stretch, shear and bending are "
      "known\n",
      drapes, n, CB_S(n));
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_db_missing(const void *request) {
  const cli_db_request *q = request;
  const char *cloth = q->n > 0 ? q->words[0] : NULL; /* NULL: every cloth */
  cb_err err = {""};
  cb_store *s = NULL;
  lab_missing *list = NULL;
  size_t n = 0;
  const int stop = cli_meant("db", q->db, CLI_CLOTH, &cloth);
  if (stop >= 0) return stop;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = lab_missing_list(s, cloth, &list, &n, &err);
  int code = cli_db_finish(s, st, &err);
  if (code == CLI_DONE) code = q->json ? print_json(list, n) : print_text(list, n, cloth != NULL);
  free(list);
  return code;
}
