/* Where NVTX enters: the program's ranges and marks, from each of its libraries that has any. */
#include "nvtx.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "ranges.h"
#include "settings.h"

enum { TEXT_BYTES = 1024 }; /* longer wide texts are cut */

/* As UTF-8. */
static void narrow(const wchar_t *wide, char ret_text[TEXT_BYTES])
{
    size_t n = 0;
    for (; wide != NULL && *wide != 0 && n + 5 < TEXT_BYTES; wide++) {
        uint32_t c = (uint32_t)*wide;
        int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3; /* bytes behind the first */
        static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
        ret_text[n++] = (char)(leads[more] | c >> 6 * more);
        while (more-- > 0)
            ret_text[n++] = (char)(0x80 | (c >> 6 * more & 0x3f));
    }
    ret_text[n] = '\0';
}

static const struct range_domain *domain_of(const void *handle)
{
    return handle != NULL ? handle : &ranges_default_domain;
}

/* `buf` holds the text if it must be made narrow. */
static struct range_label label_of(const void *domain, const struct nvtx_attributes *a, char buf[TEXT_BYTES])
{
    struct range_label label = {domain_of(domain), "", 0};
    if (a == NULL)
        return label;
    if (a->color_type == NVTX_COLOR_ARGB)
        label.color = a->color;
    if (a->message == NULL)
        return label;
    if (a->message_type == NVTX_MESSAGE_W) {
        narrow(a->message, buf);
        label.text = buf;
    } else if (a->message_type == NVTX_MESSAGE_A || a->message_type == NVTX_MESSAGE_REGISTERED) {
        label.text = a->message; /* a registered text is a handle of ours: the text itself */
    }
    return label;
}

static struct range_label label_text(const char *text)
{
    return (struct range_label){&ranges_default_domain, text != NULL ? text : "", 0};
}

static struct range_label label_wide(const wchar_t *wide, char buf[TEXT_BYTES])
{
    narrow(wide, buf);
    return label_text(buf);
}

static void domain_mark(const void *domain, const struct nvtx_attributes *attributes)
{
    char buf[TEXT_BYTES];
    struct range_label label = label_of(domain, attributes, buf);
    ranges_mark(&label);
}

static uint64_t domain_start(const void *domain, const struct nvtx_attributes *attributes)
{
    char buf[TEXT_BYTES];
    struct range_label label = label_of(domain, attributes, buf);
    return ranges_start(&label);
}

static int domain_push(const void *domain, const struct nvtx_attributes *attributes)
{
    char buf[TEXT_BYTES];
    struct range_label label = label_of(domain, attributes, buf);
    return ranges_push(&label);
}

static void domain_end(const void *domain, uint64_t id)
{
    (void)domain;
    ranges_end(id);
}

static int domain_pop(const void *domain)
{
    return ranges_pop(domain_of(domain));
}

static void mark_ex(const struct nvtx_attributes *attributes)
{
    domain_mark(NULL, attributes);
}

static void mark_a(const char *text)
{
    struct range_label label = label_text(text);
    ranges_mark(&label);
}

static void mark_w(const wchar_t *text)
{
    char buf[TEXT_BYTES];
    struct range_label label = label_wide(text, buf);
    ranges_mark(&label);
}

static uint64_t start_ex(const struct nvtx_attributes *attributes)
{
    return domain_start(NULL, attributes);
}

static uint64_t start_a(const char *text)
{
    struct range_label label = label_text(text);
    return ranges_start(&label);
}

static uint64_t start_w(const wchar_t *text)
{
    char buf[TEXT_BYTES];
    struct range_label label = label_wide(text, buf);
    return ranges_start(&label);
}

static int push_ex(const struct nvtx_attributes *attributes)
{
    return domain_push(NULL, attributes);
}

static int push_a(const char *text)
{
    struct range_label label = label_text(text);
    return ranges_push(&label);
}

static int push_w(const wchar_t *text)
{
    char buf[TEXT_BYTES];
    struct range_label label = label_wide(text, buf);
    return ranges_push(&label);
}

static int pop(void)
{
    return ranges_pop(&ranges_default_domain);
}

static const void *register_a(const void *domain, const char *text)
{
    (void)domain;
    return strdup(text != NULL ? text : "");
}

static const void *register_w(const void *domain, const wchar_t *text)
{
    char buf[TEXT_BYTES];
    narrow(text, buf);
    return register_a(domain, buf);
}

static const void *create_a(const char *name)
{
    struct range_domain *domain = malloc(sizeof *domain);
    if (domain == NULL)
        return NULL;
    domain->name = strdup(name != NULL ? name : "");
    if (domain->name == NULL)
        domain->name = "";
    return domain;
}

static const void *create_w(const wchar_t *name)
{
    char buf[TEXT_BYTES];
    narrow(name, buf);
    return create_a(buf);
}

static const struct hook {
    int module;
    unsigned id;
    nvtx_function *function;
} hooks[] = {
    {NVTX_MODULE_CORE, NVTX_CORE_MARK_EX, (nvtx_function *)mark_ex},
    {NVTX_MODULE_CORE, NVTX_CORE_MARK_A, (nvtx_function *)mark_a},
    {NVTX_MODULE_CORE, NVTX_CORE_MARK_W, (nvtx_function *)mark_w},
    {NVTX_MODULE_CORE, NVTX_CORE_START_EX, (nvtx_function *)start_ex},
    {NVTX_MODULE_CORE, NVTX_CORE_START_A, (nvtx_function *)start_a},
    {NVTX_MODULE_CORE, NVTX_CORE_START_W, (nvtx_function *)start_w},
    {NVTX_MODULE_CORE, NVTX_CORE_END, (nvtx_function *)ranges_end},
    {NVTX_MODULE_CORE, NVTX_CORE_PUSH_EX, (nvtx_function *)push_ex},
    {NVTX_MODULE_CORE, NVTX_CORE_PUSH_A, (nvtx_function *)push_a},
    {NVTX_MODULE_CORE, NVTX_CORE_PUSH_W, (nvtx_function *)push_w},
    {NVTX_MODULE_CORE, NVTX_CORE_POP, (nvtx_function *)pop},
    {NVTX_MODULE_CORE2, NVTX_CORE2_MARK_EX, (nvtx_function *)domain_mark},
    {NVTX_MODULE_CORE2, NVTX_CORE2_START_EX, (nvtx_function *)domain_start},
    {NVTX_MODULE_CORE2, NVTX_CORE2_END, (nvtx_function *)domain_end},
    {NVTX_MODULE_CORE2, NVTX_CORE2_PUSH_EX, (nvtx_function *)domain_push},
    {NVTX_MODULE_CORE2, NVTX_CORE2_POP, (nvtx_function *)domain_pop},
    {NVTX_MODULE_CORE2, NVTX_CORE2_REGISTER_A, (nvtx_function *)register_a},
    {NVTX_MODULE_CORE2, NVTX_CORE2_REGISTER_W, (nvtx_function *)register_w},
    {NVTX_MODULE_CORE2, NVTX_CORE2_CREATE_A, (nvtx_function *)create_a},
    {NVTX_MODULE_CORE2, NVTX_CORE2_CREATE_W, (nvtx_function *)create_w},
};

static void hooks_set(const struct nvtx_callbacks *callbacks)
{
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        nvtx_slots slots = NULL;
        unsigned size = 0;
        bool found = callbacks->get_module(hooks[i].module, &slots, &size) == 1;
        if (found && hooks[i].id < size && slots[hooks[i].id] != NULL)
            *slots[hooks[i].id] = hooks[i].function;
    }
}

static void start(void)
{
    static struct settings settings;
    settings_read(&settings);
    if (strncmp(settings.range, SETTING_RANGE_NVTX, strlen(SETTING_RANGE_NVTX)) == 0)
        ranges_watch(settings.range + strlen(SETTING_RANGE_NVTX));
    if (settings.nvtx)
        ranges_keep();
    pthread_atfork(NULL, NULL, ranges_fork_child);
}

/* NVTX calls it at the first use of each copy of NVTX in the process. 1: all is well. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(nvtx_get_table *get_table);

int InitializeInjectionNvtx2(nvtx_get_table *get_table)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct nvtx_callbacks *callbacks = get_table(NVTX_TABLE_CALLBACKS);
    if (callbacks == NULL || callbacks->struct_bytes < sizeof *callbacks)
        return 0;
    pthread_once(&once, start);
    hooks_set(callbacks);
    return 1;
}
