# generate: prints a random C++ program: classes with virtual calls, exceptions of
# a small hierarchy, templates, containers, switches, recursion, destructors that
# leave a trace. All its arithmetic is on unsigned numbers, all its depths are
# bounded, so that it has one meaning.
#
#     awk -v seed=N -f tests/fuzz/generate.awk
#
# The generator is its own (a seed gives the same program with every awk).

function random(n) {
    state = (state * 16807) % 2147483647
    return int(state / 64) % n
}

function atom() {
    if (random(3) == 0)
        return random(1000) "u"
    return substr("abcx", random(4) + 1, 1)
}

function expression(depth,    kind) {
    if (depth <= 0)
        return atom()
    kind = random(9)
    if (kind < 4)
        return "(" expression(depth - 1) " " substr("+-*^", kind + 1, 1) " " \
            expression(depth - 1) ")"
    if (kind == 4)
        return "(" expression(depth - 1) " % " random(97) + 1 "u)"
    if (kind == 5)
        return "(" expression(depth - 1) " >> " random(31) ")"
    if (kind == 6)
        return "(" expression(depth - 1) " < " expression(depth - 1) " ? " \
            atom() " : " expression(depth - 1) ")"
    if (kind == 7)
        return "mix<" random(3) + 1 ">(" expression(depth - 1) ")"
    return "call(" random(functions) ", " expression(depth - 1) ", " atom() ", d)"
}

function statement(indent, depth,    kind, i, n) {
    kind = random(depth > 0 ? 12 : 4)
    if (kind == 0)
        print indent "x = " expression(2) ";"
    else if (kind == 1)
        print indent "seen[" expression(1) " % 13u] += " expression(1) ";"
    else if (kind == 2)
        print indent "if (list.size() < 50) list.push_back(" expression(1) "); else list.clear();"
    else if (kind == 3)
        print indent "text += static_cast<char>('a' + " expression(1) " % 26u); if (text.size() > 40) text.erase(0, 20);"
    else if (kind < 6) {
        print indent "if (" expression(2) " % " random(5) + 2 "u == 0) {"
        statement(indent "    ", depth - 1)
        print indent "} else {"
        statement(indent "    ", depth - 1)
        print indent "}"
    } else if (kind == 6) {
        print indent "for (unsigned i" depth " = 0; i" depth " < " random(6) + 1 "u; i" depth "++) {"
        statement(indent "    ", depth - 1)
        print indent "    x += i" depth ";"
        print indent "}"
    } else if (kind == 7) {
        n = random(5) + 2
        print indent "switch (" expression(1) " % " n "u) {"
        for (i = 0; i < n; i++) {
            print indent "case " i ": {"
            statement(indent "    ", depth - 1)
            print indent "    } " (random(3) ? "break;" : "// falls through")
        }
        print indent "}"
    } else if (kind == 8) {
        print indent "try {"
        print indent "    trace guard(x);"
        statement(indent "    ", depth - 1)
        statement(indent "    ", depth - 1)
        print indent "} catch (const error<" random(3) "> &e) {"
        print indent "    x ^= e.code + " random(100) "u;"
        if (random(4) == 0) print indent "    if (x % 3u == 1) throw;"
        print indent "} catch (const base_error &e) {"
        print indent "    x += e.what();"
        if (random(3) == 0) {
            print indent "} catch (...) {"
            print indent "    x += 5;"
        }
        print indent "}"
    } else if (kind == 9)
        print indent "if (" expression(1) " % " random(7) + 3 "u == 1) throw error<" random(3) ">(" atom() ");"
    else if (kind == 10)
        print indent "x += shapes[" expression(1) " % shapes.size()]->area(" expression(1) ", d);"
    else {
        print indent "{"
        print indent "auto f = [&](unsigned a) { return " expression(2) "; };"
        print indent "x += f(x) + f(" atom() ");"
        print indent "}"
    }
}

function body(   n) {
    print "    if (++d > 6 || ++steps > 3000) return a + b;"
    print "    unsigned x = a * 3u + b, c = steps;"
    for (n = random(4) + 2; n > 0; n--)
        statement("    ", 3)
    print "    return x;"
    print "}"
}

BEGIN {
    state = (seed * 7919 + 12345) % 2147483646 + 1
    for (i = 0; i < 5; i++) random(2)
    functions = random(4) + 3
    classes = random(4) + 2
    print "#include <cstdio>\n#include <map>\n#include <memory>\n#include <string>\n#include <vector>\n"
    print "static unsigned steps, ended;"
    print "static std::map<unsigned, unsigned> seen;"
    print "static std::vector<unsigned> list;"
    print "static std::string text;"
    print "struct base_error { unsigned code; base_error(unsigned c) : code(c) {} virtual ~base_error() { ended++; } virtual unsigned what() const { return code; } };"
    print "template <int N> struct error : base_error { std::string why; error(unsigned c) : base_error(c), why(\"because\") { why += std::to_string(N); } unsigned what() const override { return code * N + why.size(); } };"
    print "struct trace { unsigned v; trace(unsigned v) : v(v) {} ~trace() { ended = ended * 31u + v; } };"
    print "template <int N> unsigned mix(unsigned v) { return mix<N - 1>(v * 2654435761u) ^ (v >> (N * 3)); }"
    print "template <> unsigned mix<0>(unsigned v) { return v; }"
    print "static unsigned call(unsigned which, unsigned a, unsigned b, unsigned d);"
    print "struct shape { virtual ~shape() { ended += 7; } virtual unsigned area(unsigned a, unsigned d) { return a + d; } };"
    print "static std::vector<std::unique_ptr<shape>> shapes;"
    for (k = 0; k < classes; k++) {
        parent = k && random(2) ? "shape_" random(k) : "shape"
        print "struct shape_" k " : " (random(4) ? "" : "virtual ") parent " {"
        print "unsigned b = " random(100) "u;"
        print "unsigned area(unsigned a, unsigned d) override {"
        body()
        print "};"
    }
    for (k = 0; k < functions; k++) {
        print "static unsigned function_" k "(unsigned a, unsigned b, unsigned d) {"
        body()
    }
    print "static unsigned (*const table[])(unsigned, unsigned, unsigned) = {"
    for (k = 0; k < functions; k++) print "    function_" k ","
    print "};"
    print "static unsigned call(unsigned which, unsigned a, unsigned b, unsigned d) { return table[which](a, b, d); }"
    print "int main() {"
    for (k = 0; k < classes; k++) print "    shapes.push_back(std::make_unique<shape_" k ">());"
    print "    for (unsigned round = 0; round < 12; round++) {"
    print "        steps = 0;"
    print "        unsigned said = 0;"
    print "        try { said = call(round % " functions "u, round * 77u, round, 0); }"
    print "        catch (const base_error &e) { said = e.what(); }"
    print "        std::printf(\"%u %u %u %zu %s\\n\", said, steps, ended, list.size(), text.c_str());"
    print "    }"
    print "    for (auto &[key, value] : seen) std::printf(\"%u:%u \", key, value);"
    print "    shapes.clear();"
    print "    std::printf(\"%u\\n\", ended);"
    print "    return ended & 127;"
    print "}"
}
