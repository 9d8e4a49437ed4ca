// chrono: durations, arithmetic, calendar; clocks run with the program.
#include <chrono>
#include <iostream>
using namespace std::chrono;

int main()
{
    auto begin = steady_clock::now();
    volatile long x = 0;
    for (int i = 0; i < 100000; i++)
        x += i;
    auto spent = steady_clock::now() - begin;
    std::cout << (spent > 0ns) << (system_clock::now().time_since_epoch() > 9000h)
              << (high_resolution_clock::now() >= high_resolution_clock::time_point{})
              << '\n';
    auto d = 2h + 35min + 7s + 250ms;
    hh_mm_ss t{d};
    std::cout << d.count() << ' ' << duration_cast<minutes>(d).count() << ' '
              << t.hours().count() << ':' << t.minutes().count() << '\n';
    sys_days day = 2024y / February / 29;
    year_month_day later{day + days{366}};
    std::cout << (int)later.year() << '-' << (unsigned)later.month() << '-'
              << (unsigned)later.day() << ' ' << weekday{day}.c_encoding() << '\n';
}
