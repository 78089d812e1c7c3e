/* More launches on one stream than the driver keeps pending, and then work for another stream.
 *
 * You should see: from about the thousandth launch on, each launch call waits until a kernel has left the queue. The thread is
 * held, and the other stream gets its second kernel late: launch-queue-full. With --fixed the other stream's work is issued
 * before the thread is held.
 */
#include "workloads.h"

enum { KERNEL_NS = 20 * 1000, OTHER_NS = 3 * 1000 * 1000 };

void workload_launch_queue(const struct workload_options *options)
{
    setup_kernel();
    const cudaStream_t many = setup_non_blocking_stream(), other = setup_non_blocking_stream();
    CHECK(spin_launch(OTHER_NS, other));
    if (options->fixed)
        CHECK(spin_launch(OTHER_NS, other));
    for (uint32_t round = 0; round < options->rounds; round++)
        CHECK(spin_launch(KERNEL_NS, many));
    if (!options->fixed)
        CHECK(spin_launch(OTHER_NS, other));
    CHECK(cudaDeviceSynchronize());
}
