/* Where the events of a Chrome JSON file stand in a viewer: numbers, names and order of groups ("processes") and rows
 * ("threads"). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "chrome.h"
#include "nest.h"
#include "timeline/import/idmap.h"

/* Groups that are no processes have numbers beyond those of out_pids(). */
enum { DEVICES_FROM = 10000000, WAITS_FROM = 20000000, OVERHEADS_FROM = 30000000 };
enum { GROUPS = 1000 }; /* of one process */

static uint32_t device_pid(const struct chrome *c, const struct lane *l)
{
    bool as_kineto = c->model->process_count == 1 && l->device < GROUPS && l->device != c->pids[0];
    return as_kineto ? l->device : DEVICES_FROM + l->process * GROUPS + l->device % GROUPS;
}

uint32_t chrome_pid(const struct chrome *c, enum chrome_group group, uint32_t process)
{
    return group == CHROME_HOST    ? c->pids[process]
           : group == CHROME_WAITS ? WAITS_FROM + process
                                   : OVERHEADS_FROM + process;
}

/* Places a lane's spans: what overlaps without nesting goes to further rows. */
static uint32_t spans_place(struct chrome *c, const struct lane *l)
{
    struct nest rows;
    nest_init(&rows);
    for (uint32_t i = l->first; i < l->first + l->count; i++)
        c->span_rows[i] = (uint8_t)nest_place(&rows, c->model->spans[i].begin_ns, c->model->spans[i].end_ns);
    return rows.count;
}

void chrome_rows_init(struct chrome *c)
{
    const struct model *m = c->model;
    struct idmap taken = {0};
    c->pids = out_pids(m);
    c->lanes = calloc(m->lane_count + 1, sizeof *c->lanes);
    c->span_rows = calloc(m->span_count + 1, sizeof *c->span_rows);
    if (c->lanes == NULL || c->span_rows == NULL)
        abort();
    for (uint32_t i = 0; i < m->lane_count; i++) {
        const struct lane *l = &m->lanes[i];
        bool fresh = false;
        uint32_t pid = l->kind == LANE_STREAM ? device_pid(c, l) : c->pids[l->process];
        /* a stream's number can come again in another context of the device */
        if (l->kind != LANE_RANGE && l->id != CGT_NONE)
            idmap_get(&taken, ((uint64_t)pid << 32 | l->id) + 1, &fresh);
        c->lanes[i] = (struct chrome_lane){.pid = pid, .numbered = fresh, .rows = spans_place(c, l)};
    }
    idmap_finish(&taken);
}

void chrome_rows_finish(struct chrome *c)
{
    free(c->pids);
    free(c->lanes);
    free(c->span_rows);
    c->pids = NULL;
    c->lanes = NULL;
    c->span_rows = NULL;
}

uint32_t chrome_extra_tid(uint32_t index, uint32_t row)
{
    const uint32_t extra = UINT32_C(1) << 30; /* Perfetto keeps 32 bits of a row's number */
    return extra + index * NEST_ROWS + row;
}

uint32_t chrome_tid(const struct chrome *c, uint32_t lane, uint32_t row)
{
    return c->lanes[lane].numbered && row == 0 ? c->model->lanes[lane].id : chrome_extra_tid(lane, row);
}

static void name_write(struct chrome *c, const char *what, uint32_t pid, uint32_t tid, const char *name)
{
    chrome_event_begin(c);
    out_printf(&c->out,
               "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %" PRIu32 ", \"tid\": %" PRIu32 ", \"args\": {\"name\": ",
               what, pid, tid);
    out_json(&c->out, name);
}

static void order_write(struct chrome *c, const char *what, uint32_t pid, uint32_t tid, uint32_t index)
{
    chrome_event_begin(c);
    out_printf(&c->out,
               "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": %" PRIu32 ", \"tid\": %" PRIu32
               ", \"args\": {\"sort_index\": %" PRIu32 "}}",
               what, pid, tid, index);
}

/* Process by process: its program, its devices, and last what is no lane. */
void chrome_group_name(struct chrome *c, enum chrome_group group, uint32_t process, uint32_t pid, const char *name)
{
    uint32_t within = group == CHROME_HOST     ? 0
                      : group == CHROME_DEVICE ? 1 + pid % GROUPS
                                               : 1 + GROUPS + group;
    name_write(c, "process_name", pid, 0, name);
    out_text(&c->out, "}}");
    order_write(c, "process_sort_index", pid, 0, process * 2 * GROUPS + within);
}

void chrome_row_name(struct chrome *c, uint32_t pid, uint32_t tid, uint32_t order, const char *name, bool extra)
{
    name_write(c, "thread_name", pid, tid, name);
    out_text(&c->out, extra ? ", \"extra_row\": 1}}" : "}}"); /* its number is no stream's or thread's */
    order_write(c, "thread_sort_index", pid, tid, order);
}

void chrome_names(struct chrome *c)
{
    const struct model *m = c->model;
    struct idmap groups = {0};
    for (uint32_t lane = 0; lane < m->lane_count; lane++) {
        bool fresh;
        const struct lane *l = &m->lanes[lane];
        uint32_t pid = c->lanes[lane].pid;
        char group[256], name[256];
        const char *shown = l->kind == LANE_THREAD && l->name[0] != '\0'
                                ? l->name
                                : model_lane_own_name(m, lane, name, sizeof name);
        idmap_get(&groups, (uint64_t)pid + 1, &fresh);
        if (fresh)
            chrome_group_name(c, l->kind == LANE_STREAM ? CHROME_DEVICE : CHROME_HOST, l->process, pid,
                              out_group_name(m, lane, group, sizeof group));
        for (uint32_t row = 0; row < c->lanes[lane].rows; row++)
            chrome_row_name(c, pid, chrome_tid(c, lane, row), lane, shown, row > 0 || !c->lanes[lane].numbered);
    }
    idmap_finish(&groups);
}
