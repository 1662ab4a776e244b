/* Draped shapes in the store: there and back to half a step, and what is damaged. */
#include "storeshape.h"
#include "storetest.h"

#include "cb_store_file.h"

static int64_t put_cloth(cb_store *s) {
  int64_t id;
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, "Twill", CB_MEASURED, &id, err));
  return id;
}

static int bytes_of_newest(const char *db) {
  char *text = store_text(db, "SELECT length(payload) FROM drape_shape ORDER BY id DESC LIMIT 1");
  const int n = atoi(text); /* NOLINT: of SQLite */
  free(text);
  return n;
}

static void there_and_back(void **state) {
  const store_fixture *f = *state;
  cb_drape_shape p = store_shape_bowl(put_cloth(f->s), 76), back;
  assert_ok(cb_store_shape_newest(f->s, p.material_id, &back, err));
  assert_true(back.id == 0 && !back.position_m);
  assert_ok(cb_store_shape_put(f->s, &p, err));
  assert_ok(cb_store_shape_newest(f->s, p.material_id, &back, err));
  assert_true(back.id == p.id && back.n_vertices == 5776 && back.n_triangles == p.n_triangles);
  assert_true(back.stretch_law_id == 0 && back.seed == 3 && back.seeds == 10);
  assert_near(back.quantum_m, 0.15 / 32767, 1e-18);
  for (int v = 0; v < p.n_vertices; v++)
    for (int c = 0; c < 3; c++)
      assert_near(back.position_m[v][c], p.position_m[v][c], 0.5000001 * back.quantum_m);
  assert_memory_equal(back.triangle, p.triangle, (size_t)p.n_triangles * sizeof *p.triangle);
  /* What comes back is stored again without loss. */
  cb_drape_shape again = back, last;
  assert_ok(cb_store_shape_put(f->s, &again, err));
  assert_ok(cb_store_shape_newest(f->s, p.material_id, &last, err));
  assert_true(last.id > p.id);
  for (int v = 0; v < p.n_vertices; v++)
    for (int c = 0; c < 3; c++) assert_near(last.position_m[v][c], back.position_m[v][c], 1e-15);
  cb_drape_shape_clear(&last);
  cb_drape_shape_clear(&back);
  /* Noise on the way down, as of a mesh of irregular triangles: the largest blob. */
  for (int v = 0; v < p.n_vertices; v++) p.position_m[v][2] += 1e-3 * ((v * 7919 % 1009) / 1009.0 - 0.5);
  assert_ok(cb_store_shape_put(f->s, &p, err));
  assert_true(bytes_of_newest(f->db) < 60000);
  assert_ok(cb_store_check(f->s, NULL, err));
  cb_drape_shape_clear(&p);
}

static void refuses_what_is_no_mesh(void **state) {
  const store_fixture *f = *state;
  cb_drape_shape p = store_shape_bowl(put_cloth(f->s), 3);
  p.position_m[4][1] = NAN;
  assert_fails(CB_E_RANGE, "largest co-ordinate is inf m", cb_store_shape_put(f->s, &p, err));
  p.position_m[4][1] = 0;
  p.n_triangles = 0;
  assert_fails(CB_E_DB, "CHECK constraint failed: n_triangles", cb_store_shape_put(f->s, &p, err));
  p.n_triangles = 8;
  p.n_vertices = 2;
  assert_fails(CB_E_DB, "CHECK constraint failed: n_vertices", cb_store_shape_put(f->s, &p, err));
  p.n_vertices = 9;
  p.stretch_law_id = 5;
  assert_fails(CB_E_DB, "a row that was named is not there", cb_store_shape_put(f->s, &p, err));
  for (int v = 0; v < 9; v++) memset(p.position_m[v], 0, sizeof p.position_m[v]);
  assert_fails(CB_E_RANGE, "its largest co-ordinate is 0 m", cb_store_shape_put(f->s, &p, err));
  cb_drape_shape_clear(&p);
}

/* Seals fit: check alone is left to find it. */
static void finds_damage(void **state) {
  store_fixture *f = *state;
  static const char *const edits[][2] = {
      {"UPDATE drape_shape SET crc32 = crc32 + 1", "draped shape 1: its bytes are damaged (CRC)"},
      {"UPDATE drape_shape SET n_vertices = 8", "draped shape 1: "},
      {"UPDATE drape_shape SET n_triangles = 7", "draped shape 1: "},
      {"UPDATE drape_shape SET n_triangles = 200000", "131072"},
      {"UPDATE drape_shape SET n_vertices = 7, n_triangles = 10", "draped shape 1: "},
      {"UPDATE drape_shape SET payload = x'00', crc32 = 3523407757", "draped shape 1: "}};
  cb_drape_shape p = store_shape_bowl(put_cloth(f->s), 3);
  char other[420];
  (void)snprintf(other, sizeof other, "%s.other", f->db);
  assert_ok(cb_store_shape_put(f->s, &p, err));
  assert_ok(cb_store_check(f->s, NULL, err));
  for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
    cb_store *s;
    cb_drape_shape got;
    store_copy(f->db, other);
    store_edit_and_reseal(other, edits[i][0]);
    assert_ok(cb_store_open(other, CB_STORE_READ, &s, err));
    assert_fails(CB_E_DB, edits[i][1], cb_store_check(s, NULL, err));
    assert_fails(CB_E_DB, edits[i][1], cb_store_shape_newest(s, p.material_id, &got, err));
    assert_ok(cb_store_close(s, err));
  }
  store_exec(f->db, "DELETE FROM drape_shape", "append-only");
  store_exec(f->db, "UPDATE drape_shape SET seed = 1", "append-only");
  cb_drape_shape_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {STORE_TEST(there_and_back), STORE_TEST(refuses_what_is_no_mesh),
                                     STORE_TEST(finds_damage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
