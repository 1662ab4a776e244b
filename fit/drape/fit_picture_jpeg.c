/* JPEG by libjpeg, whose default is to print and exit: here every error, and every warning of damage, ends in
 * one sentence. */
#include <setjmp.h>
#include <stdio.h> /* jpeglib.h wants it */

#include <jpeglib.h>
#include <jerror.h>

#include "fit_picture.h"

/* A progressive picture has as many scans as its writer likes, and each costs the time of a whole picture; 10
 * are usual. */
#define MAX_SCANS 200

typedef struct reader {
  struct jpeg_error_mgr error; /* first: libjpeg knows no more of it */
  struct jpeg_progress_mgr progress;
  jmp_buf out;
  char text[JMSG_LENGTH_MAX];
} reader;

static void give_up(j_common_ptr j) {
  reader *r = (reader *)j->err;
  j->err->format_message(j, r->text);
  longjmp(r->out, 1);
}

/* msg_level < 0: the data are damaged. libjpeg would go on with grey. */
static void message(j_common_ptr j, int msg_level) {
  if (msg_level < 0) give_up(j);
}

static void count_scans(j_common_ptr j) {
  reader *r = (reader *)j->err;
  if (((j_decompress_ptr)j)->input_scan_number <= MAX_SCANS) return;
  (void)snprintf(r->text, sizeof r->text, "more than %d scans", MAX_SCANS);
  longjmp(r->out, 1);
}

static void decode(j_decompress_ptr d, fit_picture *out) {
  (void)jpeg_start_decompress(d);
  while (d->output_scanline < d->output_height) {
    JSAMPROW row = out->grey + (size_t)d->output_scanline * out->width;
    (void)jpeg_read_scanlines(d, &row, 1);
  }
  (void)jpeg_finish_decompress(d);
}

cb_status fit_picture_jpeg(const void *bytes, size_t n, const char *name, fit_picture *out, cb_err *err) {
  struct jpeg_decompress_struct d = {0};
  reader r = {.progress.progress_monitor = count_scans};
  volatile cb_status st = CB_OK;
  d.err = jpeg_std_error(&r.error);
  r.error.error_exit = give_up;
  r.error.emit_message = message;
  if (setjmp(r.out) == 0) {
    jpeg_create_decompress(&d);
    d.progress = &r.progress;
    jpeg_mem_src(&d, bytes, (unsigned long)n);
    (void)jpeg_read_header(&d, TRUE);
    st = fit_picture_room(out, d.image_width, d.image_height, name, err);
    d.out_color_space = JCS_GRAYSCALE;
    if (st == CB_OK) decode(&d, out);
  } else {
    st = r.error.msg_code == JERR_OUT_OF_MEMORY
             ? cb_no_memory(err, "%s, to unpack it", name)
             : cb_fail(err, CB_E_PARSE, "%s: damaged JPEG: %s", name, r.text);
  }
  jpeg_destroy_decompress(&d);
  return st;
}
