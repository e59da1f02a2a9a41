"""Fetches one URL into one file with hf_transfer, which is a library: `hf_fetch.py URL FILE CONNECTIONS CHUNK`."""

import sys
from importlib.metadata import version

import hf_transfer

if sys.argv[1:] == ["--version"]:
    print(f"hf_transfer {version('hf_transfer')}, Python {sys.version.split()[0]}")
    sys.exit()
url, path, connections, chunk = sys.argv[1:]
hf_transfer.download(
    url=url, filename=path, max_files=int(connections), chunk_size=int(chunk), parallel_failures=3, max_retries=5
)
