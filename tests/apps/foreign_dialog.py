"""A modal dialog that belongs to a window of another process, as portals and helper programs open them."""

import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, GdkX11, Gtk

title, parent = sys.argv[1], int(sys.argv[2])
dialog = Gtk.Dialog(title=title, modal=True)
dialog.add_button("Sure", Gtk.ResponseType.OK)
dialog.realize()
dialog.get_window().set_transient_for(GdkX11.X11Window.foreign_new_for_display(Gdk.Display.get_default(), parent))
dialog.show_all()
dialog.connect("response", Gtk.main_quit)
dialog.connect("destroy", Gtk.main_quit)
Gtk.main()
