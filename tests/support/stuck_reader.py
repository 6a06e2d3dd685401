"""Stands in for the reader of PDF: it never ends, breaks off, or tells nonsense, as its input says."""

import os
import sys
import time

asked = sys.stdin.buffer.read()
if asked == b"stay":
    while True:
        time.sleep(60)
if asked == b"break":
    os.abort()
sys.stdout.write("{")
