#!/usr/bin/env python3
import sys
if sys.stdin.readline():
    print('{"r": "fine"}')
