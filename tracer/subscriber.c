#include "subscriber.h"

#include "cupti_library.h"

enum { WATCHES = 8 };

static struct watch {
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
    subscriber_callback *callback;
} watches[WATCHES];
static size_t watch_count;
static CUpti_SubscriberHandle subscriber;

static void CUPTIAPI on_callback(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    (void)unused;
    for (size_t i = 0; i < watch_count; i++)
        if (watches[i].domain == domain && watches[i].id == id)
            watches[i].callback(domain, id, data);
}

bool subscriber_watch(CUpti_CallbackDomain domain, CUpti_CallbackId id, subscriber_callback *callback, struct error *err)
{
    CUptiResult result = CUPTI_SUCCESS;
    if (cupti.Subscribe == NULL || cupti.EnableCallback == NULL || watch_count == WATCHES)
        return error_set(err, cupti.path, -1, "this CUPTI has no callbacks");
    if (watch_count == 0)
        result = cupti.Subscribe(&subscriber, on_callback, NULL);
    if (result != CUPTI_SUCCESS)
        return error_set(err, NULL, -1, "%s", cupti_library_result_text(result));
    watches[watch_count++] = (struct watch){domain, id, callback};
    result = cupti.EnableCallback(1, subscriber, domain, id);
    return result == CUPTI_SUCCESS || error_set(err, NULL, -1, "%s", cupti_library_result_text(result));
}
