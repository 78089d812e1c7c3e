#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "timeline/import/import.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void show(double done)
{
    enum { WIDTH = 40 };
    static const double patience_s = 1, every_s = 0.1;
    static double begun_s, shown_s; /* 0: no import is going on; nothing is shown */
    double at = now();
    begun_s = begun_s == 0 ? at : begun_s;
    if (done >= 1) {
        if (shown_s > 0)
            fputs("\r\033[K", stderr); /* the bar leaves no trace */
        begun_s = shown_s = 0;
        return;
    }
    if (at < begun_s + patience_s || at < shown_s + every_s)
        return;
    int filled = (int)(done * WIDTH);
    shown_s = at;
    fprintf(stderr, "\rreading [%.*s%*s] %3.0f %%", filled, "########################################", WIDTH - filled, "", 100 * done);
}

void progress_init(void)
{
    if (isatty(STDERR_FILENO))
        import_set_progress(show);
}
