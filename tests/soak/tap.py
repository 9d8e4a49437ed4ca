"""tap: lines of the Test Anything Protocol from the soaks in Python."""
_count = 0


def said(condition, text, why=""):
    """A point; `why` is shown where it failed."""
    global _count
    _count += 1
    print("%sok %d - %s" % ("" if condition else "not ", _count, text),
          flush=True)
    if not condition:
        for line in str(why).splitlines()[:20]:
            print("# " + line[:400])


def done():
    print("1..%d" % _count)
