/* A JSON body, read by every kind of field; what is wrong is told as JSON. */
#include "tests/fuzz/fuzz.h"

#include "api/http/fields.h"
#include "api/http/route.h"

static void read_fields(struct request *request)
{
    struct fields fields;
    const struct uri_range range = {.low = 1, .high = 300};
    int64_t id[8];
    int64_t count = 0;
    unsigned scopes = 0;
    bool flag = false;

    fields_init(&fields, request);
    fields_text(&fields, "name", true);
    fields_text(&fields, "role", false);
    fields_bool(&fields, "rated", &flag);
    fields_object(&fields, "limits");
    size_t ids = fields_ids(&fields, "bots", id, 8);
    for (size_t i = 0; i < ids; i++)
        assert(id[i] > 0);
    fields_count(&fields, "rounds", range, &count);
    assert(count >= 0 && count <= 300);
    fields_scopes(&fields, "scopes", &scopes);
    auto_free char *seed = fields_seed(&fields, "seed");
    fields_list(&fields, "seeds");
    if (!fields_end(&fields))
        assert(request->reply.status == 422);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct service service = {0};
    struct request request = {.service = &service};
    uint8_t hash[HASH_BYTES];
    size_t i = 0;

    while (i < route_count && routes[i].body != ROUTE_JSON)
        i++;
    assert(i < route_count);
    request.route = &routes[i];
    request.target = mem_dup_str("/");
    request.content_type = mem_dup_str("application/json");
    buf_add(&request.body, data, size);
    request_hash(&request, hash);
    if (request_parse_body(&request))
        read_fields(&request);
    if (request.reply.status) {
        json_t *problem = json_loadb(request.reply.body.data,
                                     request.reply.body.size, 0, NULL);
        assert(problem);
        json_decref(problem);
    }
    request_release(&request);
    return 0;
}
