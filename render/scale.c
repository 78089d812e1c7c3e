#include "scale.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

double scale_x(const struct scale *scale, int64_t time_ns)
{
    return scale->left + (double)(time_ns - scale->begin_ns) * scale->px_per_ns;
}

static double clamped_x(const struct scale *scale, int64_t time_ns)
{
    if (time_ns < scale->begin_ns)
        time_ns = scale->begin_ns;
    if (time_ns > scale->end_ns)
        time_ns = scale->end_ns;
    return scale_x(scale, time_ns);
}

struct extent scale_extent(const struct scale *scale, int64_t begin_ns, int64_t end_ns)
{
    return (struct extent){clamped_x(scale, begin_ns), clamped_x(scale, end_ns)};
}

static int64_t round_step(double at_least_ns)
{
    static const int factors[] = {1, 2, 5};
    for (int64_t power = 1; power < INT64_MAX / 100; power *= 10)
        for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
            if ((double)(factors[i] * power) >= at_least_ns)
                return factors[i] * power;
    return INT64_MAX / 2;
}

static int64_t floor_to(int64_t value, int64_t step)
{
    int64_t rest = value % step;
    return value - rest - (rest < 0 ? step : 0);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Largest unit in which the window's far end is at least 1. */
static void choose_unit(struct ticks *ticks, int64_t largest_ns)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    size_t i = 0;
    while (units[i].ns > 1 && largest_ns < units[i].ns)
        i++;
    ticks->unit = units[i].name;
    ticks->unit_ns = units[i].ns;
    for (int64_t step = ticks->step_ns; step % ticks->unit_ns != 0; step *= 10)
        ticks->decimals++;
}

struct ticks scale_ticks(const struct scale *scale, double min_px)
{
    struct ticks ticks = {.step_ns = round_step(min_px / scale->px_per_ns)};
    int64_t begin_ns = scale->begin_ns - scale->zero_ns, end_ns = scale->end_ns - scale->zero_ns;
    ticks.first_ns = floor_to(begin_ns + ticks.step_ns - 1, ticks.step_ns);
    if (ticks.first_ns <= end_ns)
        ticks.count = (uint32_t)((end_ns - ticks.first_ns) / ticks.step_ns) + 1;
    choose_unit(&ticks, larger(larger(llabs(begin_ns), llabs(end_ns)), scale->longest_ns));
    return ticks;
}

const char *tick_text(const struct ticks *ticks, uint32_t index, char *buf, int size)
{
    int64_t time_ns = ticks->first_ns + index * ticks->step_ns;
    int length = snprintf(buf, (size_t)size, "%.*f", ticks->decimals, (double)time_ns / (double)ticks->unit_ns);
    if (ticks->decimals > 0 && length < size) {
        while (buf[length - 1] == '0')
            length--;
        buf[buf[length - 1] == '.' ? length - 1 : length] = '\0';
    }
    return buf;
}
