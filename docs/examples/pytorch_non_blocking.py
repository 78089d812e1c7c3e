"""PyTorch: what does non_blocking=True do? From pageable memory the call still holds the host, so that the second product is issued
late; from pinned memory it returns at once.

    cugantt record -o pytorch.cgt -- python3 docs/examples/pytorch_non_blocking.py
"""
import torch

pageable = torch.ones(64 << 20)  # 256 MiB
pinned = torch.ones(64 << 20).pin_memory()
a = torch.ones(8192, 8192, device="cuda")
copies = torch.cuda.Stream()
torch.mm(a, a)  # loads the library and its kernels
torch.cuda.synchronize()

for source in (pageable, pinned):
    torch.mm(a, a)
    with torch.cuda.stream(copies):
        source.to("cuda", non_blocking=True)
    torch.mm(a, a)
    torch.cuda.synchronize()
