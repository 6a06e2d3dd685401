"""Servers that each break one rule: `python misbehaving.py NAME`. `FAULTS` says which rule each breaks.

Each is the good server but for one hook, so that whatever else is found wrong with it is a fault of the finder.
"""
# ruff: noqa: F401  -- each kind is imported for its servers, which enter themselves in `FAULTS`

import sys

import call_faults
import content_faults
import error_faults
import list_faults
import message_faults
import process_faults
import result_faults
import state_faults
import subscription_faults
from faults import FAULTS
from good import main

if __name__ == "__main__":
    main(FAULTS[sys.argv[1]][1]())
