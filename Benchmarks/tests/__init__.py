"""Tests of the harness's pure parts: `python3 Benchmarks/tests/run.py`."""
