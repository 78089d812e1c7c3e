#include <stdio.h>
#include <string.h>

#include "cause_pages.h"
#include "diagnose/diagnose.h"
#include "present.h"
#include "tell.h"

static int cause_find(const char *id) /* CAUSE_COUNT: there is no such cause */
{
    int cause = 0;
    while (cause < CAUSE_COUNT && strcmp(cause_id((enum cause)cause), id) != 0)
        cause++;
    return cause;
}

bool tellable(const char *id)
{
    return strcmp(id, "list") == 0 || cause_find(id) < CAUSE_COUNT;
}

static void list(void)
{
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        char lead[32];
        snprintf(lead, sizeof lead, "%-22s ", cause_id((enum cause)cause));
        present_wrapped(lead, cause_meaning((enum cause)cause));
    }
}

void tell(const char *id)
{
    int cause = cause_find(id);
    if (cause == CAUSE_COUNT) {
        list();
        return;
    }
    printf("%s [%s]\n", cause_title((enum cause)cause), id);
    for (size_t i = 0; i < sizeof paragraphs / sizeof *paragraphs; i++)
        if (strcmp(paragraphs[i].id, id) == 0) {
            puts("");
            present_wrapped("", paragraphs[i].text);
        }
}
