/* The kernels of `default-stream`, with a stream of its own in place of the default stream.
 *
 * You should see: three rows of kernels back to back, side by side, in a third of the time.
 */
#include "rotation.h"

void workload_explicit_stream(const struct workload_options *options)
{
    setup_kernel();
    const cudaStream_t streams[3] = {setup_stream(), setup_stream(), setup_stream()};
    rotation_run(options, streams);
}
