"""Sends valid and mutated requests to every operation of /openapi.json.

    SITE=URL TOKENS="user admin" BOT=1 MATCH=1 python3 tests/api/mutate.py

Prints a TAP line an operation: never a 5xx, every refusal a problem of RFC 9457
with a sentence, no connection lost, the service alive afterwards. Which
requests are sent is drawn from a fixed seed.
"""

import http.client
import json
import os
import random
import urllib.parse

SITE = urllib.parse.urlsplit(os.environ["SITE"]).netloc
USER, ADMIN = os.environ["TOKENS"].split()
# Of what everything else hangs on (the tokens and users of this test), none.
IDS = {"bots": os.environ["BOT"], "matches": os.environ["MATCH"],
       "tokens": "999999", "users": "999999"}
ROUNDS = int(os.environ.get("ROUNDS", "40"))
# 501: a method that HTTP does not know. 503: no profile of the service, which
# was not asked for.
ALLOWED_5XX = {501, 503}

draw = random.Random(8)

NUMBERS = ["0", "1", "-1", "00", "1.5", "1e3", "9007199254740991",
           "9007199254740992", "9223372036854775808", "1" * 400, " 1", "0x1",
           "+1", ""]
TEXTS = ["", "a", "A" * 300, "a b", "../etc", "%00", "%ff", "%2e%2e", "%",
         "'\"<script>", "\u202e", "%0d%0aX: y", "null", "true", "\\", "*" * 1500]
VALUES = [None, True, False, 0, 1, -1, 1.5, 2 ** 53, 2 ** 63, 10 ** 400, "", "x",
          "x" * 5000, "\x00", "\ud800", "1", [], [1], [[]], {}, {"a": 1},
          [1] * 2000, "tron", "connect4"]
HEADERS = [("Idempotency-Key", "k%d"), ("Idempotency-Key", ""),
           ("Idempotency-Key", "x" * 3000), ("If-None-Match", "*"),
           ("If-None-Match", '"'), ("Accept", "image/png"),
           ("Range", "bytes=0-1"), ("Authorization", "Basic x"),
           ("Authorization", "Bearer "), ("X-Forwarded-For", "::1, x"),
           ("Content-Encoding", "gzip"), ("Accept-Encoding", "br;q=x")]


def escape(text):
    """As it stands where it is an escape already."""
    return urllib.parse.quote(text, safe="%")


def path_of(operation_path):
    parts = []
    for part in operation_path.split("/"):
        if part == "{id}":
            usual = IDS.get(parts[-1], "1")
            parts.append(usual if draw.random() < 0.7
                         else escape(draw.choice(NUMBERS + TEXTS)))
        elif part == "{name}":
            parts.append("tron" if draw.random() < 0.7
                         else escape(draw.choice(TEXTS)))
        else:
            parts.append(part)
    return "/".join(parts)


def query_of(parameters):
    told = [p for p in parameters if p["in"] == "query"]
    query = []
    for parameter in told:
        if parameter["name"] == "seconds":
            query.append("seconds=" + draw.choice(["1", "1", "0", "x", "-1"]))
            continue
        if draw.random() < 0.5:
            continue
        if parameter["name"] == "wait":
            query.append("wait=" + draw.choice(["0", "x", "-1", "61"]))
            continue
        valid = {"game": "tron", "slot": "0", "turn": "1", "format": "csv",
                 "limit": "5", "bot": "1"}.get(parameter["name"])
        value = valid if valid and draw.random() < 0.6 \
            else draw.choice(NUMBERS + TEXTS)
        query.append(parameter["name"] + "=" + escape(value))
    if draw.random() < 0.1:
        query.append(draw.choice(["unknown=1", "&", "=", "limit", "a=b=c"]))
    if query and draw.random() < 0.1:
        query.append(query[0])
    return "?" + "&".join(query) if query else ""


def valid_body(operation_path, count):
    if operation_path == "/v1/users":
        return {"name": "user%d" % count}
    if operation_path == "/v1/users/{id}/role":
        return {"role": "user"}
    if operation_path == "/v1/webhooks":
        return {"url": "http://127.0.0.1:9/%d" % count}
    if operation_path == "/v1/tokens":
        return {"label": "t", "scopes": ["read"], "expires_s": 5}
    if operation_path.endswith("/quotas"):
        return {"uploads_per_hour": 5, "stored_bytes": None}
    if operation_path.endswith("/erase"):
        return {"name": "nobody"}
    if operation_path.endswith("/fork"):
        return {"name": "fork%d" % count, "notes": "n"}
    if operation_path.endswith("/notes"):
        return {"notes": "n"}
    if operation_path.endswith("/suspend"):
        return {"reason": "r"}
    if operation_path == "/v1/batches":
        bot = int(IDS["bots"])
        if count % 2:
            return {"matches": [{"game": "tron", "bots": [bot, bot], "seed": 1}]}
        return {"game": "tron", "bots": [bot, bot], "seeds": [1, 2], "swap": True}
    if operation_path == "/v1/invitations":
        return {"label": "i", "uses": 2, "expires_s": 5}
    if operation_path == "/v1/matches":
        bot = int(IDS["bots"])
        return {"game": "tron", "bots": [bot, bot], "seed": 1}
    return {}


def json_body(operation_path, count):
    body = valid_body(operation_path, count)
    kind = draw.randrange(8)
    if kind == 0:
        return draw.choice([b"", b"{", b"[]", b"null", b"\xff", b"{}{}",
                            b'{"a":1,"a":2}', b"[" * 60000, b" " * 70000,
                            b'{"name":"\\ud800"}', b"1e999"])
    if kind <= 5 and body:
        body[draw.choice(list(body))] = draw.choice(VALUES)
    if kind == 6:
        body[draw.choice(["limits", "rated", "profile", "extra", ""])] = \
            draw.choice(VALUES)
    if kind == 7 and body:
        del body[draw.choice(list(body))]
    return json.dumps(body).encode()


def form_body(count):
    def part(name, value, filename=None):
        head = 'Content-Disposition: form-data; name="%s"' % name
        if filename is not None:
            head += '; filename="%s"' % filename
        return ("--b\r\n%s\r\n\r\n%s\r\n" % (head, value)).encode(
            "utf-8", "surrogateescape")
    name = draw.choice(["m%d" % count, "", "a b", "x" * 99, "\x00"])
    game = draw.choice(["tron", "chess", ""])
    path = draw.choice(["a.c", "../a.c", "/a.c", "", "a\x00.c", "x" * 5000,
                        "a.zip", "b.tar.gz", "con.c", "a//b.c"])
    text = draw.choice(["int main(void){}", "", "PK\x03\x04", "\x1f\x8b\x08"])
    parts = [part("name", name), part("game", game), part("source", text, path)]
    draw.shuffle(parts)
    parts = parts[draw.choice([0, 0, 0, 1]):]
    end = draw.choice([b"--b--\r\n", b"--b--\r\n", b"", b"--b"])
    return b"".join(parts) + end


def send(method, target, headers, body):
    link = http.client.HTTPConnection(SITE, timeout=90)
    try:
        link.putrequest(method, target, skip_accept_encoding=True)
        for name, value in headers:
            link.putheader(name, value)
        if body is not None:
            link.putheader("Content-Length", str(len(body)))
        try:
            link.endheaders(body)
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = link.getresponse()
        return answer.status, answer.getheader("Content-Type"), answer.read()
    finally:
        link.close()


def fault_of(method, status, media, body):
    if status >= 500 and status not in ALLOWED_5XX:
        return "a %d: %r" % (status, body[:200])
    if status < 400 or method == "HEAD":
        return None
    if media != "application/problem+json":
        return "a %d as %s" % (status, media)
    problem = json.loads(body)
    if problem["status"] != status or not problem["detail"]:
        return "a problem without sentence: %r" % body[:200]
    return None


def request_of(method, path, operation, count):
    headers = []
    token = draw.choice([None, USER, USER, ADMIN, "bout_wrong"])
    if token:
        headers.append(("Authorization", "Bearer " + token))
    if draw.random() < 0.2:
        name, value = draw.choice(HEADERS)
        headers = [h for h in headers if h[0] != name]
        headers.append((name, value % count if "%d" in value else value))
    body = None
    if method == "POST" and path == "/v1/bots":
        body = form_body(count)
        headers.append(("Content-Type", draw.choice(
            ["multipart/form-data; boundary=b"] * 5 + ["multipart/form-data",
             "text/plain", "multipart/form-data; boundary=" + "b" * 80])))
    elif method == "POST":
        body = json_body(path, count)
        headers.append(("Content-Type", draw.choice(
            ["application/json"] * 6 + ["text/plain", "", "application/json;x"])))
    target = path_of(path) + query_of(operation["parameters"])
    return method, target, headers, body


def try_operation(method, path, operation, count):
    faults = []
    for number in range(ROUNDS):
        verb = method
        if draw.random() < 0.05:
            verb = draw.choice(["PUT", "DELETE", "PATCH", "FOO", "OPTIONS"])
        elif method == "GET" and draw.random() < 0.05:
            verb = "HEAD"
        _, target, headers, body = request_of(method, path, operation,
                                              count * ROUNDS + number)
        try:
            status, media, answer = send(verb, target, headers, body)
            fault = fault_of(verb, status, media, answer)
        except (OSError, http.client.HTTPException, ValueError) as why:
            fault = "no answer: %r" % why
        if fault:
            faults.append("%s %s %r: %s" % (verb, target[:200], body and
                                            body[:200], fault))
    return faults


def main():
    document = json.loads(send("GET", "/openapi.json", [], None)[2])
    count = 0
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            count += 1
            faults = try_operation(method.upper(), path, operation, count)
            print("%sok %d - %s %s takes whatever comes"
                  % ("not " if faults else "", count, method.upper(), path))
            for fault in faults[:5]:
                print("#", fault)
    count += 1
    alive = send("GET", "/healthz", [], None)[0] == 200
    print("%sok %d - the service is alive" % ("" if alive else "not ", count))
    print("1..%d" % count)


main()
