#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_num.h"
#include "sim_shape.h"
#include "sim_tets_impl.h"

#define MAX_BYTES ((size_t)1 << 30)
#define MAX_ROWS (1 << 26)

typedef struct reader {
  const char *name, *at; /* at: text still to be read */
  int line;
} reader;

/* The next line that is not empty; # begins a comment. False: there is none. */
static bool next_line(reader *r, char *line, size_t size, size_t *n) {
  while (*r->at) {
    size_t length = strcspn(r->at, "\n"), use = strcspn(r->at, "#\n");
    const char *from = r->at;
    r->at += length + (r->at[length] == '\n');
    r->line++;
    if (strspn(from, " \t\r") >= use) continue;
    *n = use;
    if (use < size) {
      memcpy(line, from, use);
      line[use] = '\0';
    }
    return true;
  }
  return false;
}

/* A line's first n numbers; more may follow. */
static cb_status numbers(reader *r, int n, const char *what, double *out, cb_err *err) {
  char line[1024], *rest = NULL;
  size_t length = 0;
  if (!next_line(r, line, sizeof line, &length))
    return cb_fail(err, CB_E_PARSE, "%s: the file ends, %s was wanted", r->name, what);
  if (length >= sizeof line)
    return cb_fail(err, CB_E_PARSE, "%s:%d: a line of %zu characters is not believable", r->name, r->line,
                   length);
  char *word = strtok_r(line, " \t\r", &rest);
  for (int i = 0; i < n; i++, word = strtok_r(NULL, " \t\r", &rest)) {
    if (!word)
      return cb_fail(err, CB_E_PARSE, "%s:%d: %d numbers, %d were wanted (%s)", r->name, r->line, i, n, what);
    cb_status st = cb_parse_double(word, what, &out[i], err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s:%d", r->name, r->line);
  }
  return CB_OK;
}

static cb_status whole(const reader *r, double value, double least, double most, const char *what, int *out,
                       cb_err *err) {
  if (!(value >= least && value <= most) || value != (double)(int)value)
    return cb_fail(err, CB_E_PARSE, "%s:%d: %s is %g: a whole number from %g to %g was wanted", r->name,
                   r->line, what, value, least, most);
  *out = (int)value;
  return CB_OK;
}

/* TetGen counts from 0 or from 1; the first row says which. */
static cb_status number(const reader *r, double value, int row, int *first, cb_err *err) {
  int index;
  CB_TRY(whole(r, value, 0, MAX_ROWS, "the row's number", &index, err));
  if (row == 0) *first = index;
  if (*first > 1 || index != *first + row)
    return cb_fail(err, CB_E_PARSE, "%s:%d: row number %d: %d was wanted", r->name, r->line, index,
                   (*first > 1 ? 1 : *first) + row);
  return CB_OK;
}

/* Checks that the file is long enough for n rows, before memory for them is asked for. */
static cb_status room_for(const reader *r, int n, size_t row_bytes, const char *what, cb_err *err) {
  size_t most = (strlen(r->at) + 1) / row_bytes;
  if ((size_t)n <= most) return CB_OK;
  return cb_fail(err, CB_E_PARSE, "%s: the file ends, %d %s were wanted: there is room for %zu", r->name, n,
                 what, most);
}

static cb_status read_nodes(reader *r, double m_per_unit, double (**x)[3], int *n, int *first, cb_err *err) {
  double head[2], row[4];
  CB_TRY(numbers(r, 2, "number of points, dimension", head, err));
  CB_TRY(whole(r, head[0], 4, MAX_ROWS, "the number of points", n, err));
  if (head[1] != 3)
    return cb_fail(err, CB_E_PARSE, "%s:%d: dimension %g: 3 was wanted", r->name, r->line, head[1]);
  CB_TRY(room_for(r, *n, sizeof "1 0 0 0", "points", err));
  *x = malloc((size_t)*n * sizeof **x);
  if (!*x) return cb_no_memory(err, "%s, %d points", r->name, *n);
  for (int i = 0; i < *n; i++) {
    CB_TRY(numbers(r, 4, "point", row, err));
    CB_TRY(number(r, row[0], i, first, err));
    for (int k = 0; k < 3; k++) (*x)[i][k] = row[k + 1] * m_per_unit;
  }
  return CB_OK;
}

static cb_status read_tets(reader *r, int n_points, int first, int (**tet)[4], int *n, cb_err *err) {
  double head[2], row[5];
  int own_first = 0;
  CB_TRY(numbers(r, 2, "number of tetrahedra, corners", head, err));
  CB_TRY(whole(r, head[0], 1, MAX_ROWS, "the number of tetrahedra", n, err));
  if (head[1] != 4)
    return cb_fail(err, CB_E_PARSE, "%s:%d: %g corners: 4 were wanted", r->name, r->line, head[1]);
  CB_TRY(room_for(r, *n, sizeof "1 1 2 3 4", "tetrahedra", err));
  *tet = malloc((size_t)*n * sizeof **tet);
  if (!*tet) return cb_no_memory(err, "%s, %d tetrahedra", r->name, *n);
  for (int i = 0; i < *n; i++) {
    CB_TRY(numbers(r, 5, "tetrahedron", row, err));
    CB_TRY(number(r, row[0], i, &own_first, err));
    for (int k = 0; k < 4; k++) {
      CB_TRY(whole(r, row[k + 1], first, first + n_points - 1, "a corner", &(*tet)[i][k], err));
      (*tet)[i][k] -= first;
    }
  }
  return CB_OK;
}

/* TetGen's own order of corners has the fourth corner on the other side. If the first tetrahedron has that
 * order, all are turned. */
static void turn_tets(const double (*x)[3], int (*tet)[4], int n) {
  const int *v = tet[0];
  double a[3], b[3], c[3];
  for (int k = 0; k < 3; k++) {
    a[k] = x[v[1]][k] - x[v[0]][k];
    b[k] = x[v[2]][k] - x[v[0]][k];
    c[k] = x[v[3]][k] - x[v[0]][k];
  }
  double volume = (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] +
                  (a[0] * b[1] - a[1] * b[0]) * c[2];
  for (int i = 0; i < n && volume < 0; i++) {
    int second = tet[i][1];
    tet[i][1] = tet[i][2];
    tet[i][2] = second;
  }
}

cb_status sim_tets_parse(const char *node, const char *ele, const char *name, double m_per_unit,
                         sim_tets *out, cb_err *err) {
  *out = (sim_tets){0};
  char names[2][4096];
  (void)snprintf(names[0], sizeof names[0], "%.4000s.node", name);
  (void)snprintf(names[1], sizeof names[1], "%.4000s.ele", name);
  CB_TRY(cb_check_range(m_per_unit, 1e-9, 1e9, "metres per unit of a body's file", "", err));
  reader nodes = {names[0], node, 0}, tets = {names[1], ele, 0};
  double(*x)[3] = NULL;
  int(*tet)[4] = NULL, n = 0, n_tets = 0, first = 0;
  cb_status st = read_nodes(&nodes, m_per_unit, &x, &n, &first, err);
  if (st == CB_OK) st = read_tets(&tets, n, first, &tet, &n_tets, err);
  if (st == CB_OK) {
    turn_tets((const sim_vec3 *)x, tet, n_tets);
    st = sim_tets_build((const sim_vec3 *)x, n, (const int(*)[4])tet, n_tets, out, err);
    if (st != CB_OK) st = cb_fail_in(err, st, "%s", name);
  }
  free(x);
  free(tet);
  return st;
}

cb_status sim_tets_read(const char *path, double m_per_unit, sim_tets *out, cb_err *err) {
  *out = (sim_tets){0};
  char name[4096], *text[2] = {NULL, NULL};
  const char *const endings[] = {".node", ".ele"};
  cb_status st = CB_OK;
  for (int i = 0; i < 2 && st == CB_OK; i++) {
    size_t n;
    (void)snprintf(name, sizeof name, "%.4000s%s", path, endings[i]);
    st = cb_file_read(name, MAX_BYTES, &text[i], &n, err);
    if (st == CB_OK && strlen(text[i]) != n)
      st = cb_fail(err, CB_E_PARSE, "%s: a zero byte: text was wanted", name);
  }
  if (st == CB_OK) st = sim_tets_parse(text[0], text[1], path, m_per_unit, out, err);
  free(text[0]);
  free(text[1]);
  return st;
}
