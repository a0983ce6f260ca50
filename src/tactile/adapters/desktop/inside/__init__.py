"""What runs inside a desktop: standard library only, no import of the rest of Tactile.

These files are copied into the desktop's folder and started there by a plain interpreter, so nothing outside the folder
and the system's own Python has to be visible in the sandbox.
"""
