#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "diagnose.h"

/* Three significant digits, as a reader compares them: 2.12, 21.2, 212. */
static void three_digits(double value, const char *unit, char *buf, int size)
{
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    snprintf(buf, (size_t)size, "%.*f %s", decimals, value, unit);
}

const char *time_text(int64_t ns, char *buf, int size)
{
    static const struct {
        double factor;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (fabs((double)ns) >= units[i].factor * 0.9995) {
            three_digits((double)ns / units[i].factor, units[i].unit, buf, size);
            return buf;
        }
    snprintf(buf, (size_t)size, "%" PRId64 " ns", ns);
    return buf;
}

const char *bytes_text(uint64_t bytes, char *buf, int size)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    int unit = 0;
    while (value >= 1024 && unit < 4) {
        value /= 1024;
        unit++;
    }
    snprintf(buf, (size_t)size, "%.*f %s", value < 9.95 && value != floor(value) ? 1 : 0, value, units[unit]);
    return buf;
}

const char *rate_text(double bytes_per_ns, char *buf, int size)
{
    /* one byte a nanosecond is one GB/s */
    snprintf(buf, (size_t)size, "%.*f GB/s", bytes_per_ns < 9.95 ? 1 : 0, bytes_per_ns);
    return buf;
}
