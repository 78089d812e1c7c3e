#include "picture.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "paint.h"
#include "png_file.h"

/* One picture on its way into a file. */
struct job {
    const struct picture *picture;
    struct typeset *typeset;
    FILE *file;
    const char *path;
    struct error *err;
};

static cairo_status_t write_bytes(void *closure, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, closure) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Paints and ends the surface; `scale` is surface units per px. */
static bool paint_surface(const struct job *job, cairo_surface_t *surface, double scale)
{
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, scale, scale);
    paint_scene(job->picture->scene, job->picture->theme, job->typeset, cr);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    return status == CAIRO_STATUS_SUCCESS || error_set(job->err, job->path, -1, "%s", cairo_status_to_string(status));
}

static bool write_png(const struct job *job)
{
    const struct picture *picture = job->picture;
    const struct scene *scene = picture->scene;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(scene->width), (int)ceil(scene->height));
    cairo_t *cr = cairo_create(surface);
    paint_scene(scene, picture->theme, job->typeset, cr);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    struct png_file_image image = {.pixels = (const void *)cairo_image_surface_get_data(surface),
                              .width = (uint32_t)cairo_image_surface_get_width(surface),
                              .height = (uint32_t)cairo_image_surface_get_height(surface),
                              .stride_bytes = (uint32_t)cairo_image_surface_get_stride(surface),
                              .dpi = picture->dpi,
                              .title = picture->title,
                              .software = picture->software,
                              .source = picture->source};
    bool done = status == CAIRO_STATUS_SUCCESS && png_file_write(job->file, &image);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        return error_set(job->err, job->path, -1, "a picture of %.0f x %.0f px cannot be drawn: %s", scene->width,
                         scene->height, cairo_status_to_string(status));
    return done || error_set(job->err, job->path, -1, "cannot write: %s", strerror(errno));
}

static bool write_svg(const struct job *job)
{
    const struct scene *scene = job->picture->scene;
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream(write_bytes, job->file, scene->width, scene->height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    bool done = paint_surface(job, surface, 1);
    cairo_surface_destroy(surface);
    return done;
}

static bool write_pdf(const struct job *job)
{
    const struct picture *picture = job->picture;
    double points = 72 / picture->dpi;
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        write_bytes, job->file, picture->scene->width * points, picture->scene->height * points);
    const char *recorded = picture->recorded[0] != '\0' ? picture->recorded : "1970-01-01T00:00:00Z";
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, picture->title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, picture->software);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, picture->source);
    /* cairo would put the time of writing there */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, recorded);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_MOD_DATE, recorded);
    bool done = paint_surface(job, surface, points);
    cairo_surface_destroy(surface);
    return done;
}

static const struct {
    const char *ending;
    bool (*write)(const struct job *job);
} formats[] = {
    [PICTURE_PNG] = {".png", write_png},
    [PICTURE_SVG] = {".svg", write_svg},
    [PICTURE_PDF] = {".pdf", write_pdf},
};

bool picture_format_of(const char *path, enum picture_format *ret_format)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t ending = strlen(formats[i].ending);
        if (length > ending && strcasecmp(path + length - ending, formats[i].ending) == 0) {
            *ret_format = (enum picture_format)i;
            return true;
        }
    }
    return false;
}

/* Writes the picture and closes the file, whatever happens. */
static bool write_and_close(struct job *job)
{
    bool done = formats[job->picture->format].write(job);
    if (fclose(job->file) != 0 && done)
        return error_set(job->err, job->path, -1, "cannot write: %s", strerror(errno));
    return done;
}

bool picture_write(const struct picture *picture, struct typeset *typeset, const char *path, struct error *err)
{
    struct arena scratch;
    arena_init(&scratch);
    const char *beside = arena_printf(&scratch, "%s.%ld.part", path, (long)getpid());
    struct job job = {picture, typeset, fopen(beside, "wbx"), path, err};
    bool done = job.file != NULL || error_set(err, path, -1, "cannot create: %s", strerror(errno));
    if (job.file != NULL) {
        done = write_and_close(&job);
        if (done && rename(beside, path) != 0)
            done = error_set(err, path, -1, "cannot rename to it: %s", strerror(errno));
        if (!done)
            unlink(beside);
    }
    arena_finish(&scratch);
    return done;
}
