# SPDX-License-Identifier: MIT
"""Writes tests/data/torch/: small files as PyTorch itself saves them, whose numbers follow a formula.

  make-torch-files.py FOLDER        needs torch (2.13 was used)"""
import collections
import os
import sys

import torch

OUT = sys.argv[1]


def ramp(*shape, dtype=torch.float32, first=0):
    """first, first + 1, first + 2 … row by row."""
    count = 1
    for size in shape:
        count *= size
    return torch.arange(first, first + count).reshape(shape).to(dtype)


def tensors():
    base = ramp(6, 5)
    return collections.OrderedDict(
        f32=ramp(2, 3), f16=ramp(7, dtype=torch.float16), bf16=ramp(7, dtype=torch.bfloat16),
        f64=ramp(3, 1, 2, dtype=torch.float64), integers=ramp(4, dtype=torch.int64),
        transposed=ramp(4, 3).t(), permuted=ramp(2, 3, 4).permute(2, 0, 1), part=base[2:5, 1:4],
        whole=base, column=base[:, 2], repeated=ramp(3).expand(4, 3), scalar=torch.tensor(7.),
        empty=torch.zeros(0, 4), parameter=torch.nn.Parameter(ramp(2, 2)))


def save(folder, content, **options):
    os.makedirs(os.path.join(OUT, folder), exist_ok=True)
    torch.save(content, os.path.join(OUT, folder, 'pytorch_model.bin'), **options)


def main():
    state = torch.nn.Linear(3, 2).state_dict()  # an OrderedDict with _metadata
    state.update(tensors())
    attributed = torch.nn.Parameter(ramp(2, 2))
    attributed.note = 'kept with the tensor'
    save('zip', state)
    save('stream', state, _use_new_zipfile_serialization=False)
    save('protocol-4', dict(tensors()), pickle_protocol=4)
    save('state-dict', {'epoch': 3, 'best': 0.5, 'name': 'x', 'state_dict': tensors()})
    save('attributes', {'model': dict(tensors(), attributed=attributed)})
    torch.serialization.set_crc32_options(False)
    save('no-checksums', tensors())


main()
