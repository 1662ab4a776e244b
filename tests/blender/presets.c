/* blender_presets FOLDER: presets of sheets whose texts try to run code, one file each. The code that a text
 * carries makes a file whose name begins with "ran". Nothing stands between these texts and the writer: what
 * readers and store refuse is not asked here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "exch_cloth.h"

typedef struct hostile {
  const char *name, *basis, *friction_with;
} hostile;

static const hostile cases[] = {
    {"Twill", "invented", "Foam"},
    {"a\nopen('ran-lf','w')#", "invented", "Foam"},
    {"a\ropen('ran-cr','w')#", "invented", "Foam"},
    {"a\r\nopen('ran-crlf','w')#", "invented", "Foam"},
    {"Twill", "a\nopen('ran-basis','w')#", "Foam"},
    {"Twill", "invented", "a\nopen('ran-body','w')#"},
    {"a\fopen('ran-ff','w')#", "invented", "b\vopen('ran-vt','w')#"},
    {"a\xc2\x85open('ran-nel','w')#", "invented", "b\xe2\x80\xa8open('ran-ls','w')#"},
    {"a\xe2\x80\xa9open('ran-ps','w')#", "invented", "\x1c\x1d\x1e"},
    /* A comment in one of the first two lines can say how Python decodes all of them (PEP 263). */
    {"coding: raw_unicode_escape", "invented", "a\\u000aopen('ran-escape','w')#"},
    {"Twill", "coding: raw_unicode_escape", "a\\u000aopen('ran-escape-basis','w')#"},
    {"coding: utf-7", "invented", "a+AAo-open('ran-utf7','w')+ACM-"},
    {"-*- coding: unicode_escape -*-", "a\\nopen('ran-escape-n','w')#", "Foam"},
    {"coding: utf-16", "invented", "Foam"},
    {"\"\"\"'''\\", "\\", "\\"},
    {"\xff\xfe", "\x80", "\xed\xa0\x80"},
};
#define N_CASES (sizeof cases / sizeof cases[0])

static cb_status write_case(const char *folder, size_t i, cb_err *err) {
  exch_cloth s = {.areal_density_kg_per_m2 = {0.2, NAN},
                  .thickness_m = {NAN, NAN},
                  .stretch_warp_N_per_m = {900, NAN},
                  .stretch_weft_N_per_m = {700, NAN},
                  .shear_N_per_m = {41, NAN},
                  .bending_warp_N_m = {2e-6, NAN},
                  .bending_weft_N_m = {1e-6, NAN},
                  .bending_bias_N_m = {NAN, NAN},
                  .friction = {0.45, NAN}};
  char path[1000], *text;
  (void)snprintf(s.name, sizeof s.name, "%s", cases[i].name);
  (void)snprintf(s.basis, sizeof s.basis, "%s", cases[i].basis);
  (void)snprintf(s.friction_with, sizeof s.friction_with, "%s", cases[i].friction_with);
  (void)snprintf(path, sizeof path, "%.900s/writer-%02zu.py", folder, i);
  CB_TRY(exch_blender_write(&s, NULL, &text, err));
  cb_status st = cb_file_write(path, text, strlen(text), err);
  free(text);
  return st;
}

int main(int argc, char **argv) {
  cb_err err = {""};
  cb_status st = argc == 2 ? CB_OK : cb_fail(&err, CB_E_ARG, "usage: blender_presets FOLDER");
  for (size_t i = 0; st == CB_OK && i < N_CASES; i++) st = write_case(argv[1], i, &err);
  if (st == CB_OK) return EXIT_SUCCESS;
  fprintf(stderr, "blender_presets: %s\n", err.msg);
  return EXIT_FAILURE;
}
