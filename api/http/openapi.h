/* openapi: the OpenAPI 3.1 document, made from routes.def and openapi.def. */
#pragma once

#include <jansson.h>

/* New reference. The tables are ours, so this cannot fail. */
json_t *openapi_document(void);
