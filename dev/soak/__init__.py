"""Many talkers for many minutes: what becomes of memory, tasks, sockets and the loop."""
