#include "processes.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli.h"
#include "diagnose/diagnose.h"
#include "present.h"

/* One row of the table of processes: each is diagnosed on its own, since ranks are compared, not added. */
struct process_row {
    char name[64];
    int64_t wall_ns, busy_ns, overlap_ns, gap_ns;
    enum cause worst; /* CAUSE_COUNT: none */
    int64_t worst_ns;
};

static bool process_row_read(const struct model *all, uint32_t process, struct process_row *row)
{
    struct error err;
    struct arena arena;
    struct diagnosis d;
    struct model *m = model_of_process(all, process, &err);
    if (m == NULL) {
        fail(&err);
        return false;
    }
    arena_init(&arena);
    diagnose(m, &arena, &d);
    *row = (struct process_row){.wall_ns = d.end_ns - d.begin_ns, .busy_ns = d.busy_ns, .overlap_ns = d.overlap_ns,
                                .gap_ns = d.gap_ns, .worst = CAUSE_COUNT};
    model_process_name(all, process, row->name, sizeof row->name);
    if (d.finding_count > 0) {
        row->worst = d.findings[0].cause;
        row->worst_ns = d.findings[0].cost_ns;
    }
    arena_finish(&arena);
    model_destroy(m);
    return true;
}

static json_t *process_row_json(const struct process_row *row, const char *path)
{
    return json_pack("{s:o, s:o, s:I, s:I, s:f, s:I}", "name", present_text(row->name), "file", present_text(path), "wall_ns",
                     (json_int_t)row->wall_ns, "gpu_busy_ns", (json_int_t)row->busy_ns, "overlap",
                     row->busy_ns > 0 ? (double)row->overlap_ns / (double)row->busy_ns : 0.0, "gap_ns", (json_int_t)row->gap_ns);
}

static void process_row_print(const struct process_row *row, const char *path)
{
    char wall[32], worst[32] = "";
    if (row->worst != CAUSE_COUNT)
        time_text(row->worst_ns, worst, sizeof worst);
    printf("  %-16s wall %-9s busy %3.0f %%  overlap %3.0f %%  %s %s  %s\n", row->name, time_text(row->wall_ns, wall, sizeof wall),
           row->wall_ns > 0 ? 100 * (double)row->busy_ns / (double)row->wall_ns : 0,
           row->busy_ns > 0 ? 100 * (double)row->overlap_ns / (double)row->busy_ns : 0,
           row->worst != CAUSE_COUNT ? cause_id(row->worst) : "nothing costly", worst, path);
}

bool processes_show(const struct model *m, json_t *json)
{
    json_t *list = json_array();
    bool done = true;
    for (uint32_t i = 0; i < m->process_count && done; i++) {
        struct process_row row;
        done = process_row_read(m, i, &row);
        if (done && json != NULL)
            json_array_append_new(list, process_row_json(&row, m->processes[i].path));
        else if (done)
            process_row_print(&row, m->processes[i].path);
    }
    if (json != NULL)
        json_object_set(json, "processes", list);
    json_decref(list);
    return done;
}
