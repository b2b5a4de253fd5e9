# SPDX-License-Identifier: MIT
"""Rules of the layers that no compiler checks: who may include whom, what core and pictures may call,
and that they keep no writable state."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import tap  # noqa: E402
import tree  # noqa: E402

BUILD = sys.argv[1]

# folder -> (our own public headers it may include, foreign headers it may not)
TOOLKIT = r'gtk/|gdk/|gsk/|adwaita'
OBJECTS = r'gio/|glib-object|gobject/|glib/gstdio-win'
LAYERS = {
    'include/attn/': (r'attn/', TOOLKIT + '|' + OBJECTS + '|cairo|pango|libsoup'),
    'src/core/': (r'attn/', TOOLKIT + '|' + OBJECTS + '|cairo|pango|libsoup'),
    'include/attn-draw/': (r'attn/|attn-draw/', TOOLKIT + '|' + OBJECTS + '|libsoup|cblas|jansson'),
    'src/draw/': (r'attn/|attn-draw/', TOOLKIT + '|' + OBJECTS + '|libsoup|cblas'),
    'include/attn-hub/': (r'attn/|attn-hub/', TOOLKIT + '|cairo|pango|cblas'),
    'src/hub/': (r'attn/|attn-hub/', TOOLKIT + '|cairo|pango|cblas'),
    'src/cli/': (r'attn/|attn-draw/|attn-hub/', TOOLKIT),
    'ui/': (r'attn/|attn-draw/|attn-hub/', r'cblas'),
}
MADE_BY_THE_BUILD = ('hs-build.h', 'hs-resources.h')
FORBIDDEN_CALLS = re.compile(
    r'\b(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|perror|exit|_exit|abort|getenv|'
    r'secure_getenv|setlocale|g_print|g_printerr|g_message|g_warning|g_critical|g_error|g_log|'
    r'g_getenv|g_setenv|mmap|g_mapped_file_\w+)\s*\(')  # a file that shrinks while it is mapped kills
# Writable data that core and pictures may hold, each with the reason.
ALLOWED_DATA = {
    r'q\.\d+|quark\.\d+': 'cache of a GQuark, written once by g_quark_from_static_string',
    r'(\w+_once|once|g_define_\w+)(\.\d+)?': 'g_once guard of a table that is constant afterwards',
    r'__(odr_asan|afl|llvm|gcov|asan)\w*': 'made by the compiler',
}


def layer_of(name):
    return next((folder for folder in LAYERS if name.startswith(folder)), None)


def includes(name):
    for number, line in enumerate(tree.read(name).splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if found:
            yield number, found.group(1), found.group(2)


def own_headers():
    """Which own headers a file includes: public ones by layer, private ones of its folder only."""
    faults = []
    for name in tree.files('.c', '.h'):
        folder = layer_of(name)
        if folder is None:
            continue
        for number, mark, header in includes(name):
            if mark != '"' or header in MADE_BY_THE_BUILD:
                continue
            if '..' in header:
                faults.append('%s:%d: %s climbs out of its folder' % (name, number, header))
            elif re.match(r'attn(-draw|-hub)?/', header):
                if not re.match(LAYERS[folder][0], header):
                    faults.append('%s:%d: %s is above this layer' % (name, number, header))
                if not os.path.exists(os.path.join(tree.ROOT, 'include', header)):
                    faults.append('%s:%d: %s does not exist' % (name, number, header))
            elif not os.path.exists(os.path.join(tree.ROOT, os.path.dirname(name), header)):
                faults.append('%s:%d: %s is another folder\'s private header'
                              % (name, number, header))
    tree.require_none(faults, 'own headers')


def foreign_headers():
    faults = []
    for name in tree.files('.c', '.h'):
        folder = layer_of(name)
        for number, mark, header in includes(name):
            if folder and mark == '<' and re.match(LAYERS[folder][1], header):
                faults.append('%s:%d: <%s>' % (name, number, header))
    tree.require_none(faults, 'foreign headers')


def one_door_to_blas():
    users = [name for name in tree.files('.c', '.h') if name.startswith(('src/', 'ui/', 'include/'))
             and any(header == 'cblas.h' for _, _, header in includes(name))]
    assert len(users) <= 1, 'cblas.h is included by %s' % ', '.join(users)


def forbidden_calls():
    faults = []
    for name in tree.files('.c', '.h'):
        if name.startswith(('src/core/', 'src/draw/', 'include/')):
            text = tree.without_comments(tree.read(name))
            for number, line in enumerate(text.splitlines(), 1):
                for call in FORBIDDEN_CALLS.finditer(line):
                    faults.append('%s:%d: %s' % (name, number, call.group(1)))
    tree.require_none(faults, 'calls that core and pictures must not make')


def writable_state():
    faults, seen = [], 0
    for library in ('src/core/libattn.a', 'src/draw/libattn-draw.a'):
        path = os.path.join(BUILD, library)
        assert os.path.exists(path), '%s is not built' % path
        listed = subprocess.run(['nm', path], capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines():
            parts = line.split()
            if len(parts) != 3:
                continue
            seen += 1
            # relro tables of pointers stand in .data.rel.ro and show as 'd' too: told apart below
            if parts[1] in 'bBdDsSC' and not any(re.fullmatch(p, parts[2]) for p in ALLOWED_DATA):
                faults.append((library, parts[2]))
    constant = read_only_symbols()
    faults = ['%s: %s' % fault for fault in faults if fault[1] not in constant]
    assert seen > 0, 'nm printed no symbols'
    tree.require_none(faults, 'writable data in core and pictures')


def read_only_symbols():
    """Names that lie in .data.rel.ro: constant tables of pointers, read-only once loaded."""
    names = set()
    for library in ('src/core/libattn.a', 'src/draw/libattn-draw.a'):
        listed = subprocess.run(['objdump', '-t', os.path.join(BUILD, library)],
                                capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines():
            if '.data.rel.ro' in line:
                names.add(line.split()[-1])
    return names


def no_new_folders():
    allowed = {'src', 'include', 'ui', 'resources', 'tests', 'meson.build', 'meson_options.txt',
               'README.md', 'LICENSE'}
    top = {name.split('/')[0] for name in tree.files()}
    extra = sorted(name for name in top - allowed if not name.startswith('.'))
    assert not extra, 'at the top level beside the agreed names: %s' % ', '.join(extra)
    code = [name for name in tree.files('.c', '.h') if name.startswith('resources/')]
    assert not code, 'code in resources: %s' % ', '.join(code)


sys.exit(tap.run([
    ('own headers stay within the layers', own_headers),
    ('foreign headers stay within the layers', foreign_headers),
    ('one file calls BLAS', one_door_to_blas),
    ('core and pictures neither print, end the program, map files nor read the environment', forbidden_calls),
    ('core and pictures keep no writable state', writable_state),
    ('top level and resources', no_new_folders),
]))
