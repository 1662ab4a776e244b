/* imports.yaml: tables of measurements that go in as `clothbench import` reads them. */
#include <string.h>

#include "fit_import.h"
#include "lab_import_parts.h"
#include "lab_reference_impl.h"

typedef struct import_entry {
  char kind[32], table[256], mapping[256];
} import_entry;

typedef cb_status importer(cb_store *s, const char *mapping, const char *table, int kind, cb_err *err);

static cb_status import_friction(cb_store *s, const char *mapping, const char *table, int kind, cb_err *err) {
  (void)kind;
  fit_import im;
  lab_friction_import sum;
  cb_status st = fit_import_read(mapping, table, &im, err);
  if (st == CB_OK) st = lab_friction_store(s, table, &im, &sum, err);
  fit_import_clear(&im);
  return st;
}

static cb_status import_tests(cb_store *s, const char *mapping, const char *table, int kind, cb_err *err) {
  lab_material_tests tests;
  cb_status st = lab_material_tests_read(mapping, table, (cb_test_kind)kind, &tests, err);
  if (st == CB_OK) st = lab_material_tests_store(s, table, &tests, err);
  lab_material_tests_clear(&tests);
  return st;
}

static cb_status import_kes(cb_store *s, const char *mapping, const char *table, int kind, cb_err *err) {
  (void)kind;
  lab_kes kes;
  cb_status st = lab_kes_read(mapping, table, &kes, err);
  if (st == CB_OK) st = lab_kes_store(s, table, &kes, err);
  lab_kes_clear(&kes);
  return st;
}

static importer *find_importer(const char *name, int *kind) {
  *kind = -1;
  if (strcmp(name, "friction") == 0) return import_friction;
  if (strcmp(name, "kes") == 0) return import_kes;
  for (int k = 0; cb_test_kind_names[k]; k++)
    if (strcmp(name, cb_test_kind_names[k]) == 0) *kind = k;
  return *kind >= 0 ? import_tests : NULL;
}

cb_status lab_reference_build_import(const lab_reference *r, cb_ynode item, cb_err *err) {
  const cb_yfield fields[] = {{"kind", CB_Y_STR, LAB_AT(import_entry, kind), .required = true},
                              {"table", CB_Y_STR, LAB_AT(import_entry, table), .required = true},
                              {"mapping", CB_Y_STR, LAB_AT(import_entry, mapping), .required = true}};
  import_entry e = {.kind = ""};
  char table[LAB_REFERENCE_PATH], mapping[LAB_REFERENCE_PATH];
  int kind;
  CB_TRY(cb_yaml_bind(item, fields, sizeof fields / sizeof fields[0], &e, err));
  importer *import = find_importer(e.kind, &kind);
  if (!import)
    return cb_yaml_fail(
        item, err, CB_E_PARSE,
        "kind '%s': friction, permeability, stretch, cantilever, bending-moment, shear, compression or kes "
        "was wanted",
        e.kind);
  CB_TRY(lab_reference_join(r->dir, e.table, table, err));
  CB_TRY(lab_reference_join(r->dir, e.mapping, mapping, err));
  return import(r->s, mapping, table, kind, err);
}
