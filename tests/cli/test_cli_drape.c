/* clothbench import drape: pictures and meshes in, one document out; into a database with --cloth, and onto
 * the card. */
#include "drapetest.h"
#include "fit_picture.h"
#include "jsonpage.h"

static void expect(const char *arguments, int code, const char *out, const char *says) {
  cbt_result r;
  cbt_run(&r, cbt_folder, arguments);
  if (r.code != code || !strstr(r.out, out) || !strstr(r.err, says))
    fail_msg("%s: exit %d\n%s\n%s\nwanted %d, '%s', '%s'", arguments, r.code, r.out, r.err, code, out, says);
}

static const dt_rosette truth[] = {{180, 170, 120, 10, 6}, {176, 172, 124, 9, 7}};

static int set_up(void **state) {
  char path[400];
  cbt_folder_set_up(state);
  for (int i = 0; i < 2; i++) {
    fit_picture p = dt_ground(360, 350, 255);
    dt_draw(&p, &truth[i], 0);
    if (i == 0)
      dt_write_png(&p, cbt_path("Twill_1.png", path));
    else
      dt_write_jpeg(&p, cbt_path("Twill_2.jpg", path), 92);
    fit_picture_clear(&p);
  }
  cbt_write(cbt_path("square.obj", path),
            "v -.11 -.11 0\nv .11 -.11 0\nv .11 .11 0\nv -.11 .11 0\nf 1 2 3 4\n");
  cbt_write(cbt_path("note.txt", path), "hello\n");
  return 0;
}

static void a_report_without_a_database(void **state) {
  (void)state;
  cbt_result r;
  cbt_run(&r, cbt_folder, "import drape Twill_1.png Twill_2.jpg square.obj --scale-mm-per-px 1 --json");
  if (r.code != 0) fail_msg("%s", r.err);
  assert_string_equal(r.err, "");
  jp_expect_text("import drape", r.out);
  json_t *doc = jp_document(r.out), *files = json_object_get(doc, "files");
  assert_int_equal(json_array_size(files), 3);
  for (size_t i = 0; i < 2; i++) {
    const json_t *f = json_array_get(files, i);
    assert_near(jp_number(f, "drape_coefficient"), dt_coefficient(dt_area(&truth[i]) * 1e-6),
                jp_number(f, "u"));
    assert_near(jp_number(f, "nodes"), truth[i].k, 0);
    assert_near(jp_number(f, "amplitude_m"), 2e-3 * truth[i].b, 2e-4);
    assert_int_equal(json_array_size(json_object_get(f, "radius_m")), 360);
  }
  const json_t *square = json_array_get(files, 2);
  assert_near(jp_number(square, "drape_coefficient"), dt_coefficient(0.22 * 0.22), 1e-4);
  assert_near(jp_number(square, "nodes"), 4, 0);
  json_decref(doc);
  expect("import drape Twill_1.png", 0, "  Twill_1.png ", "longer side is taken as 35.3 cm");
  expect("import drape note.txt", 1, "", "note.txt: 0 vertices and 0 faces");
  expect("import drape Twill_1.png --scale-mm-per-px 3", 1, "", "that is a scale of");
  expect("import drape", 2, "", "an argument is missing");
  expect("import drape Twill_1.png --db lab.db", 2, "", "which wants --cloth NAME");
  expect("import drape Twill_1.png --specimen-cm 18 --scale-mm-per-px 1", 1, "", "larger by a tenth");
}

static void into_the_database_and_onto_the_card(void **state) {
  (void)state;
  expect(
      "import drape Twill_1.png Twill_2.jpg --scale-mm-per-px 1 --cloth Twill --source 'a lab' --db lab.db",
      0, "2 drapes of 'Twill' imported into lab.db", "");
  expect("import drape Twill_2.jpg --scale-mm-per-px 1 --cloth Twill --db lab.db", 1, "",
         "this very file was imported");
  /* One that fails takes nothing with it. */
  expect("import drape square.obj Twill_1.png --cloth Twill --scale-mm-per-px 1 --db lab.db", 1, "",
         "this very file");
  expect("db show Twill --db lab.db", 0, "drape, silhouette, imported\n    2 drapes; ", "");
  expect("db show Twill --db lab.db", 0, "30 cm on 18 cm", "");
  expect("db check --db lab.db", 0, "", "");
  expect("import drape square.obj --cloth Twill --db other.db", 0, "1 drape of", "");
  expect("db merge other.db --db lab.db", 0, "", "");
  expect("db show Twill --db lab.db", 0, "drape, mesh, imported\n    1 drape; ", "");
  expect("db merge other.db --db lab.db", 0, "", "");
  cbt_result r;
  cbt_run(&r, cbt_folder, "db show Twill --db lab.db --json");
  jp_expect_text("db show", r.out);
  double mean = (dt_coefficient(dt_area(&truth[0]) * 1e-6) + dt_coefficient(dt_area(&truth[1]) * 1e-6)) / 2;
  json_t *doc = jp_document(r.out), *laws = json_object_get(doc, "laws");
  const json_t *p = json_array_get(json_object_get(json_array_get(laws, 0), "properties"), 0);
  assert_string_equal(json_string_value(json_object_get(p, "name")), "drape coefficient");
  assert_near(jp_number(p, "value"), mean, 0.005);
  json_decref(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_report_without_a_database, set_up, cbt_folder_tear_down),
      cmocka_unit_test_setup_teardown(into_the_database_and_onto_the_card, set_up, cbt_folder_tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
