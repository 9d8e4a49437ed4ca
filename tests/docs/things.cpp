// things: does one thing N times; N and the thing are read. What the thing costs
// is the difference between two counts, so that start-up does not matter.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

static volatile unsigned long long sink;
static volatile int seed = 12345;

struct Shape {
    virtual ~Shape() = default;
    virtual int area(int x) const = 0;
};
struct Square : Shape {
    int area(int x) const override
    {
        return x * x + seed;
    }
};

static void thrower(int i)
{
    if (seed)
        throw std::runtime_error(i % 2 ? "odd" : "even");
}

static unsigned next(unsigned &state)
{
    return state = state * 1664525u + 1013904223u;
}

static const std::map<std::string, std::function<void(int)>> things = {
    {"map insert",
     [](int n) {
         std::map<int, int> map;
         unsigned state = 1;
         for (int i = 0; i < n; i++)
             map[(int)(next(state) % 4096)] = i;
         sink = map.size();
     }},
    {"map find",
     [](int n) {
         std::map<int, int> map;
         for (int i = 0; i < 1024; i++)
             map[i * 7] = i;
         unsigned state = 1;
         for (int i = 0; i < n; i++)
             sink = sink + map.count((int)(next(state) % 7168));
     }},
    {"unordered_map find",
     [](int n) {
         std::unordered_map<int, int> map;
         for (int i = 0; i < 1024; i++)
             map[i * 7] = i;
         unsigned state = 1;
         for (int i = 0; i < n; i++)
             sink = sink + map.count((int)(next(state) % 7168));
     }},
    {"sort of 1,000 ints",
     [](int n) {
         std::vector<int> v(1000);
         unsigned state = 1;
         for (int i = 0; i < n; i++) {
             for (int &x : v)
                 x = (int)(next(state) >> 8);
             std::sort(v.begin(), v.end());
             sink = v[0];
         }
     }},
    {"vector push_back",
     [](int n) {
         std::vector<int> v;
         for (int i = 0; i < n; i++)
             v.push_back(i ^ seed);
         sink = v.size();
     }},
    {"throw and catch",
     [](int n) {
         for (int i = 0; i < n; i++)
             try {
                 thrower(i);
             } catch (const std::exception &e) {
                 sink = e.what()[0];
             }
     }},
    {"malloc and free of 64 bytes",
     [](int n) {
         for (int i = 0; i < n; i++) {
             void *volatile p = malloc(64);
             free(p);
         }
     }},
    {"printf of a number",
     [](int n) {
         for (int i = 0; i < n; i++)
             printf("%d\n", i % 10000);
     }},
    {"cout of a number",
     [](int n) {
         for (int i = 0; i < n; i++)
             std::cout << i % 10000 << '\n';
     }},
    {"virtual call",
     [](int n) {
         Square square;
         const Shape *volatile shape = &square;
         for (int i = 0; i < n; i++)
             sink = shape->area(i);
     }},
    {"division",
     [](int n) {
         int x = seed;
         for (int i = 0; i < n; i++)
             x = x / (i + 1) + seed;
         sink = x;
     }},
    {"sin",
     [](int n) {
         double x = seed;
         for (int i = 0; i < n; i++)
             x = std::sin(x) + seed;
         sink = (unsigned long long)std::fabs(x);
     }},
    {"memcpy of 1,000 bytes",
     [](int n) {
         static char from[1000], to[1000];
         for (int i = 0; i < n; i++) {
             memcpy(to, from, (size_t)(1000 - seed + 12345));
             sink = to[i % 1000];
         }
     }},
    {"rand",
     [](int n) {
         for (int i = 0; i < n; i++)
             sink = rand();
     }},
    {"mt19937",
     [](int n) {
         std::mt19937 random(7);
         for (int i = 0; i < n; i++)
             sink = random();
     }},
};

int main()
{
    int n;
    std::string thing;

    std::cin >> n;
    std::getline(std::cin >> std::ws, thing);
    things.at(thing)(n);
}
