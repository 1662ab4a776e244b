#include "paper_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_err.h"

#define AT(type, member) offsetof(type, member), sizeof(((type *)0)->member)

const char *const paper_verdict_names[] = {"same", "better", "worse", "differs", NULL};

static cb_status read_value(cb_ynode item, paper_value *v, cb_err *err) {
  const cb_yfield fields[] = {
      {"what", CB_Y_STR, AT(paper_value, what), .required = true},
      {"paper", CB_Y_STR, AT(paper_value, paper)},
      {"read", CB_Y_STR, AT(paper_value, read), .required = true},
      {"least", CB_Y_NUM, offsetof(paper_value, least)},
      {"most", CB_Y_NUM, offsetof(paper_value, most)},
  };
  *v = (paper_value){.least = NAN, .most = NAN, .number = NAN};
  return cb_yaml_bind(item, fields, sizeof fields / sizeof fields[0], v, err);
}

/* A text, or a list of at most `most` texts of `bytes` each. */
static cb_status read_texts(cb_ynode node, char *out, size_t bytes, size_t most, size_t *n, cb_err *err) {
  const bool one = cb_yaml_scalar(node) != NULL;
  *n = one ? 1 : cb_yaml_count(node);
  if (*n > most) return cb_yaml_fail(node, err, CB_E_RANGE, "%zu texts: at most %zu were wanted", *n, most);
  for (size_t i = 0; i < *n; i++) {
    const char *text = cb_yaml_scalar(one ? node : cb_yaml_item(node, i));
    if (!text || strlen(text) >= bytes)
      return cb_yaml_fail(node, err, CB_E_PARSE, "a text of fewer than %zu bytes was wanted", bytes);
    memcpy(out + i * bytes, text, strlen(text) + 1);
  }
  return CB_OK;
}

static cb_status check_row(cb_ynode item, const paper_row *r, cb_err *err) {
  if (r->n_commands == 0) return cb_yaml_fail(item, err, CB_E_PARSE, "row %s has no command", r->id);
  const bool has = r->verdict != PAPER_NO_VERDICT;
  if (has != (r->n_values > 0))
    return cb_yaml_fail(item, err, CB_E_PARSE, "row %s reads %zu numbers and has %s verdict: %s was wanted",
                        r->id, r->n_values, has ? "a" : "no", has ? "none" : "one");
  if ((r->verdict == PAPER_DIFFERS || r->verdict == PAPER_WORSE) && !r->because[0])
    return cb_yaml_fail(item, err, CB_E_PARSE, "row %s %s: `because` was wanted", r->id,
                        r->verdict == PAPER_WORSE ? "is worse" : "differs");
  return CB_OK;
}

typedef struct row_nodes {
  paper_row row;
  cb_ynode run, values, pictures;
} row_nodes;

static cb_status read_row(cb_ynode item, paper_row *out, cb_err *err) {
  row_nodes n = {.row = {.minutes = NAN, .verdict = PAPER_NO_VERDICT}};
  const cb_yfield fields[] = {
      {"id", CB_Y_STR, AT(row_nodes, row.id), .required = true},
      {"shows", CB_Y_STR, AT(row_nodes, row.shows), .required = true},
      {"run", CB_Y_NODE, offsetof(row_nodes, run), .required = true},
      {"full", CB_Y_STR, AT(row_nodes, row.full)},
      {"minutes", CB_Y_NUM, offsetof(row_nodes, row.minutes), .required = true, .min = 0.01, .max = 1e4},
      {"values", CB_Y_NODE, offsetof(row_nodes, values)},
      {"pictures", CB_Y_NODE, offsetof(row_nodes, pictures)},
      {"verdict", CB_Y_ENUM, offsetof(row_nodes, row.verdict), .choices = paper_verdict_names},
      {"negative", CB_Y_BOOL, offsetof(row_nodes, row.negative)},
      {"because", CB_Y_STR, AT(row_nodes, row.because)},
  };
  CB_TRY(cb_yaml_bind(item, fields, sizeof fields / sizeof fields[0], &n, err));
  paper_row *r = &n.row;
  CB_TRY(read_texts(n.run, r->command[0], sizeof r->command[0], PAPER_COMMANDS, &r->n_commands, err));
  CB_TRY(read_texts(n.pictures, r->picture[0], sizeof r->picture[0], PAPER_PICTURES, &r->n_pictures, err));
  r->n_values = cb_yaml_count(n.values);
  if (r->n_values > PAPER_VALUES)
    return cb_yaml_fail(n.values, err, CB_E_RANGE, "%zu values: at most %d were wanted", r->n_values,
                        PAPER_VALUES);
  for (size_t i = 0; i < r->n_values; i++) CB_TRY(read_value(cb_yaml_item(n.values, i), &r->value[i], err));
  CB_TRY(check_row(item, r, err));
  *out = *r;
  return CB_OK;
}

typedef struct paper_nodes {
  paper paper;
  cb_ynode rows;
} paper_nodes;

static cb_status read_paper(cb_ynode item, paper *out, cb_err *err) {
  paper_nodes n = {.paper = {.n_rows = 0}};
  const cb_yfield fields[] = {
      {"id", CB_Y_STR, AT(paper_nodes, paper.id), .required = true},
      {"title", CB_Y_STR, AT(paper_nodes, paper.title), .required = true},
      {"cite", CB_Y_STR, AT(paper_nodes, paper.cite), .required = true},
      {"page", CB_Y_STR, AT(paper_nodes, paper.page), .required = true},
      {"rows", CB_Y_NODE, offsetof(paper_nodes, rows), .required = true},
  };
  CB_TRY(cb_yaml_bind(item, fields, sizeof fields / sizeof fields[0], &n, err));
  *out = n.paper;
  out->row = calloc(cb_yaml_count(n.rows) + 1, sizeof *out->row);
  if (!out->row) return cb_no_memory(err, "the rows of paper %s", out->id);
  for (size_t i = 0; i < cb_yaml_count(n.rows); i++) {
    CB_TRY(read_row(cb_yaml_item(n.rows, i), &out->row[i], err));
    out->n_rows++;
  }
  return CB_OK;
}

static cb_status read_papers(cb_ynode list, paper_list *out, cb_err *err) {
  out->paper = calloc(cb_yaml_count(list) + 1, sizeof *out->paper);
  if (!out->paper) return cb_no_memory(err, "the papers");
  for (size_t i = 0; i < cb_yaml_count(list); i++) {
    out->n++;
    CB_TRY(read_paper(cb_yaml_item(list, i), &out->paper[i], err));
  }
  return CB_OK;
}

cb_status paper_list_read(const char *path, paper_list *out, cb_err *err) {
  cb_yaml *doc;
  cb_ynode papers = {NULL, 0};
  const cb_yfield fields[] = {{"papers", CB_Y_NODE, 0, .required = true}};
  *out = (paper_list){.n = 0};
  CB_TRY(cb_yaml_load(path, &doc, err));
  cb_status st = cb_yaml_bind(cb_yaml_root(doc), fields, 1, &papers, err);
  if (st == CB_OK) st = read_papers(papers, out, err);
  cb_yaml_free(doc);
  return st;
}

void paper_list_clear(paper_list *list) {
  for (size_t i = 0; i < list->n; i++) free(list->paper[i].row);
  free(list->paper);
  *list = (paper_list){.n = 0};
}

paper_row *paper_list_find(const paper_list *list, const char *id) {
  for (size_t p = 0; p < list->n; p++)
    for (size_t i = 0; i < list->paper[p].n_rows; i++)
      if (strcmp(list->paper[p].row[i].id, id) == 0) return &list->paper[p].row[i];
  return NULL;
}

const char *paper_row_word(const paper_row *r) {
  if (r->n_values == 0) return "nothing is read";
  for (size_t k = 0; k < r->n_values; k++)
    if (isnan(r->value[k].number)) return "not played";
  for (size_t k = 0; k < r->n_values; k++)
    if (r->value[k].number < r->value[k].least || r->value[k].number > r->value[k].most)
      return "not as written";
  return paper_verdict_names[r->verdict];
}

void paper_value_wanted(const paper_value *v, char out[60]) {
  const bool from = !isnan(v->least), to = !isnan(v->most);
  out[0] = '\0';
  if (from && to)
    (void)snprintf(out, 60, "%g to %g", v->least, v->most);
  else if (from || to)
    (void)snprintf(out, 60, from ? "at least %g" : "at most %g", from ? v->least : v->most);
}
