#pragma once
#include <iostream>

struct logged {
    const char *name;
    explicit logged(const char *n) : name(n) { std::cout << "+" << name << '\n'; }
    ~logged() { std::cout << "-" << name << '\n'; }
};
extern int computed;
int helper();
