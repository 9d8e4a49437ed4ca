"""A service under a mixed load, for soaks: uploads, matches, batches, event
streams and webhooks, over loopback.

Every POST carries an Idempotency-Key and is repeated until it is answered, so
what it made is made once, whenever the service dies in between. What was
acknowledged is in Load.acknowledged.
"""
import collections
import http.client
import http.server
import json
import os
import random
import re
import signal
import socket
import subprocess
import threading
import time
import uuid

# Thinks for about a millisecond a turn, so that what strikes falls into a match.
PAUSE = """int x = 0, y = 0, facing = 0;
        for (volatile unsigned i = 0; i < %d; i++)
            ;"""


class Refused(Exception):
    pass


def process_tree(pid):
    """{pid: parent} of all processes below pid."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name) as stat:
                    fields = stat.read().rpartition(")")[2].split()
                if fields[0] != "Z":
                    parents[int(name)] = int(fields[1])
            except OSError:
                pass
    below, found = {}, {pid}
    while found:
        found = {p for p, parent in parents.items() if parent in found}
        below.update((p, parents[p]) for p in found)
    return below


class Service:
    """One `bout serve` on a port of its own, which may die and come back."""

    def __init__(self, bout, data, options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.bout, self.data, self.options = bout, data, options
        self.process = None
        self.said = open(data + ".log", "ab")

    def start(self, *more):
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", self.bout, "serve", "--data", self.data, "--listen",
             "127.0.0.1:%d" % self.port, *self.options, *more],
            stdout=self.said, stderr=self.said, stdin=subprocess.DEVNULL)
        for _ in range(1200):  # it builds every game's referee first
            try:
                if self.get("/readyz")[0] == 200:
                    return
            except OSError:
                pass
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError("the service does not start: see %s.log" % self.data)

    def stop(self, number=signal.SIGTERM):
        """Its exit code."""
        self.process.send_signal(number)
        return self.process.wait(120)

    def admin(self):
        with open(os.path.join(self.data, "admin.token")) as file:
            return file.read().strip()

    def request(self, method, path, token=None, body=None, headers=None):
        """(status, body), by a connection of its own."""
        headers = dict(headers or {})
        if token:
            headers["Authorization"] = "Bearer " + token
        try:
            link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
            try:
                link.request(method, path, body, headers)
                answer = link.getresponse()
                return answer.status, answer.read()
            finally:
                link.close()
        except http.client.HTTPException as error:  # died in mid-answer
            raise ConnectionError(str(error)) from error

    def get(self, path, token=None):
        return self.request("GET", path, token)

    def document(self, path, token=None):
        """What GET answers, however often the service dies meanwhile."""
        for _ in range(600):
            try:
                status, body = self.get(path, token)
                if status == 200:
                    return json.loads(body)
                if status < 500:
                    raise Refused("GET %s: %d %s" % (path, status, body[:200]))
            except OSError:
                pass
            time.sleep(0.1)
        raise RuntimeError("GET %s is not answered" % path)

    def post(self, path, token, body, kind="application/json"):
        """POST until it is answered, with one key."""
        if kind == "application/json":
            body = json.dumps(body)
        headers = {"Content-Type": kind, "Idempotency-Key": str(uuid.uuid4())}
        for _ in range(600):
            try:
                status, answer = self.request("POST", path, token, body, headers)
                if status < 300:
                    return json.loads(answer)
                if status not in (429, 503):
                    raise Refused("POST %s: %d %s" %
                                  (path, status, answer[:200]))
            except OSError:
                pass
            time.sleep(0.1)
        raise RuntimeError("POST %s is not answered" % path)

    def upload(self, token, name, game, filename, source):
        edge = uuid.uuid4().hex
        parts = [("name", None, name), ("game", None, game),
                 ("source", filename, source)]
        body = "".join(
            '--%s\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n' %
            (edge, key, '; filename="%s"' % file if file else "", text)
            for key, file, text in parts) + "--%s--\r\n" % edge
        return self.post("/v1/bots", token, body.encode(),
                         "multipart/form-data; boundary=" + edge)

    def await_settled(self, path, seconds=300):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            document = self.document(path)
            if document["status"] not in ("queued", "compiling", "checking",
                                          "running"):
                return document
            time.sleep(0.1)
        raise RuntimeError("%s is not settled" % path)


class Hook(threading.Thread):
    """A webhook's receiver: `heard` is a list of (delivery, document)."""

    def __init__(self):
        super().__init__(daemon=True)
        heard = self.heard = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                heard.append((self.headers["Bout-Delivery"], json.loads(body)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d/" % self.server.server_address[1]

    def run(self):
        self.server.serve_forever()


class Load:
    """Threads that use a service until stop()."""

    def __init__(self, service, games_folder, think=500000):
        self.service = service
        self.acknowledged = collections.defaultdict(list)  # kind: ids
        self.events = []   # (id, data) as a stream told them
        self.last = None   # id
        self.faults = []   # what no kill explains
        self.until_stopped = threading.Event()
        self.threads = []
        self.source = open(games_folder + "/tron/sample_wall.c").read().replace(
            "int x = 0, y = 0, facing = 0;", PAUSE % think)
        self.hook = Hook()
        self.number = 0
        self.profiles = 0
        self.upload_seconds = []

    def enter(self):
        """The first user and two bots, before anything is killed."""
        admin = self.service.admin()
        user = self.service.post("/v1/users", admin, {"name": "load"})
        self.token = user["token"]
        self.user = user["id"]
        self.service.post("/v1/users/%d/quotas" % self.user, admin, {
            "uploads_per_hour": 100000, "replays_per_hour": 100000})
        self.hook.start()
        self.service.post("/v1/webhooks", self.token, {"url": self.hook.url})
        self.bots = [self.upload("first"), self.upload("second")]
        for bot in self.bots:
            status = self.service.await_settled("/v1/bots/%d" % bot)["status"]
            if status != "ready":
                raise RuntimeError("bot %d is %s" % (bot, status))

    def upload(self, name):
        """No two are one build: a constant differs."""
        self.number += 1
        source = "%s\nconst int number_of_upload = %d;\n" % (
            self.source, self.number)
        bot = self.service.upload(self.token, name, "tron", "bot.c", source)
        self.acknowledged["bot"].append(bot["id"])
        return bot["id"]

    def run(self, *what):
        for job in what:
            thread = threading.Thread(target=self.guarded, args=(job,))
            thread.start()
            self.threads.append(thread)

    def guarded(self, job):
        try:
            job()
        except Exception as error:  # told at the end, as a fault
            self.faults.append("%s: %r" % (job.__name__, error))

    def stop(self):
        self.until_stopped.set()
        for thread in self.threads:
            thread.join(200)
            if thread.is_alive():
                self.faults.append("a client hangs")

    def pause(self, seconds):
        return self.until_stopped.wait(seconds)

    def waiting(self):
        """How many unrated matches wait."""
        found = self.service.document(
            "/v1/matches?status=queued&rated=false&limit=200")
        return len(found["items"])

    # ---- what clients do -----------------------------------------------------

    def order_matches(self):
        """Each seed twice, so that equal matches can be compared."""
        seed = 0
        while not self.pause(0.3):
            if self.waiting() > 1:
                continue
            seed += 1
            for _ in range(2):
                match = self.service.post(
                    "/v1/matches", self.token,
                    {"game": "tron", "bots": self.bots, "seed": seed})
                self.acknowledged["match"].append(match["id"])

    def order_batches(self):
        seed = 1000000
        while not self.pause(2):
            if self.waiting() > 1:
                continue
            seed += 2
            batch = self.service.post(
                "/v1/batches", self.token,
                {"game": "tron", "bots": self.bots,
                 "seeds": [seed, seed + 1], "swap": True})
            self.acknowledged["batch"].append(batch["id"])
            self.acknowledged["match"].extend(batch["matches"])

    def send_uploads(self):
        """One after the other; the seconds that each took to be ready."""
        while not self.pause(0.5):
            start = time.monotonic()
            bot = self.upload("other%d" % (self.number % 8))
            self.service.await_settled("/v1/bots/%d" % bot)
            self.upload_seconds.append(time.monotonic() - start)

    def order_profiles(self):
        rng = random.Random(7)
        while not self.pause(0.2):
            matches = self.service.document(
                "/v1/matches?status=finished&rated=false&limit=200")["items"]
            if not matches:
                continue
            match = rng.choice(matches)["id"]
            try:
                self.service.get("/v1/matches/%d/profile?slot=%d&turn=1-5&"
                                 "format=text&wait=10" %
                                 (match, rng.randrange(2)), self.token)
                self.profiles += 1
            except OSError:
                pass

    def read_pages(self):
        paths = ["/v1/leaderboard?game=tron", "/v1/matches?limit=200",
                 "/v1/bots", "/", "/metrics", "/v1/games/tron",
                 "/v1/users/me", "/nothing"]
        while not self.pause(0.05):
            for path in paths:
                try:
                    status, _ = self.service.get(path, self.token)
                    if status >= 500 and status != 503:
                        self.faults.append("GET %s: %d" % (path, status))
                except OSError:
                    pass

    def listen(self):
        """A stream that comes back with its last id, as a browser's does."""
        while not self.until_stopped.is_set():
            try:
                self.listen_once()
            except (OSError, http.client.HTTPException):
                self.pause(0.1)

    def listen_once(self):
        link = http.client.HTTPConnection("127.0.0.1", self.service.port,
                                          timeout=5)
        try:
            link.request("GET", "/v1/events?seconds=3", headers=(
                {"Last-Event-ID": self.last} if self.last else {}))
            for line in link.getresponse():
                found = re.match(rb"(id|data): (.*)\n", line)
                if found and found[1] == b"id":
                    self.last = found[2].decode()
                elif found and self.last and found[2] != b"{}":
                    self.events.append((self.last, json.loads(found[2])))
        finally:
            link.close()
