#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How fluid all layers are: the window's frames, and the contact sheet as a file.

  tests/gui-env.sh /usr/bin/python3 tests/bench/views.py [BUILD] [SHAPE]

BUILD is build; SHAPE is bert-base or bert-large. A model of that shape with random weights is made in a temporary
folder. Prints, for the longest text and for 128 tokens, what was measured beside what is aimed at."""
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import random_model  # noqa: E402

FIRST_FRAME_AIM_MS = 300
FRAME_AIMS = (  # what, its name in the window's answer, ms
    ('zooming', 'zoom', 33),
    ('scrolling', 'scroll', 33),
    ('pointing at all layers', 'hover', 8),
    ('choosing a head', 'choose', 33),
    ('pointing at the heat map', 'heatmap_hover', 8),
    ('zooming into the heat map', 'heatmap_zoom', 33),
    ('zooming into all heads of a layer', 'heads_zoom', 33),
    ('moving over the heat map, weights in its cells', 'heatmap_pan', 33),
    ('pointing at cells with weights', 'zoomed_hover', 8),
)
SHEET_AIM_MS = 1000  # of 144 heads at 128 tokens


def make_text(n_tokens):
    """A word is a token; two more are the model's own."""
    return ' '.join(['the', 'cat', 'sat', 'on', 'a', 'table', 'and', 'saw'][i % 8] for i in range(n_tokens - 2))


def show(what, ms, aim):
    print('%-50s %8.1f ms, aimed at %4d%s' % (what, ms, aim, '' if ms <= aim else '  MISSED'))


def time_window(build, folder, text):
    done = subprocess.run([os.path.join(build, 'ui', 'headscope'), '--benchmark-views', '--model', folder,
                           '--text', text], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    answer = json.loads(done.stdout)
    print('%(tokens)d tokens, %(layers)d × %(heads)d heads, renderer %(renderer)s, %(rss_mb).0f MB at most' % answer)
    show('first frame of all layers after the forward pass', answer['all_layers_ms'], FIRST_FRAME_AIM_MS)
    for what, key, aim in FRAME_AIMS:
        frames = answer[key]
        show('%s, middle frame' % what, frames['median_ms'], aim)
        print('%50s %8.1f ms, CPU %.1f ms' % ('slowest', frames['max_ms'], frames['max_cpu_ms']))


def time_sheet(build, folder, text):
    """What --view layers takes beyond a picture of one head, whose forward pass is the same."""
    best = {}
    for view in ('heatmap', 'layers') * 3:
        start = time.monotonic()
        subprocess.run([os.path.join(build, 'src', 'cli', 'headscope-cli'), 'render', '--model', folder, '--text', text,
                        '--view', view, '--format', 'png', '-o', os.devnull], check=True)
        best[view] = min(best.get(view, 1e9), 1000 * (time.monotonic() - start))
    show('contact sheet as PNG, program start included', best['layers'], SHEET_AIM_MS)
    print('%-50s %8.1f ms' % ('the same of one head', best['heatmap']))


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else 'build'
    shape = random_model.SHAPES[sys.argv[2] if len(sys.argv) > 2 else 'bert-base']
    with tempfile.TemporaryDirectory() as folder:
        random_model.make(folder, shape)
        time_window(build, folder, make_text(512))
        time_window(build, folder, make_text(128))
        time_sheet(build, folder, make_text(128))


main()
