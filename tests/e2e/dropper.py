# SPDX-License-Identifier: MIT
"""A small window to drag things from: a text, and each file named as an argument, in turn."""
import sys

import gi

gi.require_version('Gtk', '4.0')
from gi.repository import Gdk, Gio, GLib, GObject, Gtk  # noqa: E402

THINGS = ['A dropped text.'] + sys.argv[1:]
drags = 0


def prepare(*_):
    global drags
    thing = THINGS[drags % len(THINGS)]
    drags += 1
    if thing is THINGS[0]:
        value = GObject.Value(str, thing)
    else:
        value = GObject.Value(Gdk.FileList, Gdk.FileList.new_from_list([Gio.File.new_for_path(thing)]))
    return Gdk.ContentProvider.new_for_value(value)


Gtk.init()
window = Gtk.Window(decorated=False, default_width=60, default_height=60)
source = Gtk.DragSource(actions=Gdk.DragAction.COPY)
source.connect('prepare', prepare)
label = Gtk.Label(label='Drag')
label.add_controller(source)
window.set_child(label)
window.present()
GLib.MainLoop().run()
