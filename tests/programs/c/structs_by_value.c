/* Structs of many sizes as arguments and results, also through pointers. */
#include <stdio.h>

struct tiny { char c; };
struct floats { float x, y, z; };
struct doubles { double a, b; };
struct large { long v[9]; };
struct mixed { char c; double d; short s; };

static struct tiny next(struct tiny t) { return (struct tiny){(char)(t.c + 1)}; }
static struct floats scale(struct floats f, float by)
{
    return (struct floats){f.x * by, f.y * by, f.z * by};
}
static struct doubles swap(struct doubles d) { return (struct doubles){d.b, d.a}; }
static struct large add(struct large l, long n)
{
    for (int i = 0; i < 9; i++)
        l.v[i] += n * i;
    return l;
}
static struct mixed mix(struct mixed m, struct tiny t)
{
    m.c = t.c;
    m.d *= 2;
    m.s = -m.s;
    return m;
}

int main(void)
{
    struct large (*volatile call)(struct large, long) = add;
    struct large l = {{1, 2, 3}};
    struct floats f = scale((struct floats){1, 2, 3}, 1.5f);
    struct doubles d = swap((struct doubles){1, 2});
    struct large r = call(l, 10);
    struct mixed m = mix((struct mixed){'a', 2.5, 77}, next((struct tiny){'x'}));

    printf("%g %g %g %g %g\n", f.x, f.y, f.z, d.a, d.b);
    printf("%ld %ld %ld\n", r.v[0], r.v[2], r.v[8]);
    printf("%ld %c %g %d\n", l.v[1], m.c, m.d, m.s);
    return 0;
}
