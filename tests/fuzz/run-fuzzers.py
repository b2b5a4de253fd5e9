# SPDX-License-Identifier: MIT
"""Fuzzes every target for a while, two at a time, and prints TAP.

  run-fuzzers.py FOLDER [SECONDS]    FOLDER: a build tree made or renewed here; 20 seconds by default

What libFuzzer finds beyond tests/fuzz/corpus is kept in FOLDER/found/TARGET between runs. An input that breaks a
target stays in FOLDER/broken/TARGET-…: add it to the corpus once the fault is mended."""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, '..', 'harness'))
import tap  # noqa: E402

BUILD = os.path.abspath(sys.argv[1])
SECONDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
TARGETS = sorted(os.listdir(os.path.join(HERE, 'corpus')))
SANITIZERS = 'address,undefined'
ENV = dict(os.environ, G_SLICE='always-malloc', OPENBLAS_NUM_THREADS='1',
           ASAN_OPTIONS='detect_leaks=1:allocator_may_return_null=1',
           UBSAN_OPTIONS='halt_on_error=1:print_stacktrace=1')


def find_clang():
    """A clang that can link a fuzzer, or None."""
    for name in ('clang-14', 'clang'):
        if not shutil.which(name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, 'a.c')
            with open(source, 'w', encoding='utf-8') as file:
                file.write('int LLVMFuzzerTestOneInput (const char *d, unsigned long n);\n'
                           'int LLVMFuzzerTestOneInput (const char *d, unsigned long n)\n'
                           '{ return d == 0 && n > 0; }\n')
            tried = subprocess.run([name, '-fsanitize=fuzzer,' + SANITIZERS, source, '-o',
                                    os.path.join(folder, 'a')], capture_output=True)
        if tried.returncode == 0:
            return name
    return None


def build(clang):
    """Configure the tree once, then compile the targets; what goes wrong is an assertion."""
    commands = [['ninja', '-C', BUILD, 'fuzz']]
    if not os.path.exists(os.path.join(BUILD, 'build.ninja')):
        commands.insert(0, ['meson', 'setup', BUILD, ROOT, '-Dfuzz=true', '-Dwindow=false',
                            '-Db_sanitize=' + SANITIZERS, '-Db_lundef=false',
                            '--buildtype=debugoptimized'])
    for command in commands:
        done = subprocess.run(command, env=dict(os.environ, CC=clang), text=True, errors='replace',
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, '\n'.join(done.stdout.splitlines()[-60:])


def fuzz(target):
    """One target for SECONDS; returns its exit status and output."""
    found, broken = (os.path.join(BUILD, name) for name in ('found', 'broken'))
    found = os.path.join(found, target)
    os.makedirs(found, exist_ok=True)
    os.makedirs(broken, exist_ok=True)
    command = [os.path.join(BUILD, 'tests', 'fuzz', 'fuzz-' + target),
               '-max_total_time=%d' % SECONDS, '-timeout=10', '-rss_limit_mb=1500',
               '-malloc_limit_mb=300', '-max_len=16384', '-print_final_stats=1', '-verbosity=0',
               '-artifact_prefix=%s/%s-' % (broken, target),
               found, os.path.join(HERE, 'corpus', target)]
    done = subprocess.run(command, env=ENV, stdin=subprocess.DEVNULL, text=True, errors='replace',
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def check(target, run):
    status, output = run.result()
    assert status == 0, 'ended with %d\n%s' % (status, '\n'.join(output.splitlines()[-60:]))
    counts = [line.split()[-1] for line in output.splitlines() if 'number_of_executed' in line]
    assert counts, 'no count of inputs\n' + output[-2000:]
    print('# %s: %s inputs in %d s' % (target, counts[0], SECONDS))


def main():
    clang = find_clang()
    if clang is None:
        def skip():
            raise tap.Skip('clang with its fuzzer is not installed')
        return tap.run([(target, skip) for target in TARGETS])
    cases = [('build', lambda: build(clang))]
    try:
        build(clang)
    except AssertionError:
        return tap.run(cases)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        runs = {target: pool.submit(fuzz, target) for target in TARGETS}
        return tap.run(cases + [(target, lambda t=target: check(t, runs[t])) for target in TARGETS])


sys.exit(main())
