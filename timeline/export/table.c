/* CSV for spreadsheets and scripts. */
#include <inttypes.h>

#include "out.h"

static const char *const kinds[SPAN_KIND_COUNT] = {
    [SPAN_KERNEL] = "kernel", [SPAN_COPY] = "copy", [SPAN_MEMSET] = "memset",
    [SPAN_GRAPH] = "graph",   [SPAN_CALL] = "call", [SPAN_RANGE] = "range",
};

static uint64_t bytes_of(const struct model *m, const struct span *span)
{
    return span->kind == SPAN_COPY     ? model_copy(m, span)->bytes
           : span->kind == SPAN_MEMSET ? model_memset(m, span)->bytes
                                       : 0;
}

static uint32_t correlation_of(const struct model *m, const struct span *span)
{
    if (span_is_operation(span))
        return model_operation(m, span)->correlation;
    return span->kind == SPAN_CALL ? model_call(m, span)->correlation : 0;
}

/* Fields that a span does not have stay empty. */
static void span_write(struct out *out, const struct model *m, const struct span *span)
{
    char text[4096];
    const struct lane *lane = &m->lanes[span->lane];
    out_csv(out, model_process_name(m, lane->process, text, sizeof text));
    out_text(out, ",");
    out_csv(out, model_lane_name(m, span->lane, text, sizeof text));
    out_printf(out, ",%s,%" PRId64 ",%" PRId64 ",", kinds[span->kind], span->begin_ns - m->begin_ns,
               span->end_ns - span->begin_ns);
    out_csv(out, model_span_name(m, span, text, sizeof text));
    if (span_is_operation(span))
        out_printf(out, ",%" PRIu32 ",%" PRIu32, lane->device, lane->id);
    else
        out_text(out, ",,");
    out_printf(out, ",%" PRIu32 ",%" PRIu64 ",", correlation_of(m, span), bytes_of(m, span));
    if (span_is_operation(span) && span->peer != MODEL_NONE)
        out_printf(out, "%" PRId64, m->spans[span->peer].begin_ns - m->begin_ns);
    out_text(out, "\n");
}

bool export_spans(const struct export_job *job, struct error *err)
{
    struct out out;
    if (!out_open(&out, job, err))
        return false;
    out_text(&out, "process,lane,kind,begin_ns,duration_ns,name,device,stream,correlation,bytes,call_begin_ns\n");
    for (uint32_t i = 0; i < job->model->span_count; i++)
        span_write(&out, job->model, &job->model->spans[i]);
    return out_close(&out, err);
}

static void note_write(struct out *out, const struct model *m, const struct export_note *note)
{
    char lane[64];
    out_csv(out, note->id);
    out_printf(out, ",%s,%" PRIu32 ",%" PRId64 ",", note->confidence, note->count, note->cost_ns);
    if (note->lane != MODEL_NONE) {
        out_csv(out, model_lane_name(m, note->lane, lane, sizeof lane));
        out_printf(out, ",%" PRId64 ",%" PRId64 ",", note->begin_ns - m->begin_ns, note->end_ns - note->begin_ns);
    } else {
        out_text(out, ",,,");
    }
    out_csv(out, note->text);
    out_text(out, ",");
    out_csv(out, note->advice);
    out_text(out, "\n");
}

bool export_notes(const struct export_job *job, struct error *err)
{
    struct out out;
    if (!out_open(&out, job, err))
        return false;
    out_text(&out, "id,confidence,count,cost_ns,lane,begin_ns,duration_ns,text,advice\n");
    for (uint32_t i = 0; i < job->note_count; i++)
        note_write(&out, job->model, &job->notes[i]);
    return out_close(&out, err);
}
