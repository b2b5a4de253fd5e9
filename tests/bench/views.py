#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How fluid the window is: the frames of every view, and the contact sheet as a file.

  tests/gui-env.sh /usr/bin/python3 tests/bench/views.py [BUILD] [SHAPE] [TOKENS,…]

BUILD is build; SHAPE is bert-base or bert-large; TOKENS are 512,128. A model of that shape with random weights
is made in a temporary folder. Prints what was measured beside what is aimed at. A frame counts by the CPU time
of the main thread from the step (a motion of the pointer, a notch of the wheel) to the end of all GTK does for it,
since that is ours; the wall time is the machine's, too."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import random_model  # noqa: E402

FIRST_FRAME_AIM_MS = 300
HOVER_AIM_MS = 8
MOVE_AIM_MS = 33
SHEET_AIM_MS = 1000  # of 144 heads at 128 tokens
ROW = '| %-24s | %6s | %6s | %6s | %7s | %6s | %-6s |'


def make_text(n_tokens):
    """A word is a token; two more are the model's own."""
    return ' '.join(['the', 'cat', 'sat', 'on', 'a', 'table', 'and', 'saw'][i % 8] for i in range(n_tokens - 2))


def verdict(ms, aim):
    return 'met' if ms <= aim else 'MISSED'


def show_frames(frames):
    print(ROW % ('frames, CPU ms', 'p50', 'p95', 'max', 'wall 50', 'aim', ''))
    print(ROW % (('---',) * 7))
    for name, times in frames.items():
        aim = HOVER_AIM_MS if name.endswith('hover') else MOVE_AIM_MS
        cpu = times['cpu_ms']
        print(ROW % (name, '%.1f' % cpu['p50'], '%.1f' % cpu['p95'], '%.1f' % cpu['max'],
                     '%.1f' % times['wall_ms']['p50'], aim, verdict(cpu['p95'], aim)))


def time_window(build, folder, text):
    done = subprocess.run([os.path.join(build, 'ui', 'headscope'), '--benchmark-views', '--model', folder,
                           '--text', text], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    answer = json.loads(done.stdout)
    print('\n%(tokens)d tokens, %(layers)d × %(heads)d heads, renderer %(renderer)s, %(rss_mb).0f MB at most' % answer)
    print('first frame of all layers after the forward pass: %.0f ms (%.0f ms of CPU on all threads), aimed at %d: %s\n' % (
        answer['all_layers_ms'], answer['all_layers_cpu_ms'], FIRST_FRAME_AIM_MS,
        verdict(answer['all_layers_ms'], FIRST_FRAME_AIM_MS)))
    show_frames(answer['frames'])


def cpu_ms():
    """Of the programs that were run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (used.ru_utime + used.ru_stime)


def time_sheet(build, folder, text):
    """What --view layers takes beyond a picture of one head, whose start and forward pass are the same."""
    best = {}
    for view in ('heatmap', 'layers') * 3:
        before, start = cpu_ms(), time.monotonic()
        subprocess.run([os.path.join(build, 'src', 'cli', 'headscope-cli'), 'render', '--model', folder, '--text', text,
                        '--view', view, '--format', 'png', '-o', os.devnull], check=True)
        taken = cpu_ms() - before, 1000 * (time.monotonic() - start)
        best[view] = min(best.get(view, taken), taken)
    cpu = best['layers'][0] - best['heatmap'][0]
    print('\ncontact sheet as PNG: %.0f ms of CPU beyond a picture of one head, aimed at %d: %s; with program start and '
          'forward pass %.0f ms (%.0f ms of CPU)' % (cpu, SHEET_AIM_MS, verdict(cpu, SHEET_AIM_MS),
                                                      best['layers'][1], best['layers'][0]))


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else 'build'
    shape = random_model.SHAPES[sys.argv[2] if len(sys.argv) > 2 else 'bert-base']
    lengths = sys.argv[3].split(',') if len(sys.argv) > 3 else ['512', '128']
    with tempfile.TemporaryDirectory() as folder:
        random_model.make(folder, shape)
        for length in lengths:
            time_window(build, folder, make_text(int(length)))
        time_sheet(build, folder, make_text(128))


main()
