# SPDX-License-Identifier: MIT
"""headscope-cli atlas: means over texts against the texts one by one, parts in any order and by any
number of ranks to the same bytes, runs that were killed and go on, and files nobody should believe.

Ranks are tested where the program was built with MPI and mpirun is there; the time and memory of a
real model where HEADSCOPE_MINILM names its folder. Both are skipped with the reason elsewhere."""
import csv
import importlib.util
import io
import json
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
sys.path.insert(0, os.path.join(TESTS, 'harness'))
sys.dont_write_bytecode = True
import tap  # noqa: E402

CLI, HAS_MPI, SANITIZERS, DATA = os.path.abspath(sys.argv[1]), sys.argv[2] == 'mpi', *sys.argv[3:5]
FIELDS = ['entropy', 'entropy_normalised', 'confidence', 'mean_distance', 'mass_self', 'mass_prev',
          'mass_next', 'mass_cls', 'mass_sep', 'mass_punctuation', 'mass_same_token',
          'mass_other_sentence']
MPIRUN = ['mpirun', '--allow-run-as-root', '--oversubscribe', '-n']
# Numbers are printed with 9 digits, and where OpenBLAS multiplies a text differs in a batch.
TOLERANCE = 2e-5
PLACE = tempfile.TemporaryDirectory(prefix='headscope-atlas-')


def load_sentences():
    where = os.path.join(TESTS, 'tools', 'make-texts.py')
    spec = importlib.util.spec_from_file_location('make_texts', where)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.sentences


SENTENCES = load_sentences()


def path(name):
    return os.path.join(PLACE.name, name)


def write(name, content):
    with open(path(name), 'w', encoding='utf-8') as file:
        file.write(content)
    return path(name)


def read(name):
    with open(path(name), 'rb') as file:
        return file.read()


def texts(name, n, seed=7):
    return write(name, ''.join(line + '\n' for line in SENTENCES(n, seed)))


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)


def ask(*options):
    """The answer of a command that must succeed and say nothing else."""
    done = run(CLI, *options)
    assert done.returncode == 0 and done.stderr == '', done.stderr
    return json.loads(done.stdout)


def refused(status, words, *options, **more):
    done = run(CLI, 'atlas', *options, **more)
    assert done.returncode == status, (done.returncode, done.stderr)
    assert done.stdout == ''
    for word in words:
        assert word in done.stderr, done.stderr
    return done.stderr


def check_one_text():
    text = 'The cat sat on the mat.'
    answer = ask('atlas', '--text', text)
    assert answer['n_texts'] == 1 and answer['texts'] is None and 0 < answer['map_kept'] <= 1
    rows = ask('heads', '--text', text)['heads']
    assert len(answer['heads']) == len(rows) == 32
    for own, row in zip(answer['heads'], rows):
        for name in FIELDS:
            assert own[name] == row[name] and own[name + '_sd'] is None, name
        assert own['class'] == row['class'] and own['classes'] == {row['class']: 1}
        assert own['rule'] and len(own['examples']) == 3 and len(own['surest']) == 1
        assert own['nearest']['distance'] <= own['farthest']['distance']
        assert all(example['begins'] == text for example in own['examples'])


def check_means():
    """Means and spread by Python's statistics, over the answers for single texts."""
    lines = list(SENTENCES(21))
    answer = ask('atlas', '--texts', texts('means.txt', 21))
    rows = [ask('heads', '--text', line)['heads'] for line in lines]
    for i, own in enumerate(answer['heads']):
        for name in FIELDS:
            values = [row[i][name] for row in rows if row[i][name] is not None]
            if not values:
                assert own[name] is None
                continue
            assert abs(own[name] - statistics.fmean(values)) <= TOLERANCE, name
            assert abs(own[name + '_sd'] - statistics.stdev(values)) <= 5 * TOLERANCE, name
        surest = max(range(21), key=lambda at: rows[at][i]['confidence'])
        assert own['surest'][0]['text'] == surest and own['surest'][0]['begins'] == lines[surest]
        assert sum(own['classes'].values()) == 21


def check_example():
    """An example's weight is the one the map has at that place."""
    answer = ask('atlas', '--texts', texts('means.txt', 21))
    lines = list(SENTENCES(21))
    for own in answer['heads'][:3]:
        example = own['examples'][0]
        maps = ask('attention', '--text', lines[example['text']], '--layer', str(own['layer']), '--head',
                   str(own['head']))
        weight = maps['maps'][0]['weights'][example['query']][example['key']]
        assert abs(weight - example['weight']) <= TOLERANCE
        assert maps['tokens'][example['query']] == example['query_token']
        assert maps['tokens'][example['key']] == example['key_token']


def check_csv():
    source = texts('means.txt', 21)
    answer = ask('atlas', '--texts', source)
    done = run(CLI, 'atlas', '--texts', source, '--format', 'csv')
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 32
    for own, row in zip(answer['heads'], rows):
        for name in FIELDS:
            wanted = 'nan' if own[name] is None else own[name]
            assert row[name] == wanted or float(row[name]) == wanted, name
        assert float(row['nearest_distance']) == own['nearest']['distance']
        assert [float(row['x']), float(row['y'])] == own['place']
        assert row['class'] == own['class'] and row['importance'] == 'nan'


def check_jsonl():
    lines = list(SENTENCES(20))
    plain = ask('atlas', '--texts', texts('plain.txt', 20))
    objects = '\ufeff' + '\n\n'.join(json.dumps({'text': line, 'pair': None}) for line in lines)
    same = ask('atlas', '--texts', write('plain.jsonl', objects))
    assert same['heads'] == plain['heads'] and same['n_texts'] == 20
    pairs = '\n'.join(json.dumps({'text': line, 'pair': 'It rained.'}) for line in lines)
    paired = ask('atlas', '--texts', write('pairs.jsonl', pairs))
    assert all(head['mass_other_sentence'] is not None for head in paired['heads'])


def check_shards():
    """Three shards, one of them by one thread, in every order; and shards of which some are empty."""
    source = texts('shards.txt', 150)
    whole = run(CLI, 'atlas', '--texts', source, '-o', path('whole.json'))
    assert whole.returncode == 0 and whole.stderr == '' and not os.path.exists(path('whole.json.part'))
    parts = []
    for i in range(1, 4):
        parts.append(path('shard-%d.part' % i))
        done = run(CLI, 'atlas', '--texts', source, '--shard', '%d/3' % i, '-o', parts[-1], '--threads',
                   '1' if i == 2 else '2')
        assert done.returncode == 0 and done.stdout == '', done.stderr
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]):
        done = run(CLI, 'atlas', '--merge', *[parts[i] for i in order], '-o', path('merged.json'))
        assert done.returncode == 0, done.stderr
        assert read('merged.json') == read('whole.json')
    few = texts('few.txt', 20)
    names = [path('few-%d.part' % i) for i in range(4)]
    for i, name in enumerate(names):
        assert run(CLI, 'atlas', '--texts', few, '--shard', '%d/4' % (i + 1), '-o', name).returncode == 0
    run(CLI, 'atlas', '--texts', few, '-o', path('few.json'))
    done = run(CLI, 'atlas', '--merge', '-o', path('merged.json'), *names)
    assert done.returncode == 0 and read('merged.json') == read('few.json'), done.stderr
    refused(1, ['texts 65 to 112 of 150 are missing'], '--merge', parts[0], parts[2])
    refused(1, ['are in another part, too'], '--merge', *parts, parts[0])
    refused(1, ['it is of other texts'], '--merge', parts[0], names[0])


def check_importance():
    source = texts('importance.txt', 5)
    options = ['--importance', '--masks', '2', '--seed', '3']
    answer = ask('atlas', '--texts', source, *options)
    rows = [ask('importance', '--text', line, '--masks', '2', '--seed', '3')['heads']
            for line in SENTENCES(5)]
    for i, own in enumerate(answer['heads']):
        values = [row[i]['importance'] for row in rows]
        assert abs(own['importance'] - statistics.fmean(values)) <= 1e-7
        assert abs(own['importance_sd'] - statistics.stdev(values)) <= 1e-6
    assert abs(sum(own['importance_l2'] ** 2 for own in answer['heads']) - 4) <= 1e-6  # each layer 1
    folder = os.path.join(DATA, 'golden', 'models', 'sentence-transformers')
    refused(1, ['language-model head'], '--importance', '--texts', source, '--model', folder)


def start(source, out):
    """A run that writes a checkpoint after every block, stopped from going on once there is one."""
    child = subprocess.Popen([CLI, 'atlas', '--texts', source, '--checkpoint', '0', '-o', out],
                             stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 120
    while not os.path.exists(out + '.part') and time.monotonic() < end:
        assert child.poll() is None, child.stderr.read()
        time.sleep(0.002)
    return child


def check_killed():
    """Killed at its first checkpoint, again at a later one, and then left alone."""
    source = texts('long.txt', 800)
    assert run(CLI, 'atlas', '--texts', source, '-o', path('long.json')).returncode == 0
    out = path('killed.json')
    for wait in (0, 0.3):
        child = start(source, out)
        time.sleep(wait)
        child.kill()
        child.communicate()
        assert child.returncode == -signal.SIGKILL and not os.path.exists(out)
    with open(out + '.part', encoding='utf-8') as file:
        n_kept = sum(node['texts'] for node in json.load(file)['nodes'])
    assert 0 < n_kept < 800 and n_kept % 16 == 0
    done = run(CLI, 'atlas', '--texts', source, '-o', out)
    assert done.returncode == 0 and '%d texts are done already' % n_kept in done.stderr, done.stderr
    assert read('killed.json') == read('long.json') and not os.path.exists(out + '.part')


def check_interrupted():
    source = texts('long.txt', 800)
    for which in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
        out = path('stopped-%d.json' % which)
        child = start(source, out)
        child.send_signal(which)
        said = child.communicate()[1]
        assert child.returncode == -which and 'the same command goes on' in said, (child.returncode, said)
        assert said.count('stopped;') == 1 and not said.rstrip().endswith('stopped'), said
    # texts of another file, other weights or options are not mixed with it
    other = texts('other.txt', 800, 8)
    refused(1, ['cannot go on', 'it is of other texts'], '--texts', other, '-o', out)
    refused(1, ['cannot go on', 'max_tokens'], '--texts', source, '--max-tokens', '9', '-o', out)
    refused(1, ['cannot go on', 'distances'], '--texts', source, '--no-distances', '-o', out)
    write('stopped-%d.json.part' % which, '{"format":"headscope-atlas-part"}')
    refused(1, ['cannot go on', 'version'], '--texts', source, '-o', out)


def check_texts_refused():
    refused(2, ['.txt or .jsonl'], '--texts', write('texts.csv', 'a'))
    refused(1, ['holds no texts'], '--texts', write('empty.txt', ''))
    refused(1, ['bad.jsonl, line 3', '"text"'], '--texts', write('bad.jsonl', '{"text":"a"}\n\n{"a":1}'))
    refused(1, ['cannot open'], '--texts', path('none.txt'))
    os.mkfifo(path('pipe.txt'))
    refused(1, ['not a regular file'], '--texts', path('pipe.txt'))
    with open(path('latin.txt'), 'wb') as file:
        file.write(b'good\ncaf\xe9\n')
    refused(1, ['latin.txt, line 2'], '--texts', path('latin.txt'))
    # a text of which GPT-2 makes no token is counted, and nothing else
    answer = ask('atlas', '--model', os.path.join(DATA, 'golden', 'models', 'gpt2'), '--texts',
                 write('gap.txt', 'the cat\n\nthe dog\n'))
    assert (answer['n_texts'], answer['n_empty']) == (3, 1)


def check_figure():
    """A figure of one text, of the same maps as a file, and of many texts: the same bytes twice."""
    text, source = 'The cat sat on the mat.', texts('means.txt', 21)
    maps = path('maps.npy')
    assert run(CLI, 'attention', '--text', text, '--format', 'npy', '-o', maps).returncode == 0
    figures = {}
    for name, subject in (('one', ['--text', text]), ('file', ['--attention', maps]), ('many', ['--texts', source])):
        for turn in ('1', '2'):
            out = path('%s-%s.svg' % (name, turn))
            done = run(CLI, 'atlas', *subject, '--layer', '2', '--head', '3', '--only-layer', '2', '--figure', out)
            assert done.returncode == 0 and done.stdout == '', done.stderr
        figures[name] = read('%s-1.svg' % name)
        assert figures[name] == read('%s-2.svg' % name), name
    assert len(set(figures.values())) == 3
    assert b'means.txt' in figures['many'] and b'maps.npy' in figures['file']
    # a file's maps are the text's, but for what only a text tells
    own, other = (ask('atlas', '--text', text)['heads'],
                  json.loads(run(CLI, 'atlas', '--attention', maps).stdout)['heads'])
    for a, b in zip(own, other):
        assert a['entropy'] == b['entropy'] and a['mass_prev'] == b['mass_prev'] and b['mass_cls'] is None


def check_usage():
    source = texts('means.txt', 21)
    refused(2, ['--text or --file, --attention, --texts, --merge'])
    refused(2, ['--text or --file, --attention, --texts, --merge'], '--texts', source, '--text', 'a')
    refused(2, ['after it'], '--merge')
    refused(2, ['for --merge only'], '--text', 'a', 'b')
    for wrong in ('0/3', '4/3', '3', '1/2/3', 'a/b', '1/0', '-1/2'):
        refused(2, ['--shard ' + wrong, 'as 2/8'], '--texts', source, '--shard', wrong, '-o', path('x'))
    refused(2, ['wants -o'], '--texts', source, '--shard', '1/2')
    refused(2, ['go with --texts'], '--text', 'a', '--shard', '1/2', '-o', path('x'))
    refused(2, ['--format'], '--text', 'a', '--format', 'npy')
    refused(2, ['--layer goes with --figure'], '--text', 'a', '--layer', '2')
    refused(2, ['layers 1 to 4'], '--text', 'a', '--figure', path('x.png'), '--layer', '5')
    refused(2, ['--only-class round'], '--text', 'a', '--figure', path('x.png'), '--only-class', 'round')
    refused(2, ['wants a model'], '--attention', path('x.npy'), '--importance')
    refused(2, ['--text or --file, --attention'], '--attention', path('x.npy'), '--texts', source)
    refused(2, ['goes with --importance'], '--text', 'a', '--masks', '2')
    refused(2, ['at most 1000'], '--text', 'a', '--importance', '--masks', '1001')
    refused(1, ['not valid JSON'], '--merge', source)
    refused(1, ['none.part'], '--merge', path('none.part'))


def mpi_of(n, *options):
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    return run(*MPIRUN, str(n), CLI, 'atlas', '--threads', '1', *options, env=env, timeout=240)


def check_ranks():
    if not HAS_MPI:
        raise tap.Skip('built without MPI')
    if shutil.which('mpirun') is None:
        raise tap.Skip('there is no mpirun here')
    source = texts('ranks.txt', 150)
    assert run(CLI, 'atlas', '--texts', source, '-o', path('alone.json')).returncode == 0
    for n in (1, 2, 4):
        out = path('ranks-%d.json' % n)
        done = mpi_of(n, '--texts', source, '-o', out)
        assert done.returncode == 0 and done.stdout == '', done.stderr
        assert read('ranks-%d.json' % n) == read('alone.json'), n
    done = mpi_of(2, '--texts', source)
    assert done.returncode == 0 and done.stdout.encode() == read('alone.json'), done.stderr
    assert not [name for name in os.listdir(PLACE.name) if name.startswith('ranks-') and 'part' in name]


def check_ranks_go_on():
    """A rank that fails leaves no answer, what the others did is kept, and then they go on."""
    if not HAS_MPI:
        raise tap.Skip('built without MPI')
    if shutil.which('mpirun') is None:
        raise tap.Skip('there is no mpirun here')
    source = texts('ranks.txt', 150)
    out = path('halted.json')
    write('halted.json.2-of-2.part', 'no part')
    done = mpi_of(2, '--texts', source, '-o', out)
    assert done.returncode != 0 and not os.path.exists(out)
    assert 'another rank failed' in done.stderr and 'not valid JSON' in done.stderr, done.stderr
    os.remove(path('halted.json.2-of-2.part'))
    done = mpi_of(2, '--texts', source, '-o', out)
    assert done.returncode == 0 and 'are done already' in done.stderr, done.stderr
    assert run(CLI, 'atlas', '--texts', source, '-o', path('alone.json')).returncode == 0
    assert read('halted.json') == read('alone.json')


def check_without_mpi():
    if HAS_MPI:
        raise tap.Skip('built with MPI')
    env = dict(os.environ, OMPI_COMM_WORLD_SIZE='2')
    refused(1, ['built without MPI', '--shard'], '--texts', texts('means.txt', 21), env=env)


def check_real_model():
    """1,000 short texts: a minute of two cores, and 300 MB."""
    folder = os.environ.get('HEADSCOPE_MINILM')
    if not folder:
        raise tap.Skip('HEADSCOPE_MINILM is not set')
    if 'address' in SANITIZERS:
        raise tap.Skip('sanitizers take time and memory of their own')
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = ask('atlas', '--model', folder, '--texts', texts('thousand.txt', 1000), '--threads', '2')
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert answer['n_texts'] == 1000
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print('# 1000 texts: %.1f s of CPU time, %d MB' % (seconds, after.ru_maxrss // 1024))
    assert seconds < 120, seconds
    assert after.ru_maxrss < 300 * 1024, after.ru_maxrss


def main():
    cases = [('one-text', check_one_text), ('means', check_means), ('example', check_example),
             ('csv', check_csv), ('jsonl', check_jsonl), ('shards', check_shards),
             ('importance', check_importance), ('killed', check_killed),
             ('interrupted', check_interrupted), ('texts-refused', check_texts_refused),
             ('figure', check_figure), ('usage', check_usage), ('ranks', check_ranks), ('ranks-go-on', check_ranks_go_on),
             ('without-mpi', check_without_mpi), ('real-model', check_real_model)]
    return tap.run(cases)


if __name__ == '__main__':
    sys.exit(main())
