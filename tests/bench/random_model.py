# SPDX-License-Identifier: MIT
"""A model folder of any size of BERT, with random weights and the shipped model's tokenizer."""
import json
import os
import random
import shutil
import struct

SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'resources', 'demo-model')
SHAPES = {  # layers, d_model, heads, d_ff
    'bert-base': (12, 768, 12, 3072),
    'bert-large': (24, 1024, 16, 4096),
}
ONE = b'\x00\x3c'  # in half precision
KEEP_SIGN_AND_TOP_BITS = bytes(byte & 0x83 | 0x24 for byte in range(256))  # so that a number is ±0.016 to ±0.031


def random_halves(source, n):
    data = bytearray(2 * n)
    data[0::2] = source.randbytes(n)
    data[1::2] = source.randbytes(n).translate(KEEP_SIGN_AND_TOP_BITS)
    return bytes(data)


def count(shape):
    n = 1
    for side in shape:
        n *= side
    return n


def read_shapes(path):
    """The shipped model's tensors by name, with one layer, numbered 0, for all."""
    with open(path, 'rb') as file:
        size, = struct.unpack('<Q', file.read(8))
        header = json.loads(file.read(size))
    return {name: entry['shape'] for name, entry in header.items()
            if name != '__metadata__' and ('.layer.' not in name or '.layer.0.' in name)}


def list_tensors(config, shape):
    """(name, shape) of every tensor of a model of another shape."""
    layers, d_model, _, d_ff = shape
    sides = {config['hidden_size']: d_model, config['intermediate_size']: d_ff}
    for name, old in read_shapes(os.path.join(SHIPPED, 'model.safetensors')).items():
        new = [sides.get(side, side) for side in old]
        for layer in range(layers if '.layer.0.' in name else 1):
            yield name.replace('.layer.0.', '.layer.%d.' % layer), new


def make(folder, shape):
    """Writes the model; the same bytes every time."""
    with open(os.path.join(SHIPPED, 'config.json')) as file:
        config = json.load(file)
    tensors = list(list_tensors(config, shape))
    config.update(num_hidden_layers=shape[0], hidden_size=shape[1], num_attention_heads=shape[2],
                  intermediate_size=shape[3])
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(SHIPPED):
        if name.endswith('.txt') or 'token' in name:
            shutil.copy(os.path.join(SHIPPED, name), folder)
    with open(os.path.join(folder, 'config.json'), 'w') as file:
        json.dump(config, file)
    header, at = {}, 0
    for name, sides in tensors:
        end = at + 2 * count(sides)
        header[name] = {'dtype': 'F16', 'shape': sides, 'data_offsets': [at, end]}
        at = end
    source = random.Random(1)
    with open(os.path.join(folder, 'model.safetensors'), 'wb') as file:
        text = json.dumps(header).encode()
        file.write(struct.pack('<Q', len(text)) + text)
        for name, sides in tensors:
            n = count(sides)
            file.write(ONE * n if name.endswith('LayerNorm.weight') else random_halves(source, n))
