/* A host function between the kernels of a stream (cudaLaunchHostFunc), as for telling a consumer that a result is there.
 *
 * You should see: the stream stands still while the function runs on a thread of the driver: host-callback. With --fixed the
 * functions are in a stream beside it, which waits for each kernel's event; the kernels follow each other.
 */
#include "workloads.h"

enum { KERNEL_NS = 300 * 1000, FUNCTION_NS = 500 * 1000 };

static void function(void *unused)
{
    (void)unused;
    host_work(FUNCTION_NS);
}

void workload_host_callback(const struct workload_options *options)
{
    setup_kernel();
    const cudaStream_t stream = setup_non_blocking_stream();
    const cudaStream_t beside = options->fixed ? setup_non_blocking_stream() : stream;
    const cudaEvent_t event = setup_event();
    for (uint32_t round = 0; round < options->rounds; round++) {
        CHECK(spin_launch(KERNEL_NS, stream));
        if (options->fixed) {
            CHECK(cudaEventRecord(event, stream));
            CHECK(cudaStreamWaitEvent(beside, event, 0));
        }
        CHECK(cudaLaunchHostFunc(beside, function, NULL));
    }
    CHECK(spin_launch(KERNEL_NS, stream));
    CHECK(cudaDeviceSynchronize());
}
