# SPDX-License-Identifier: MIT
"""Sentences for people: which files hold them, and the template made from those files."""
import os
import re
import subprocess

import tree

PO = os.path.join(tree.ROOT, 'resources', 'po')
MARKS = {
    '.c': re.compile(r'\b(?:_|N_|C_|NC_|ngettext|g_dngettext|Q_) \('),
    '.ui': re.compile(r'translatable="(?:yes|true|1)"'),
    '.in': re.compile(r'^(?:Name|Comment)=|<summary>', re.MULTILINE),
}


def listed(name):
    """The lines of POTFILES or LINGUAS that are not remarks."""
    with open(os.path.join(PO, name), encoding='utf-8') as file:
        return [line.strip() for line in file if line.strip() and not line.startswith('#')]


def files_with_words():
    """Every file of the programs in which a sentence is marked for translation, sorted."""
    found = []
    for name in tree.files('.c', '.ui', '.desktop.in', '.metainfo.xml.in'):
        if name.startswith(('src/', 'ui/', 'resources/')):
            text = tree.read(name)
            text = tree.without_comments(text) if name.endswith('.c') else text
            if MARKS[os.path.splitext(name)[1]].search(text):
                found.append(name)
    return found


def make_template(path):
    """Write the template of all sentences in POTFILES' files to @path."""
    subprocess.run(
        ['xgettext', '--from-code=UTF-8', '--add-comments', '--package-name=headscope',
         '--keyword=_', '--keyword=N_', '--keyword=C_:1c,2', '--keyword=NC_:1c,2',
         '--keyword=ngettext:1,2', '--keyword=g_dngettext:2,3', '--keyword=g_dpgettext2:2c,3',
         '--files-from=' + os.path.join(PO, 'POTFILES'), '--output=' + path],
        cwd=tree.ROOT, check=True)
