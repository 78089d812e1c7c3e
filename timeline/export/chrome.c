#include "chrome.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const categories[SPAN_KIND_COUNT] = {
    [SPAN_KERNEL] = "kernel", [SPAN_COPY] = "gpu_memcpy",   [SPAN_MEMSET] = "gpu_memset",
    [SPAN_GRAPH] = "cuda_graph", [SPAN_CALL] = "cuda_runtime", [SPAN_RANGE] = "user_annotation",
};

void chrome_event_begin(struct chrome *c)
{
    out_text(&c->out, c->follows ? ",\n" : "\n");
    c->follows = true;
}

void chrome_process(struct chrome *c, uint32_t process)
{
    if (c->model->process_count > 1)
        out_printf(&c->out, "\"process\": %" PRIu32 ", ", c->pids[process]);
}

static void place_write(struct chrome *c, uint32_t lane, uint32_t row, int64_t at_ns)
{
    out_printf(&c->out, "\"pid\": %" PRIu32 ", \"tid\": %" PRIu32 ", \"ts\": ", c->lanes[lane].pid,
               chrome_tid(c, lane, row));
    out_us(&c->out, at_ns - c->base_ns);
}

/* Ids that mean "none" or "not known" are left out. */
static void number_write(struct chrome *c, const char *key, uint32_t value, uint32_t none)
{
    if (value != none)
        out_printf(&c->out, ", \"%s\": %" PRIu32, key, value);
}

static void operation_args(struct chrome *c, const struct cgt_operation *op)
{
    out_printf(&c->out,
               "\"device\": %" PRIu32 ", \"context\": %" PRIu32 ", \"stream\": %" PRIu32 ", \"correlation\": %" PRIu32,
               op->device, op->context, op->stream, op->correlation);
    number_write(c, "channel", op->channel, CGT_NONE);
    number_write(c, "channel type", op->channel_type, CGT_CHANNEL_UNKNOWN);
    number_write(c, "graph id", op->graph, 0);
    number_write(c, "graph node id", op->graph_node, 0);
}

static void triple_write(struct chrome *c, const char *key, const uint32_t *numbers)
{
    out_printf(&c->out, ", \"%s\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", key, numbers[0], numbers[1], numbers[2]);
}

static void kernel_args(struct chrome *c, const struct span *span)
{
    const struct cgt_kernel *k = model_kernel(c->model, span);
    operation_args(c, model_operation(c->model, span));
    triple_write(c, "grid", k->grid);
    triple_write(c, "block", k->block);
    out_printf(&c->out, ", \"registers per thread\": %" PRIu32 ", \"shared memory\": %" PRIu64, k->registers_per_thread,
               (uint64_t)k->static_shared_bytes + k->dynamic_shared_bytes);
}

static void bytes_args(struct chrome *c, uint64_t bytes, const struct span *span)
{
    int64_t ns = span->end_ns - span->begin_ns;
    out_printf(&c->out, ", \"bytes\": %" PRIu64, bytes);
    if (ns > 0)
        out_printf(&c->out, ", \"memory bandwidth (GB/s)\": %.6g", (double)bytes / (double)ns);
}

static void copy_args(struct chrome *c, const struct span *span)
{
    const struct cgt_copy *copy = model_copy(c->model, span);
    operation_args(c, model_operation(c->model, span));
    bytes_args(c, copy->bytes, span);
    number_write(c, "async", copy->asynchronous, CGT_NONE);
}

static void memset_args(struct chrome *c, const struct span *span)
{
    const struct cgt_memset *memset = model_memset(c->model, span);
    operation_args(c, model_operation(c->model, span));
    bytes_args(c, memset->bytes, span);
    number_write(c, "async", memset->asynchronous, CGT_NONE);
}

static void graph_args(struct chrome *c, const struct span *span)
{
    operation_args(c, model_operation(c->model, span));
}

static void call_args(struct chrome *c, const struct span *span)
{
    const struct cgt_call *call = model_call(c->model, span);
    out_printf(&c->out, "\"correlation\": %" PRIu32 ", \"thread\": %" PRIu32, call->correlation, call->thread);
    if (call->result != 0)
        out_printf(&c->out, ", \"result\": %" PRId32, call->result);
}

static void range_args(struct chrome *c, const struct span *span)
{
    const struct cgt_range *range = model_range(c->model, span);
    const char *domain = c->model->lanes[span->lane].name;
    out_printf(&c->out, "\"type\": %" PRIu32 ", \"thread\": %" PRIu32, range->type, range->thread);
    number_write(c, "color", range->color, 0);
    number_write(c, "open", range->open, 0);
    if (domain[0] != '\0') {
        out_text(&c->out, ", \"domain\": ");
        out_json(&c->out, domain);
    }
}

static void (*const args_writers[SPAN_KIND_COUNT])(struct chrome *c, const struct span *span) = {
    [SPAN_KERNEL] = kernel_args, [SPAN_COPY] = copy_args, [SPAN_MEMSET] = memset_args,
    [SPAN_GRAPH] = graph_args,   [SPAN_CALL] = call_args, [SPAN_RANGE] = range_args,
};

/* One end of an arrow from a launch to its work. It points into the span, since at its begin a finding may stand, which
 * viewers would take for it. */
static void flow_write(struct chrome *c, const char *phase, uint32_t id, uint32_t at)
{
    const struct span *span = &c->model->spans[at];
    chrome_event_begin(c);
    out_printf(&c->out, "{\"ph\": \"%s\", \"id\": %" PRIu32 ", ", phase, id);
    place_write(c, span->lane, c->span_rows[at], span->begin_ns + (span->end_ns > span->begin_ns));
    out_printf(&c->out, ", \"cat\": \"ac2g\", \"name\": \"ac2g\"%s}", phase[0] == 'f' ? ", \"bp\": \"e\"" : "");
}

/* An arrow for each operation: a call can launch many, and viewers follow one number once. */
static void flows_write(struct chrome *c, uint32_t operation)
{
    const struct span *span = &c->model->spans[operation];
    if (!span_is_operation(span) || span->peer == MODEL_NONE)
        return;
    flow_write(c, "s", operation, span->peer);
    flow_write(c, "f", operation, operation);
}

static void span_write(struct chrome *c, uint32_t index)
{
    char name[4096];
    const struct span *span = &c->model->spans[index];
    bool driver = span->kind == SPAN_CALL && model_call(c->model, span)->domain == CGT_CALL_DRIVER;
    chrome_event_begin(c);
    out_printf(&c->out, "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": ", driver ? "cuda_driver" : categories[span->kind]);
    out_json(&c->out, model_span_name(c->model, span, name, sizeof name));
    out_text(&c->out, ", ");
    place_write(c, span->lane, c->span_rows[index], span->begin_ns);
    out_text(&c->out, ", \"dur\": ");
    out_us(&c->out, span->end_ns - span->begin_ns);
    out_text(&c->out, ", \"args\": {");
    chrome_process(c, c->model->lanes[span->lane].process);
    args_writers[span->kind](c, span);
    out_text(&c->out, "}}");
    flows_write(c, index);
}

static void note_write(struct chrome *c, const struct export_note *note)
{
    if (note->lane == MODEL_NONE)
        return;
    chrome_event_begin(c);
    out_text(&c->out, "{\"ph\": \"i\", \"s\": \"t\", \"cat\": \"finding\", \"name\": ");
    out_json(&c->out, note->id);
    out_text(&c->out, ", ");
    place_write(c, note->lane, 0, note->begin_ns);
    out_text(&c->out, ", \"args\": {\"finding\": ");
    out_json(&c->out, note->text);
    out_text(&c->out, ", \"fix\": ");
    out_json(&c->out, note->advice);
    out_text(&c->out, ", \"confidence\": ");
    out_json(&c->out, note->confidence);
    out_printf(&c->out, ", \"places\": %" PRIu32 ", \"cost_ns\": %" PRId64 "}}", note->count, note->cost_ns);
}

bool export_chrome(const struct export_job *job, struct error *err)
{
    struct chrome c = {.model = job->model, .base_ns = out_base_ns(job->model)};
    if (!out_open(&c.out, job, err))
        return false;
    chrome_rows_init(&c);
    chrome_members(&c);
    for (uint32_t i = 0; i < job->model->span_count; i++)
        span_write(&c, i);
    chrome_records(&c);
    chrome_buses(&c);
    chrome_names(&c);
    for (uint32_t i = 0; i < job->note_count; i++)
        note_write(&c, &job->notes[i]);
    out_text(&c.out, "\n  ]\n}\n");
    chrome_rows_finish(&c);
    return out_close(&c.out, err);
}
