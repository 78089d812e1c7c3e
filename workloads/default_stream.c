/* Kernels on two streams of cudaStreamCreate and, between them, on the legacy default stream.
 *
 * You should see: the kernel on the default stream overlaps nothing. It waits for all that was issued before, and all
 * that is issued after waits for it; only a stream's kernel and the next round's first run together. Nothing in the
 * program says so: that is what stream 0 means. With --fixed the other two do not know the default stream, and all overlap.
 */
#include "rotation.h"

void workload_default_stream(const struct workload_options *options)
{
    setup_kernel();
    if (options->fixed) {
        const cudaStream_t streams[3] = {setup_non_blocking_stream(), NULL, setup_non_blocking_stream()};
        rotation_run(options, streams);
    } else {
        const cudaStream_t streams[3] = {setup_stream(), NULL, setup_stream()};
        rotation_run(options, streams);
    }
}
