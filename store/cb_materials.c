#include "cb_materials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_num.h"
#include "cb_text.h"
#include "cb_yaml.h"
#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"

#define MATERIALS_FILE "materials.yaml"
#define FRICTION_FILE "friction.yaml"
#define KNOT_NUMBERS 10 /* load, f00 f01 f11, upper triangle of the covariance */

static cb_status join(const char *dir, const char *name, char out[1024], cb_err *err) {
  int n = snprintf(out, 1024, "%s/%s", dir, name);
  return n > 0 && n < 1024 ? CB_OK : cb_fail(err, CB_E_IO, "%.200s...: the path is too long", dir);
}

#define AT(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/* ---- text -> database ---- */

/* Enumerations go through int: cb_yaml_bind stores ints. */
typedef struct material_entry {
  cb_material m;
  int kind, origin;
} material_entry;

static cb_status build_material(cb_store *s, cb_ynode node, cb_err *err) {
  const cb_yfield fields[] = {
      {"name", CB_Y_STR, AT(material_entry, m.name), .required = true},
      {"kind", CB_Y_ENUM, AT(material_entry, kind), .required = true, .choices = cb_material_kind_names},
      {"composition", CB_Y_STR, AT(material_entry, m.composition)},
      {"weave", CB_Y_STR, AT(material_entry, m.weave)},
      {"areal_density_kg_per_m2", CB_Y_NUM, AT(material_entry, m.areal_density_kg_per_m2), .min = 1e-3,
       .max = 10},
      {"thickness_m", CB_Y_NUM, AT(material_entry, m.thickness_m), .min = 1e-6, .max = 1},
      {"source", CB_Y_STR, AT(material_entry, m.source), .required = true},
      {"origin", CB_Y_ENUM, AT(material_entry, origin), .required = true, .choices = cb_origin_names},
  };
  material_entry e = {.kind = 0};
  CB_TRY(cb_yaml_bind(node, fields, sizeof fields / sizeof fields[0], &e, err));
  e.m.kind = (cb_material_kind)e.kind;
  e.m.origin = (cb_origin)e.origin;
  if (!cb_origin_is_real(e.m.origin))
    return cb_yaml_fail(node, err, CB_E_RANGE,
                        "origin: a reference database holds measured or imported materials only");
  cb_status st = cb_store_material_put(s, &e.m, err);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "material '%s'", e.m.name);
}

typedef struct law_entry {
  cb_friction_law law;
  int kind, form, origin, model;
  cb_ynode knots, shared, method, verdicts;
} law_entry;

static cb_status bind_law(cb_ynode node, law_entry *e, cb_err *err) {
  const cb_yfield fields[] = {
      {"cloth", CB_Y_STR, AT(law_entry, law.cloth), .required = true},
      {"body", CB_Y_STR, AT(law_entry, law.body), .required = true},
      {"kind", CB_Y_ENUM, AT(law_entry, kind), .required = true, .choices = cb_friction_kind_names},
      {"form", CB_Y_ENUM, AT(law_entry, form), .required = true, .choices = cb_friction_form_names},
      {"origin", CB_Y_ENUM, AT(law_entry, origin), .required = true, .choices = cb_origin_names},
      {"contact_area_m2", CB_Y_NUM, AT(law_entry, law.contact_area_m2), .required = true, .min = 1e-8,
       .max = 100},
      {"exponent", CB_Y_NUM, AT(law_entry, law.exponent), .required = true, .min = 1e-3, .max = 10},
      {"u_exponent", CB_Y_NUM, AT(law_entry, law.u_exponent), .required = true, .min = 0, .max = 10},
      {"u_rel_common", CB_Y_NUM, AT(law_entry, law.u_rel_common), .required = true, .min = 0, .max = 1},
      {"u_rel_model", CB_Y_NUM, AT(law_entry, law.u_rel_model), .required = true, .min = 0, .max = 10},
      {"dof", CB_Y_NUM, AT(law_entry, law.dof), .required = true, .min = 1e-3, .max = 1e9},
      {"model", CB_Y_ENUM, AT(law_entry, model), .choices = cb_friction_model_names},
      {"bend", CB_Y_NUM, AT(law_entry, law.bend), .min = 0, .max = 1},
      {"offset_N", CB_Y_NUM, AT(law_entry, law.offset_N), .min = 0, .max = 1e9},
      {"speed_m_per_s", CB_Y_NUM, AT(law_entry, law.speed_m_per_s), .min = 0, .max = 100},
      {"shared", CB_Y_NODE, AT(law_entry, shared)},
      {"method", CB_Y_NODE, AT(law_entry, method), .required = true},
      {"knots", CB_Y_NODE, AT(law_entry, knots), .required = true},
      {"verdicts", CB_Y_NODE, AT(law_entry, verdicts), .required = true},
  };
  *e = (law_entry){.law.speed_m_per_s = NAN};
  CB_TRY(cb_yaml_bind(node, fields, sizeof fields / sizeof fields[0], e, err));
  e->law.model = (cb_friction_model)e->model;
  e->law.kind = (cb_friction_kind)e->kind;
  e->law.form = (cb_friction_form)e->form;
  e->law.origin = (cb_origin)e->origin;
  if (!cb_origin_is_real(e->law.origin))
    return cb_yaml_fail(node, err, CB_E_RANGE,
                        "origin: a reference database holds measured or imported laws only");
  if (!cb_yaml_scalar(e->method))
    return cb_yaml_fail(e->method, err, CB_E_PARSE, "method: a text was wanted");
  if (!cb_yaml_scalar(e->verdicts))
    return cb_yaml_fail(e->verdicts, err, CB_E_PARSE, "verdicts: one quoted JSON text was wanted");
  return CB_OK;
}

static cb_status read_number(cb_ynode list, size_t i, const char *what, double *v, cb_err *err) {
  const char *text = cb_yaml_scalar(cb_yaml_item(list, i));
  cb_status st = cb_parse_double(text ? text : "", what, v, err);
  if (st == CB_OK) return CB_OK;
  cb_err inner = *err;
  return cb_yaml_fail(list, err, st, "%s", inner.msg);
}

static cb_status read_knot(cb_ynode node, cb_friction_knot *k, cb_err *err) {
  double v[KNOT_NUMBERS];
  if (cb_yaml_count(node) != KNOT_NUMBERS)
    return cb_yaml_fail(
        node, err, CB_E_PARSE,
        "a knot is [N, f00, f01, f11, c00_00, c00_01, c00_11, c01_01, c01_11, c11_11]: %d numbers",
        KNOT_NUMBERS);
  for (size_t i = 0; i < KNOT_NUMBERS; i++) CB_TRY(read_number(node, i, "knot", &v[i], err));
  k->normal_force_N = v[0];
  memcpy(k->f_N, v + 1, sizeof k->f_N);
  size_t next = 4;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) k->cov_N2[i][j] = k->cov_N2[j][i] = v[next++];
  return CB_OK;
}

static cb_status read_part(cb_ynode node, size_t n_knots, cb_friction_shared *p, cb_err *err) {
  const char *source = cb_yaml_scalar(cb_yaml_item(node, 0));
  if (!source || cb_yaml_count(node) != 3 + 3 * n_knots)
    return cb_yaml_fail(
        node, err, CB_E_PARSE,
        "a shared part is [source, exponent below, above, then f00, f01, f11 of each knot]: %zu items",
        3 + 3 * n_knots);
  (void)snprintf(p->source, sizeof p->source, "%s", source);
  for (size_t i = 0; i < 2; i++) CB_TRY(read_number(node, 1 + i, "exponent", &p->exponent[i], err));
  for (size_t i = 0; i < 3 * n_knots; i++)
    CB_TRY(read_number(node, 3 + i, "shared part", &p->f_N[i / 3][i % 3], err));
  return CB_OK;
}

static cb_status read_parts(law_entry *e, cb_err *err) {
  e->law.n_shared = cb_yaml_count(e->shared);
  if (e->law.n_shared > CB_LAW_MAX_SHARED)
    return cb_yaml_fail(e->shared, err, CB_E_RANGE, "shared: %zu parts, at most %d are allowed",
                        e->law.n_shared, CB_LAW_MAX_SHARED);
  for (size_t i = 0; i < e->law.n_shared; i++)
    CB_TRY(read_part(cb_yaml_item(e->shared, i), e->law.n_knots, &e->law.shared[i], err));
  return CB_OK;
}

static cb_status build_law(cb_store *s, cb_ynode node, cb_err *err) {
  law_entry e;
  cb_material cloth, body;
  CB_TRY(bind_law(node, &e, err));
  e.law.n_knots = cb_yaml_count(e.knots);
  if (e.law.n_knots < 1 || e.law.n_knots > CB_LAW_MAX_KNOTS)
    return cb_yaml_fail(e.knots, err, CB_E_RANGE, "knots: %zu of them, 1 to %d are allowed", e.law.n_knots,
                        CB_LAW_MAX_KNOTS);
  for (size_t i = 0; i < e.law.n_knots; i++)
    CB_TRY(read_knot(cb_yaml_item(e.knots, i), &e.law.knots[i], err));
  CB_TRY(read_parts(&e, err));
  CB_TRY(cb_store_material_find(s, CB_CLOTH, e.law.cloth, &cloth, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, e.law.body, &body, err));
  return cb_store_law_put(s, &e.law, cloth.id, body.id, NULL, 0, cb_yaml_scalar(e.method),
                          cb_yaml_scalar(e.verdicts), err);
}

typedef cb_status builder(cb_store *s, cb_ynode node, cb_err *err);

/* Every item of the file's one list, in its order. */
static cb_status build_list(cb_store *s, const char *dir, const char *name, const char *key, builder *build,
                            cb_err *err) {
  char path[1024];
  cb_yaml *doc = NULL;
  cb_ynode list = {0};
  const cb_yfield field = {.key = key, .kind = CB_Y_NODE, .offset = 0, .required = true};
  CB_TRY(join(dir, name, path, err));
  CB_TRY(cb_yaml_load(path, &doc, err));
  cb_status st = cb_yaml_bind(cb_yaml_root(doc), &field, 1, &list, err);
  if (st == CB_OK && !cb_yaml_is_list(list))
    st = cb_yaml_fail(list, err, CB_E_PARSE, "%s: a list was wanted", key);
  for (size_t i = 0; st == CB_OK && i < cb_yaml_count(list); i++) {
    cb_ynode item = cb_yaml_item(list, i);
    st = build(s, item, err);
    if (st != CB_OK && !strstr(err ? err->msg : "", path))
      (void)cb_fail_in(err, st, "%s:%d", path, cb_yaml_line(item));
  }
  cb_yaml_free(doc);
  return st;
}

cb_status cb_materials_build(const char *dir, const char *db_path, cb_err *err) {
  cb_store *s;
  cb_err local = {""};
  if (!err) err = &local;
  if (access(db_path, F_OK) == 0)
    return cb_fail(err, CB_E_IO, "%s: exists already, a new file was wanted", db_path);
  CB_TRY(cb_store_open(db_path, CB_STORE_BUILD, &s, err));
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = build_list(s, dir, MATERIALS_FILE, "materials", build_material, err);
  if (st == CB_OK) st = build_list(s, dir, FRICTION_FILE, "laws", build_law, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  if (st == CB_OK) st = closed;
  if (st != CB_OK) unlink(db_path);
  return st;
}

/* ---- database -> text ---- */

/* YAML single quotes: the only character that needs care is the quote itself, once control characters are
 * shown. */
static void put_quoted(FILE *f, const char *text) {
  char shown[16];
  fputc('\'', f);
  for (size_t n; (n = cb_text_next(text, shown)) > 0; text += n) fputs(*text == '\'' ? "''" : shown, f);
  fputc('\'', f);
}

static void quote(FILE *f, const char *key, const char *text) {
  fprintf(f, "    %s: ", key);
  put_quoted(f, text);
  fputc('\n', f);
}

static void put_real(FILE *f, const char *before, double v) {
  char text[32];
  fprintf(f, "%s%s", before, cb_shortest(v, text));
}

static void put_field(FILE *f, const char *key, double v) {
  fprintf(f, "    %s", key);
  put_real(f, ": ", v);
  fputc('\n', f);
}

static void write_material(FILE *f, const cb_material *m) {
  fprintf(f, "  -\n");
  quote(f, "name", m->name);
  fprintf(f, "    kind: %s\n", cb_material_kind_names[m->kind]);
  if (m->composition[0]) quote(f, "composition", m->composition);
  if (m->weave[0]) quote(f, "weave", m->weave);
  if (m->areal_density_kg_per_m2 > 0) put_field(f, "areal_density_kg_per_m2", m->areal_density_kg_per_m2);
  if (m->thickness_m > 0) put_field(f, "thickness_m", m->thickness_m);
  quote(f, "source", m->source);
  fprintf(f, "    origin: %s\n", cb_origin_names[m->origin]);
}

static void write_knot(FILE *f, const cb_friction_knot *k) {
  put_real(f, "      - [", k->normal_force_N);
  for (int i = 0; i < 3; i++) put_real(f, ", ", k->f_N[i]);
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) put_real(f, ", ", k->cov_N2[i][j]);
  fputs("]\n", f);
}

static void write_part(FILE *f, const cb_friction_shared *p, size_t n_knots) {
  bool word = p->source[0] && !p->source[strspn(p->source, "abcdefghijklmnopqrstuvwxyz_0123456789")];
  fputs("      - [", f);
  if (word)
    fputs(p->source, f);
  else
    put_quoted(f, p->source);
  for (int i = 0; i < 2; i++) put_real(f, ", ", p->exponent[i]);
  for (size_t i = 0; i < 3 * n_knots; i++) put_real(f, ", ", p->f_N[i / 3][i % 3]);
  fputs("]\n", f);
}

static void write_law(FILE *f, const cb_friction_law *l, const char *method, const char *verdicts) {
  fprintf(f, "  -\n");
  quote(f, "cloth", l->cloth);
  quote(f, "body", l->body);
  fprintf(f, "    kind: %s\n    form: %s\n    origin: %s\n", cb_friction_kind_names[l->kind],
          cb_friction_form_names[l->form], cb_origin_names[l->origin]);
  fprintf(f, "    model: %s\n", cb_friction_model_names[l->model]);
  put_field(f, "bend", l->bend);
  put_field(f, "offset_N", l->offset_N);
  if (!isnan(l->speed_m_per_s)) put_field(f, "speed_m_per_s", l->speed_m_per_s);
  put_field(f, "contact_area_m2", l->contact_area_m2);
  put_field(f, "exponent", l->exponent);
  put_field(f, "u_exponent", l->u_exponent);
  put_field(f, "u_rel_common", l->u_rel_common);
  put_field(f, "u_rel_model", l->u_rel_model);
  put_field(f, "dof", l->dof);
  quote(f, "method", method);
  fprintf(f, "    knots:\n");
  for (size_t i = 0; i < l->n_knots; i++) write_knot(f, &l->knots[i]);
  if (l->n_shared) fprintf(f, "    shared:\n");
  for (size_t i = 0; i < l->n_shared; i++) write_part(f, &l->shared[i], l->n_knots);
  quote(f, "verdicts", verdicts);
}

static cb_status write_materials(cb_store *s, FILE *f, cb_err *err) {
  cb_material *list;
  size_t n;
  CB_TRY(cb_store_materials(s, &list, &n, err));
  fprintf(f,
          "# Cloths and bodies. A reference database is built from this file and friction.yaml: clothbench "
          "db build FOLDER FILE\nmaterials:\n");
  for (size_t i = 0; i < n; i++) write_material(f, &list[i]);
  free(list);
  return CB_OK;
}

static cb_status write_laws(cb_store *s, FILE *f, cb_err *err) {
  cb_friction_law *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_laws(s, &list, &n, err));
  fprintf(f,
          "# Friction laws of the reference database. Written by 'clothbench db text'; nobody types these "
          "numbers.\n"
          "# A knot is [normal force N, f00, f01, f11 N, covariance of these three: 00_00, 00_01, 00_11, "
          "01_01, 01_11, 11_11 N2].\n"
          "# A shared part is one standard uncertainty of one source: [source, exponent below, above, then "
          "f00, f01, f11 N of each knot].\n"
          "laws:\n");
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    char *method, *verdicts, created[32];
    if (!cb_origin_is_real(list[i].origin)) {
      st = cb_fail(
          err, CB_E_RANGE,
          "%s: the law of '%s' on '%s' is %s: a reference database holds measured or imported laws only",
          cb_store_path(s), list[i].cloth, list[i].body, cb_origin_names[list[i].origin]);
      break;
    }
    st = cb_store_law_info(s, list[i].id, &method, &verdicts, created, err);
    if (st != CB_OK) break;
    write_law(f, &list[i], method, verdicts);
    free(method);
    free(verdicts);
  }
  free(list);
  return st;
}

typedef cb_status writer(cb_store *s, FILE *f, cb_err *err);

static cb_status write_file(cb_store *s, const char *dir, const char *name, writer *write, cb_err *err) {
  char path[1024], *text = NULL;
  size_t n = 0;
  CB_TRY(join(dir, name, path, err));
  FILE *f = open_memstream(&text, &n);
  if (!f) return cb_no_memory(err, "%s", path);
  cb_status st = write(s, f, err);
  if (fclose(f) != 0 && st == CB_OK) st = cb_no_memory(err, "%s", path);
  if (st == CB_OK) st = cb_file_write(path, text, n, err);
  free(text);
  return st;
}

cb_status cb_materials_write(cb_store *s, const char *dir, cb_err *err) {
  char path[1024];
  CB_TRY(cb_dir_make(dir, err));
  CB_TRY(join(dir, MATERIALS_FILE, path, err));
  if (access(path, F_OK) != 0) CB_TRY(write_file(s, dir, MATERIALS_FILE, write_materials, err));
  return write_file(s, dir, FRICTION_FILE, write_laws, err);
}
