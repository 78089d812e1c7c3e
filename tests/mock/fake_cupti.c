#include "fake_cupti.h"

#include <cupti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAKEN_LIMIT = 1024 };

enum { KINDS = 256, CALLS = 1024 };
static bool kind_off[KINDS] = {[CUPTI_ACTIVITY_KIND_RUNTIME] = true, [CUPTI_ACTIVITY_KIND_DRIVER] = true};
static signed char call_choice[CALLS];  /* of runtime calls: 1 on, -1 off, 0 as their kind is */
static CUpti_CallbackFunc callback;
static bool watches_contexts;

/* CUPTI calls back with a lock held: so does this, and a tracer that calls in again from there hangs here too. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static uint8_t *buffer, *taken[TAKEN_LIMIT];
static size_t buffer_size, buffer_used, dropped;
static unsigned taken_count;
static int registrations;
static pid_t owner;

/* After fork() CUPTI does not work in the child, and programs hung when a tracer called it there. */
static void check_owner(void)
{
    if (owner == getpid())
        return;
    fprintf(stderr, "fake CUPTI: called in a forked child\n");
    _exit(99);
}

static void buffer_complete(void)
{
    if (buffer != NULL)
        complete(NULL, 0, buffer, buffer_size, buffer_used);
    buffer = NULL;
    for (unsigned i = 0; i < taken_count; i++)
        complete(NULL, 0, taken[i], buffer_size, 0);
    taken_count = 0;
}

void fake_complete(void)
{
    pthread_mutex_lock(&lock);
    buffer_complete();
    pthread_mutex_unlock(&lock);
}

static void buffer_request(size_t needed)
{
    size_t limit;
    if (buffer != NULL && buffer_used + needed > buffer_size)
        buffer_complete();
    if (buffer == NULL) {
        request(&buffer, &buffer_size, &limit);
        buffer_used = 0;
    }
}

static bool is_recorded(const CUpti_Activity *record)
{
    const CUpti_ActivityAPI *call = (const void *)record;
    bool on = (unsigned)record->kind >= KINDS || !kind_off[record->kind];
    if (record->kind == CUPTI_ACTIVITY_KIND_RUNTIME && call_choice[call->cbid % CALLS] != 0)
        return call_choice[call->cbid % CALLS] > 0;
    return on;
}

void fake_profiler(bool start)
{
    const CUpti_CallbackData enter = {.callbackSite = CUPTI_API_ENTER}, exit = {.callbackSite = CUPTI_API_EXIT};
    CUpti_CallbackId id = start ? CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000
                                : CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000;
    if (callback == NULL)
        return;
    callback(NULL, CUPTI_CB_DOMAIN_RUNTIME_API, id, &enter);
    callback(NULL, CUPTI_CB_DOMAIN_RUNTIME_API, id, &exit);
}

void fake_context(uint32_t device)
{
    const CUpti_ResourceData created = {.context = (CUcontext)(uintptr_t)(device + 1)};
    if (callback != NULL && watches_contexts)
        callback(NULL, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, &created);
}

void fake_record(const void *record, size_t size)
{
    if (!is_recorded(record))
        return;
    uint64_t header = size;
    pthread_mutex_lock(&lock);
    buffer_request(sizeof header + size);
    if (buffer == NULL) {
        dropped++;
    } else {
        for (size_t i = 0; i < size; i++)
            if (buffer[buffer_used + sizeof header + i] != 0)
                dropped += 1000; /* the buffer was not zeroed: let the test see it */
        memcpy(buffer + buffer_used, &header, sizeof header);
        memcpy(buffer + buffer_used + sizeof header, record, size);
        buffer_used += sizeof header + size;
    }
    pthread_mutex_unlock(&lock);
}

void fake_take_buffers(unsigned count)
{
    size_t size, limit;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < count && taken_count < TAKEN_LIMIT; i++) {
        request(&taken[taken_count], &size, &limit);
        taken_count += taken[taken_count] != NULL;
    }
    pthread_mutex_unlock(&lock);
}

void fake_drop(size_t count)
{
    pthread_mutex_lock(&lock);
    dropped += count;
    pthread_mutex_unlock(&lock);
}

static void CUPTIAPI other_request(uint8_t **ret_buffer, size_t *ret_size, size_t *ret_limit)
{
    *ret_size = 1 << 20;
    *ret_buffer = calloc(1, *ret_size);
    *ret_limit = 0;
}

static void CUPTIAPI other_complete(CUcontext context, uint32_t stream, uint8_t *bytes, size_t size, size_t valid)
{
    (void)context, (void)stream, (void)bytes, (void)size, (void)valid;
}

void fake_take_over(void)
{
    pthread_mutex_lock(&lock);
    request = other_request;
    complete = other_complete;
    pthread_mutex_unlock(&lock);
}

void fake_hold_lock(void)
{
    pthread_mutex_lock(&lock);
}

int fake_registrations(void)
{
    return registrations;
}

CUptiResult cuptiGetVersion(uint32_t *version)
{
    const char *text = getenv("FAKE_CUPTI_VERSION");
    *version = text ? (uint32_t)atoi(text) : 130001;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
    *text = result == CUPTI_ERROR_NOT_SUPPORTED ? "CUPTI_ERROR_NOT_SUPPORTED" : "CUPTI_ERROR";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t id, const char **name)
{
    check_owner();
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API && id == 211)
        *name = "cudaLaunchKernel_v7000";
    else if (domain == CUPTI_CB_DOMAIN_RUNTIME_API && id == 31)
        *name = "cudaMemcpy_v3020";
    else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id == 1)
        *name = "cuInit";
    else
        return CUPTI_ERROR_INVALID_PARAMETER;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
    const char *refused = getenv("FAKE_CUPTI_REFUSE");
    if (kind == CUPTI_ACTIVITY_KIND_RUNTIME)
        memset(call_choice, 0, sizeof call_choice);
    kind_off[kind] = false;
    return refused != NULL && atoi(refused) == (int)kind ? CUPTI_ERROR_NOT_SUPPORTED : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind)
{
    check_owner();
    if (kind == CUPTI_ACTIVITY_KIND_RUNTIME)
        memset(call_choice, 0, sizeof call_choice);
    kind_off[kind] = true;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc function, void *user)
{
    *subscriber = NULL;
    if (getenv("FAKE_CUPTI_SUBSCRIBED") != NULL)
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    callback = function;
    return user == NULL ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber)
{
    (void)subscriber;
    callback = NULL;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id)
{
    (void)subscriber;
    if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED)
        watches_contexts = enable != 0;
    return enable == 1 && callback != NULL ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

/* It has no fine-grained control of driver calls, as older libraries have none at all. */
CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId id, uint8_t enable)
{
    if (id == 11 || id >= CALLS)
        return CUPTI_ERROR_INVALID_PARAMETER;
    call_choice[id] = enable != 0 ? 1 : -1;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc funcBufferRequested,
                                           CUpti_BuffersCallbackCompleteFunc funcBufferCompleted)
{
    if (getenv("FAKE_CUPTI_BUSY") != NULL)
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    owner = getpid();
    request = funcBufferRequested;
    complete = funcBufferCompleted;
    registrations++;
    return CUPTI_SUCCESS;
}

/* Records lie one behind the other, each behind its size. */
CUptiResult cuptiActivityGetNextRecord(uint8_t *bytes, size_t valid, CUpti_Activity **record)
{
    uint64_t size;
    uint8_t *next = bytes;
    check_owner();
    if (*record != NULL) {
        memcpy(&size, (uint8_t *)*record - sizeof size, sizeof size);
        next = (uint8_t *)*record + size;
    }
    if (next + sizeof size >= bytes + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    memcpy(&size, next, sizeof size);
    if (size == 0) /* nothing was written there */
        return CUPTI_ERROR_INVALID_KIND;
    *record = (CUpti_Activity *)(void *)(next + sizeof size);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *ret_dropped)
{
    (void)context, (void)stream;
    check_owner();
    pthread_mutex_lock(&lock);
    *ret_dropped = dropped;
    dropped = 0;
    pthread_mutex_unlock(&lock);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
    check_owner();
    if (flag != 0 || getenv("FAKE_CUPTI_PENDING") == NULL)
        fake_complete();
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivitySetAttribute(CUpti_ActivityAttribute attribute, size_t *size, void *value)
{
    (void)attribute, (void)size, (void)value;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
    return type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
