"""A GTK 3 window that shows at once and comes to the accessibility bus late: the main loop rests before it serves."""

import argparse
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk

parser = argparse.ArgumentParser()
parser.add_argument("--title", default="Late")
parser.add_argument("--rest", type=float, default=3.0, help="seconds in which nothing is answered")
options = parser.parse_args()

window = Gtk.Window(title=options.title)
window.add(Gtk.Button(label="Awake"))
window.connect("destroy", Gtk.main_quit)
window.show_all()
while Gtk.events_pending():
    Gtk.main_iteration()
GLib.idle_add(lambda: time.sleep(options.rest))
Gtk.main()
