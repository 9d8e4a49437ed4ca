"""A proxy that holds every answer of the service against its /openapi.json.

    python3 tests/api/described.py UPSTREAM FAULTS

Prints the address that it listens on, passes requests on to UPSTREAM
(http://127.0.0.1:PORT) and appends a line to the file FAULTS for each answer
that the document does not describe: a status, a media type, a member of a JSON
document that it does not know, a query parameter that was accepted and is not
told, a problem that is no RFC 9457 document. Answers pass through unchanged.
Ends when its parent does.
"""

import ctypes
import http.client
import http.server
import json
import re
import signal
import socket
import sys
import threading
import urllib.parse

import jsonschema

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "upgrade"}
STREAMED = {"/v1/admin/profile", "/v1/events"}


def close_objects(schema):
    """Members that are not told are not described."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            close_objects(value)
    elif isinstance(schema, list):
        for value in schema:
            close_objects(value)


class Document:
    def __init__(self, document):
        self.document = document
        close_objects(document["components"]["schemas"])
        self.paths = []
        for path, operations in document["paths"].items():
            pattern = re.escape(path)
            pattern = pattern.replace(r"\{id\}", r"[1-9][0-9]*")
            pattern = pattern.replace(r"\{name\}", r"[^/]+")
            self.paths.append((re.compile(pattern + r"\Z"), operations))

    def find(self, path):
        for pattern, operations in self.paths:
            if pattern.match(path):
                return operations
        return None

    def faults_of_json(self, schema, body):
        try:
            value = json.loads(body)
        except ValueError as why:
            return ["no JSON: %s" % why]
        schema = dict(schema, components=self.document["components"])
        validator = jsonschema.Draft202012Validator(schema)
        return ["%s: %s" % ("/".join(map(str, e.absolute_path)), e.message)
                for e in validator.iter_errors(value)]

    def faults_of_problem(self, status, media, body):
        if media != "application/problem+json":
            return ["a problem as %s" % media]
        schema = {"$ref": "#/components/schemas/Problem"}
        faults = self.faults_of_json(schema, body)
        if not faults and json.loads(body)["status"] != status:
            faults = ["its status is another one"]
        return faults

    def faults(self, method, target, status, headers, body):
        parts = urllib.parse.urlsplit(target)
        media = (headers.get("Content-Type") or "").split(";")[0].strip()
        operations = self.find(parts.path)
        wanted = "get" if method == "HEAD" else method.lower()
        operation = (operations or {}).get(wanted)
        if operation is None:
            if method == "OPTIONS" and operations is not None and status == 204:
                return [] if headers.get("Allow") else ["no Allow"]
            if status < 400:
                return ["the document has no such operation"]
            return [] if method == "HEAD" else \
                self.faults_of_problem(status, media, body)
        answer = operation["responses"].get(str(status))
        if status >= 400:
            if answer is None and "default" not in operation["responses"]:
                return ["the status is not told"]
            return [] if method == "HEAD" else \
                self.faults_of_problem(status, media, body)
        if answer is None:
            return ["the status is not told"]
        return self.faults_of_success(operation, answer, parts, method, media,
                                      status, body)

    def faults_of_success(self, operation, answer, parts, method, media,
                          status, body):
        told = {p["name"] for p in operation["parameters"] if p["in"] == "query"}
        faults = ["?%s= is not told" % name for name in
                  urllib.parse.parse_qs(parts.query, keep_blank_values=True)
                  if name not in told and parts.path.startswith("/v1/")]
        if status == 304:
            return faults + (["a body"] if body else [])
        content = answer.get("content", {}).get(media)
        if content is None:
            return faults + ["%s is not told" % media]
        if media == "application/json" and method != "HEAD":
            faults += self.faults_of_json(content["schema"], body)
        return faults


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    upstream = None
    document = None
    faults_path = None
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    def read_body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            body = b""
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                body += self.rfile.read(size)
                self.rfile.readline()
                if size == 0:
                    return body
        size = self.headers.get("Content-Length")
        return self.rfile.read(int(size)) if size else None

    def note(self, status, faults):
        with self.lock, open(self.faults_path, "a") as to:
            for fault in faults:
                print(self.command, self.path, status, fault, file=to)

    def pass_on(self):
        body = self.read_body()
        headers = [(k, v) for k, v in self.headers.items()
                   if k.lower() not in HOP_BY_HOP | {"content-length", "expect"}]
        link = http.client.HTTPConnection(self.upstream, timeout=590)
        try:
            link.putrequest(self.command, self.path, skip_host=True,
                            skip_accept_encoding=True)
            for name, value in headers:
                link.putheader(name, value)
            if body is not None:
                link.putheader("Content-Length", str(len(body)))
            try:
                link.endheaders(body)
            except (BrokenPipeError, ConnectionResetError):
                pass  # refused before it was read: the answer is there
            answer = link.getresponse()
            streamed = self.path.split("?")[0] in STREAMED
            if streamed and answer.status == 200:
                self.stream(answer)
            else:
                self.answer(answer)
        finally:
            link.close()

    def start(self, answer):
        self.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in HOP_BY_HOP | {"content-length"}:
                self.send_header(name, value)

    def answer(self, answer):
        body = answer.read()
        self.note(answer.status, self.document.faults(
            self.command, self.path, answer.status, answer.headers, body))
        self.start(answer)
        length = answer.getheader("Content-Length")
        if self.command == "HEAD" and length:
            self.send_header("Content-Length", length)
        elif answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, answer):
        self.start(answer)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        while True:
            piece = answer.read1(65536)
            if not piece:
                return
            self.wfile.write(piece)
            self.wfile.flush()

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.take
        raise AttributeError(name)

    def take(self):
        try:
            self.pass_on()
        except (OSError, http.client.HTTPException, ValueError):
            # The service was killed, or refused to go on: so is the client.
            self.close_connection = True
            try:
                self.connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    upstream = urllib.parse.urlsplit(sys.argv[1]).netloc
    link = http.client.HTTPConnection(upstream, timeout=60)
    link.request("GET", "/openapi.json")
    Proxy.upstream = upstream
    Proxy.document = Document(json.loads(link.getresponse().read()))
    Proxy.faults_path = sys.argv[2]
    server = Server(("127.0.0.1", 0), Proxy)
    print("http://127.0.0.1:%d" % server.server_address[1], flush=True)
    server.serve_forever()


main()
