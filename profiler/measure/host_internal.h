/* host: the facts of a machine that do not change while it runs. */
#pragma once

#include "profiler/measure/provider_internal.h"

void host_info(const struct measure_spec *spec, struct measure_result *result);
