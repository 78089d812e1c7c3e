#include "pcie.h"

#include <cupti.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bell.h"
#include "bus_records.h"
#include "cupti_library.h"
#include "gate.h"
#include "loss.h"
#include "output.h"
#include "sampler.h"
#include "subscriber.h"

enum {
    DEVICES = 64,
    HOLD_MS = 10000,     /* at a context: something is stuck then */
    EXIT_MS = 5000,
    SWITCH_MS = 500,     /* until samples come again */
    FIRST_MS = 200,      /* from the start until the first sample must be there */
    READ_EVERY_MS = 10,  /* well within SAMPLER_MS */
    BATCH = 256,         /* samples written under one lock */
};

static struct device {
    struct sampler *sampler;
    bool running;
    struct bus_run run;
} devices[DEVICES]; /* the sampling thread's */

static int64_t interval_ns; /* 0: not asked for */
static sem_t wake;
static struct bell ended;
static atomic_bool active, wanted = true, finishing;
static _Atomic uint64_t asked, settled, running; /* devices, by bit */
static _Atomic int64_t asked_ns[DEVICES];        /* CLOCK_MONOTONIC */
static int64_t held_ns;
static CUptiResult (*get_device)(CUcontext context, uint32_t *ret_device);

static int64_t monotonic_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_us(long us)
{
    const struct timespec time = {0, us * 1000};
    nanosleep(&time, NULL);
}

static void say_why(const char *what)
{
    char text[512];
    snprintf(text, sizeof text, "PCIe not sampled: %s", what);
    output_remark(text);
}

/* Of a device, in the sampling thread. */
static void refuse(const struct error *err)
{
    char text[512];
    say_why(error_text(err, text, sizeof text));
    struct writer *writer = output_lock();
    if (writer == NULL)
        return;
    writer_property(writer, "bus_not_recorded", text);
    output_unlock();
}

static void batch_write(struct device *d, const struct sample *samples, size_t count)
{
    struct writer *writer = output_lock();
    if (writer == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        bus_run_add(&d->run, writer, &samples[i]);
    uint64_t bytes = writer_counts(writer).bytes;
    output_unlock();
    gate_size(bytes);
}

/* Takes what there is, and returns how many samples that was. */
static size_t device_read(struct device *d)
{
    struct sample batch[BATCH];
    struct samples got = sampler_read(d->sampler);
    for (size_t first = 0; first < got.count; first += BATCH)
        batch_write(d, batch, sampler_get(d->sampler, first, BATCH, batch));
    if (got.overflow && d->running) { /* it takes no more until it is started anew; the next sample shows what is missing */
        sampler_stop(d->sampler);
        d->running = sampler_start(d->sampler, NULL);
    }
    return got.count;
}

static void device_start(struct device *d)
{
    struct error err;
    int64_t until = monotonic_ns() + FIRST_MS * INT64_C(1000000);
    d->running = sampler_start(d->sampler, &err);
    if (!d->running)
        refuse(&err);
    while (d->running && device_read(d) == 0 && monotonic_ns() < until && !atomic_load(&finishing))
        sleep_us(200);
}

static void device_stop(struct device *d)
{
    sampler_stop(d->sampler);
    d->running = false;
    while (device_read(d) > 0)
        continue;
    struct writer *writer = output_lock_existing();
    if (writer == NULL)
        return;
    bus_run_end(&d->run, writer);
    output_unlock();
}

static void held_write(int64_t since_ns)
{
    char text[32];
    held_ns += monotonic_ns() - since_ns;
    struct writer *writer = output_lock();
    if (writer == NULL)
        return;
    snprintf(text, sizeof text, "%" PRId64, interval_ns);
    writer_property(writer, "bus_interval_ns", text);
    snprintf(text, sizeof text, "%" PRId64, held_ns);
    writer_property(writer, "bus_held_ns", text);
    output_unlock();
}

static void finish_at_exit(void)
{
    pcie_finish(EXIT_MS);
}

/* The program waits for this one. CUPTI has loaded libraries meanwhile, whose destructors run before what was
 * registered before them: the end must come before those. */
static void device_open(uint32_t index)
{
    struct device *d = &devices[index];
    struct error err;
    d->sampler = sampler_create(index, interval_ns, &err);
    d->run = (struct bus_run){.interval_ns = interval_ns, .record.device = index};
    if (d->sampler == NULL) {
        refuse(&err);
        return;
    }
    if (atomic_load(&wanted))
        device_start(d);
    held_write(atomic_load(&asked_ns[index]));
    atexit(finish_at_exit);
}

static void device_serve(uint32_t index)
{
    struct device *d = &devices[index];
    uint64_t bit = UINT64_C(1) << index;
    bool on = atomic_load(&wanted);
    if ((atomic_load(&settled) & bit) == 0) {
        device_open(index);
        atomic_fetch_or(&settled, bit);
    }
    if (d->sampler == NULL)
        return;
    if (on && !d->running)
        device_start(d);
    else if (!on && d->running)
        device_stop(d);
    if (d->running)
        device_read(d);
    if (d->running)
        atomic_fetch_or(&running, bit);
    else
        atomic_fetch_and(&running, ~bit);
}

static void serve(void)
{
    uint64_t these = atomic_load(&asked);
    for (uint32_t i = 0; i < DEVICES; i++)
        if ((these >> i & 1) != 0)
            device_serve(i);
}

static void wait_a_little(void)
{
    struct timespec until;
    if (atomic_load(&running) == 0) {
        sem_wait(&wake);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += READ_EVERY_MS * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    sem_timedwait(&wake, &until);
}

static void *run(void *unused)
{
    (void)unused;
    while (!atomic_load(&finishing)) {
        serve();
        wait_a_little();
    }
    for (uint32_t i = 0; i < DEVICES; i++)
        if (devices[i].running)
            device_stop(&devices[i]); /* not destroyed: see there. The driver frees the device's counters */
    bell_ring(&ended);
    return NULL;
}

/* The program's signals are for the program's threads. */
static bool thread_start(void)
{
    sigset_t all, old;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool started = pthread_create(&thread, NULL, run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (started) {
        pthread_setname_np(thread, "cugantt-pcie");
        pthread_detach(thread);
    }
    return started;
}

/* By looking again and again: whoever waits here may be stopped by a signal at any moment, and must hold no lock. */
static bool wait_for(_Atomic uint64_t *bits, uint64_t bit, int64_t ms)
{
    int64_t until = monotonic_ns() + ms * 1000000;
    while ((atomic_load(bits) & bit) != bit && atomic_load(&active) && !atomic_load(&finishing) &&
           monotonic_ns() < until)
        sleep_us(200);
    return (atomic_load(bits) & bit) == bit;
}

/* In the thread that makes the context, before it can use it. */
static void on_context(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data)
{
    const CUpti_ResourceData *resource = data;
    uint32_t device;
    (void)domain, (void)id;
    if (!atomic_load(&active) || get_device(resource->context, &device) != CUPTI_SUCCESS || device >= DEVICES)
        return;
    uint64_t bit = UINT64_C(1) << device;
    if (atomic_load(&asked_ns[device]) == 0) {
        atomic_store(&asked_ns[device], monotonic_ns());
        atomic_fetch_or(&asked, bit);
        sem_post(&wake);
    }
    if (!wait_for(&settled, bit, HOLD_MS) && atomic_load(&active) && !atomic_load(&finishing))
        output_remark("PCIe sampling took too long to begin: the first operations may lack it");
}

static bool start(struct error *err)
{
    *(void **)&get_device = cupti_library_symbol("cuptiGetDeviceId");
    if (get_device == NULL)
        return error_set(err, NULL, -1, "this CUPTI does not tell the device of a context");
    if (!subscriber_watch(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_CREATED, on_context, err))
        return false;
    sem_init(&wake, 0, 0);
    atomic_store(&active, thread_start());
    return atomic_load(&active) || error_set(err, NULL, -1, "no thread could be started");
}

void pcie_start(const struct settings *settings)
{
    struct error err;
    interval_ns = settings->pcie_ns;
    if (interval_ns <= 0 || start(&err))
        return;
    say_why(err.what);
    output_property("bus_not_recorded", err.what);
}

void pcie_switch(bool on)
{
    atomic_store(&wanted, on);
    if (!atomic_load(&active))
        return;
    sem_post(&wake);
    if (on)
        wait_for(&running, atomic_load(&settled) & atomic_load(&asked), SWITCH_MS);
}

void pcie_finish(int64_t ms)
{
    if (!atomic_load(&active))
        return;
    atomic_store(&finishing, true);
    sem_post(&wake);
    if (!bell_wait(&ended, ms))
        output_remark("PCIe sampling was stuck at the end: its last samples are missing");
}

void pcie_abandon(void)
{
    atomic_store(&active, false);
}
