/* docs/design.md's table of the targets, held against every include: a header comes from the own folder, or
 * it is public (in the other target's include folder) and the other target stands below. Within a target, a
 * header NAME_impl.h is its own folder's. A model (a folder of sim/models) knows no other: private headers
 * are its own, and a public header belongs to the one folder that includes it. */
#include <dirent.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "cbtest.h"

#define MAX_TARGETS 40
#define STANDS "| target | stands on |" /* head of the table in docs/design.md */

typedef struct stand {
  char name[32], folder[40];
  char below[200]; /* targets whose public headers it may include, as the table has them */
} stand;

static stand targets[MAX_TARGETS];
static int n_targets;

static void note_target(const char *name, const char *below) {
  assert_true(n_targets < MAX_TARGETS);
  stand *t = &targets[n_targets++];
  (void)snprintf(t->name, sizeof t->name, "%s", name);
  (void)snprintf(t->below, sizeof t->below, "%s", below);
}

/* Folders stand in the CMake files: cb_module(NAME FOLDER folder ...); else the folder has the target's
 * name. */
static void note_folder(stand *t) {
  static const char *const files[] = {CB_SOURCE_DIR "/CMakeLists.txt", CB_SOURCE_DIR "/sim/CMakeLists.txt"};
  (void)snprintf(t->folder, sizeof t->folder, "%s", t->name);
  for (int k = 0; k < 2; k++) {
    char *text = cbt_read(files[k]), wanted[60];
    (void)snprintf(wanted, sizeof wanted, "\ncb_module(%s FOLDER ", t->name);
    const char *at = strstr(text, wanted);
    if (at) assert_int_equal(sscanf(at + strlen(wanted), "%39[^ )]", t->folder), 1);
    free(text);
  }
}

static int read_table(void **state) {
  (void)state;
  char *text = cbt_read(CB_SOURCE_DIR "/docs/design.md"), *row = strstr(text, STANDS);
  assert_non_null(row);
  while ((row = strchr(row, '\n')) && row[1] == '|') {
    char names[200], below[200], *save, *name;
    row++;
    if (row[1] == '-') continue;
    assert_int_equal(sscanf(row, "| %199[^|]| %199[^|\n]|", names, below), 2);
    for (name = strtok_r(names, ", ", &save); name; name = strtok_r(NULL, ", ", &save))
      note_target(name, below);
  }
  free(text);
  for (int i = 0; i < n_targets; i++) note_folder(&targets[i]);
  return 0;
}

static int target_of(const char *name) {
  for (int i = 0; i < n_targets; i++)
    if (strcmp(targets[i].name, name) == 0) return i;
  return -1;
}

#define MAX_HEADERS 600
typedef struct header {
  char name[80], folder[1000]; /* below the root of the tree */
  char model[1000];            /* public headers of the models: the folder that included it first; "" */
  int target;
  bool public;
} header;

static header headers[MAX_HEADERS];
static int n_headers, n_includes;
static size_t root_length;  /* of the tree's path and a slash: paths are told without */
static char complaint[600]; /* the first include that must not be; "" */

static bool ends_in(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && strcmp(name + n - m, end) == 0;
}

typedef void visitor(const char *path, const char *name, int target);

/* The folder is another target's. */
static bool is_of_another(const char *path, int target) {
  for (int i = 0; i < n_targets; i++)
    if (i != target && strcmp(path + root_length, targets[i].folder) == 0) return true;
  return false;
}

static void walk(const char *folder, int target, visitor *visit) {
  DIR *d = opendir(folder);
  if (!d) return;
  for (struct dirent *e; (e = readdir(d));) {
    char path[1000];
    struct stat info;
    if (e->d_name[0] == '.') continue;
    (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (stat(path, &info) != 0) continue;
    if (S_ISDIR(info.st_mode) && !is_of_another(path, target)) walk(path, target, visit);
    if (S_ISREG(info.st_mode) && (ends_in(e->d_name, ".c") || ends_in(e->d_name, ".h")))
      visit(path, e->d_name, target);
  }
  closedir(d);
}

static void folder_of(const char *path, char out[1000]) {
  (void)snprintf(out, 1000, "%s", path + root_length);
  *strrchr(out, '/') = '\0';
}

static void note_header(const char *path, const char *name, int target) {
  if (!ends_in(name, ".h")) return;
  assert_true(n_headers < MAX_HEADERS && strlen(name) < sizeof headers->name);
  header *h = &headers[n_headers++];
  *h = (header){.target = target, .public = strstr(path, "/include/") != NULL};
  (void)snprintf(h->name, sizeof h->name, "%s", name);
  folder_of(path, h->folder);
}

static bool may_include(int from, int to) {
  char below[sizeof targets->below], *save, *name;
  (void)snprintf(below, sizeof below, "%s", targets[from].below);
  for (name = strtok_r(below, ", ", &save); name; name = strtok_r(NULL, ", ", &save))
    if (strcmp(name, targets[to].name) == 0 || strcmp(name, "all") == 0 ||
        (strcmp(name, "sim") == 0 && strncmp(targets[to].name, "sim_", 4) == 0))
      return true;
  return false;
}

/* A header of the own target is looked for first, as the compiler does. */
static header *find(const char *name, int from) {
  header *found = NULL;
  for (int i = 0; i < n_headers; i++)
    if (strcmp(headers[i].name, name) == 0 && (!found || headers[i].target == from)) found = &headers[i];
  return found;
}

/* The header is of the same target. */
static void look_at_own(const char *path, header *h) {
  char folder[1000];
  const bool model = strcmp(targets[h->target].name, "sim_models") == 0;
  folder_of(path, folder);
  if (strcmp(folder, h->folder) == 0 && !(model && h->public)) return;
  if (ends_in(h->name, "_impl.h"))
    (void)snprintf(complaint, sizeof complaint, "%s: %s is private to %s", path, h->name, h->folder);
  if (!model) return;
  if (!h->public || ends_in(folder, "/include"))
    (void)snprintf(complaint, sizeof complaint, "%s: %s belongs to another model", path, h->name);
  else if (h->model[0] && strcmp(h->model, folder) != 0)
    (void)snprintf(complaint, sizeof complaint, "%s: %s belongs to %s", path, h->name, h->model);
  (void)snprintf(h->model, sizeof h->model, "%s", folder);
}

static void look_at(const char *path, const char *include, int target) {
  const char *slash = strrchr(include, '/');
  header *h = find(slash ? slash + 1 : include, target);
  n_includes++;
  if (complaint[0]) return;
  if (!h)
    (void)snprintf(complaint, sizeof complaint, "%s: \"%s\" belongs to no target", path, include);
  else if (h->target == target)
    look_at_own(path, h);
  else if (!h->public)
    (void)snprintf(complaint, sizeof complaint, "%s: \"%s\" is private to %s", path, include,
                   targets[h->target].name);
  else if (!may_include(target, h->target))
    (void)snprintf(complaint, sizeof complaint, "%s: \"%s\": %s does not stand on %s", path, include,
                   targets[target].name, targets[h->target].name);
}

static void check_file(const char *path, const char *name, int target) {
  (void)name;
  char line[2000], include[200];
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f)) {
    if (sscanf(line, " # include \"%199[^\"]\"", include) == 1) look_at(path, include, target);
    if (!complaint[0] && strstr(line, "<sqlite3.h>") && strcmp(targets[target].name, "store") != 0)
      (void)snprintf(complaint, sizeof complaint, "%s: only the store includes sqlite3.h", path);
  }
  fclose(f);
}

static void check_tree(const char *root) {
  char folder[600];
  n_headers = n_includes = 0;
  root_length = strlen(root) + 1;
  complaint[0] = '\0';
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < n_targets; i++) {
      (void)snprintf(folder, sizeof folder, "%s/%s", root, targets[i].folder);
      walk(folder, i, pass ? check_file : note_header);
    }
}

static void every_include_goes_along_the_arrows(void **state) {
  (void)state;
  check_tree(CB_SOURCE_DIR);
  if (complaint[0]) fail_msg("%s", complaint);
  assert_true(n_headers > 200 && n_includes > 1500);
}

/* Counts the targets that a CMake file makes with cb_module; fails on one that is not in the table. */
static int count_targets(const char *path) {
  int count = 0;
  char name[80], *text = cbt_read(path);
  for (const char *at = text; (at = strstr(at, "\ncb_module(")); count++) {
    at += strlen("\ncb_module(");
    assert_int_equal(sscanf(at, "%79[^ )]", name), 1);
    if (target_of(name) < 0) fail_msg("%s: target %s is not in the table of docs/design.md", path, name);
  }
  free(text);
  return count;
}

/* A new folder must say where it stands. cli is made without cb_module. */
static void every_target_is_known(void **state) {
  (void)state;
  assert_int_equal(
      count_targets(CB_SOURCE_DIR "/CMakeLists.txt") + count_targets(CB_SOURCE_DIR "/sim/CMakeLists.txt") + 1,
      n_targets);
}

static void plant(const char *path, const char *text) {
  char command[800], to[700];
  (void)snprintf(to, sizeof to, "%s/%s", cbt_folder, path);
  (void)snprintf(command, sizeof command, "mkdir -p \"$(dirname '%s')\"", to);
  assert_int_equal(system(command), 0);
  cbt_write(to, text);
}

/* The test can fail: one planted violation of each kind. */
static void violations_are_seen(void **state) {
  (void)state;
  static const struct {
    const char *path, *text, *said;
  } planted[] = {
      {"fit/fit_a.c", "#include \"cb_store.h\"\n", "fit does not stand on store"},
      {"store/cb_b.c", "#include \"fit_public.h\"\n", "store does not stand on fit"},
      {"lab/report/report_c.c", "#include \"cb_store_impl.h\"\n", "is private to store"},
      {"sim/check/val_d.c", "#include \"../fit/fit_private.h\"\n", "is private to fit"},
      {"lab/exchange/exch_e.c", "#include <sqlite3.h>\n", "only the store includes sqlite3.h"},
      {"core/cb_f.c", "#include \"nothing.h\"\n", "belongs to no target"},
      {"sim/geometry/mesh/sim_g.c", "#include \"sim_cloth.h\"\n", "sim_geometry does not stand on sim_cloth"},
      {"sim/models/limit/sim_h.c", "#include \"sim_private.h\"\n", "is private to sim_cloth"},
      {"sim/models/limit/sim_i.c", "#include \"sim_foam.h\"\n", "belongs to another model"},
      {"sim/models/limit/sim_j.c", "#include \"sim_fluid.h\"\n", "sim_fluid.h belongs to sim/models/"},
      {"sim/models/include/sim_k.h", "#include \"sim_fluid.h\"\n", "belongs to another model"},
      {"sim/models/limit/sim_l.c", "#include \"sim_play.h\"\n", "sim_models does not stand on sim_scene"},
      {"sim/cloth/contact/sim_m.c", "#include \"sim_cloth_impl.h\"\n", "is private to sim/cloth/step"},
  };
  plant("core/include/cb_err.h", "");
  plant("store/include/cb_store.h", "#include \"cb_err.h\"\n");
  plant("store/cb_store_impl.h", "#include \"cb_store.h\"\n");
  plant("fit/include/fit_public.h", "#include \"cb_err.h\"\n");
  plant("fit/fit_private.h", "");
  plant("sim/cloth/include/sim_cloth.h", "#include \"cb_err.h\"\n");
  plant("sim/cloth/step/sim_private.h", "");
  plant("sim/cloth/step/sim_cloth_impl.h", "");
  plant("sim/cloth/contact/sim_contact.c", "#include \"sim_private.h\"\n");
  plant("sim/models/include/sim_fluid.h", "#include \"sim_cloth.h\"\n");
  plant("sim/models/fluid/sim_foam.h", "#include \"sim_fluid.h\"\n");
  plant("sim/scene/include/sim_play.h", "");
  check_tree(cbt_folder);
  assert_string_equal(complaint, "");
  for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
    char path[700];
    plant(planted[i].path, planted[i].text);
    check_tree(cbt_folder);
    if (!strstr(complaint, planted[i].said))
      fail_msg("%s: '%s' was wanted, '%s' was said", planted[i].path, planted[i].said, complaint);
    (void)snprintf(path, sizeof path, "%s/%s", cbt_folder, planted[i].path);
    unlink(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_include_goes_along_the_arrows), cmocka_unit_test(every_target_is_known),
      cmocka_unit_test_setup_teardown(violations_are_seen, cbt_folder_set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, read_table, NULL);
}
