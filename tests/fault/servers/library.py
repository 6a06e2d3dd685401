"""The library's server, as the command line starts it: `library.py FOLDER OPTIONS…`."""

import sys

from readingroom.apps.main import main

main(["serve", *sys.argv[1:]])
