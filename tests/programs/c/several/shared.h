#pragma once

extern const char *const shared_name;
int step(int by);
