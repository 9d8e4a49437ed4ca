"""Opens COUNT event streams of a service and says what each takes of the server:
memory, and processor time while nothing happens.  http_streams.py SITE COUNT PID
"""
import os
import socket
import sys
import time

site, count, pid = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
host, port = site.removeprefix("http://").split(":")


def rss_kb():
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def cpu_s():
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


before = rss_kb()
streams = []
for _ in range(count):
    stream = socket.create_connection((host, int(port)), timeout=30)
    stream.sendall(b"GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
    streams.append(stream)
opened = 0
for stream in streams:
    try:
        opened += stream.recv(4096).startswith(b"HTTP/1.1 200")
    except TimeoutError:
        pass
print("open", opened, "of_" + str(count))
print("memory_a_stream", round((rss_kb() - before) / max(opened, 1), 1), "kB")
start, used = time.monotonic(), cpu_s()
time.sleep(20)
print("processor_while_nothing_happens",
      round((cpu_s() - used) / (time.monotonic() - start) * 100, 2), "%_of_a_core")
