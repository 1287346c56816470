"""Serve a model on loopback: `serve.py MODEL PORT`. Runs in the model's own Python."""

import signal
import sys

import xllamacpp  # type: ignore[import-not-found]  # in the model's Python only

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.hostnames = ["127.0.0.1"]
parameters.port = int(sys.argv[2])
parameters.n_ctx = 16384
parameters.n_parallel = 1
parameters.use_jinja = True
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
signal.pause()
