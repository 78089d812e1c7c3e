/* Two host threads, each with a stream of its own, that also launch to the default stream - which is one for all threads.
 *
 * You should see: each thread's kernels wait for the other thread's, of which it knows nothing, wherever one of them used the
 * default stream: legacy-default-stream. With --fixed each thread uses cudaStreamPerThread, what the compiler's option
 * --default-stream per-thread makes of the default stream, and the threads run side by side.
 */
#include <pthread.h>
#include <stdlib.h>

#include "workloads.h"

enum { KERNEL_NS = 300 * 1000 };

static pthread_barrier_t start;

static void *thread_main(void *argument)
{
    const struct workload_options *options = argument;
    const cudaStream_t own = setup_stream(), usual = options->fixed ? cudaStreamPerThread : cudaStreamLegacy;
    pthread_barrier_wait(&start);
    for (uint32_t round = 0; round < options->rounds; round++) {
        CHECK(spin_launch(KERNEL_NS, own));
        CHECK(spin_launch(KERNEL_NS, usual));
    }
    CHECK(cudaStreamSynchronize(usual));
    CHECK(cudaStreamSynchronize(own));
    return NULL;
}

void workload_per_thread_stream(const struct workload_options *options)
{
    pthread_t threads[2];
    setup_kernel();
    pthread_barrier_init(&start, NULL, 2);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, thread_main, (void *)options) != 0)
            exit(1);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
