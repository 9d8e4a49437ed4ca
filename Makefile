# bout: see `make help`. Outputs go to $(BUILD); downloads and the metered
# library are cached under ~/.cache/bout.
BUILD ?= build
CC ?= gcc
LLVM ?= /usr/lib/llvm-19
CLANG ?= clang-19

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wformat=2 -Wvla -Wundef \
	-Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wcast-qual \
	-Wswitch-enum -Wconversion $(if $(CI),-Werror)
HARDENING := -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fPIE
CFLAGS ?= -O2 -g
ALL_CFLAGS = -std=gnu17 -D_GNU_SOURCE -I. -I$(BUILD)/generated $(WARNINGS) \
	$(HARDENING) $(CFLAGS) -MMD -MP
ALL_LDFLAGS = -pie -Wl,-z,relro,-z,now $(LDFLAGS)
LIBS := -lmicrohttpd -lcurl -lsqlite3 -lseccomp -larchive -ljansson -lzstd -lsodium \
	-lprotobuf-c -lz -lgit2 -lyaml -lpthread -lm
METER_LIBS := -L$(LLVM)/lib -lLLVM-19 -ljansson -lsodium
# LLVM's headers are not warning-clean: they come in as system headers.
METER_CFLAGS := -isystem $(LLVM)/include

# A line a step; `make V=1` shows the commands.
say := @printf '%6s  %s\n'
Q := $(if $(V),,@)
comma := ,

# ---- what is compiled from what: every .c of a room, nothing listed twice ----
METER_SOURCES := $(wildcard instrument/meter/*.c)
BASE_SOURCES := $(wildcard runner/base/*.c)
MAIN_SOURCES := api/cli/main.c instrument/meter/main.c
LIBRARY_SOURCES := $(filter-out $(MAIN_SOURCES),$(BASE_SOURCES) \
	$(wildcard runner/jail/*.c runner/build/*.c runner/match/*.c \
	runner/work/*.c db/*.c profiler/*.c profiler/report/*.c profiler/measure/*.c api/http/*.c \
	api/ladder/*.c api/cli/*.c))
TEST_SOURCES := $(wildcard tests/unit/test_*.c)

object = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(TEST_SOURCES))

# Both cores, also for a plain `make`.
MAKEFLAGS += --jobs=$(shell nproc)

.PHONY: all tests fuzzers library test run check lint fuzz soak bench web docker deb \
	test-windows install help clean
all: $(BUILD)/bout $(BUILD)/bout-meter $(BUILD)/bout-unpack library ## build everything
.DEFAULT_GOAL := all

$(BUILD)/libbout.a: $(call object,$(LIBRARY_SOURCES)) $(BUILD)/obj/pprof.pb-c.o
	@rm -f $@ && ar rcs $@ $^
$(BUILD)/libmeter.a: $(call object,$(filter-out $(MAIN_SOURCES),$(METER_SOURCES)) $(BASE_SOURCES))
	@rm -f $@ && ar rcs $@ $^

$(BUILD)/bout: $(call object,api/cli/main.c) $(BUILD)/libbout.a
	$(say) link $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/bout-meter: $(call object,instrument/meter/main.c) $(BUILD)/libmeter.a
	$(say) link $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(METER_LIBS)
$(BUILD)/bout-unpack: $(call object,runner/build/unpack/main.c) $(BUILD)/libbout.a
	$(say) link $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ -larchive -ljansson

$(BUILD)/obj/instrument/meter/%.o: ALL_CFLAGS += $(METER_CFLAGS)
$(BUILD)/obj/tests/unit/test_meter_%.o: ALL_CFLAGS += $(METER_CFLAGS)
# It embeds the SQL, which the compiler does not report as a dependency.
$(BUILD)/obj/db/migrations.o: $(wildcard db/migrations/*.sql)
$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(say) cc $<
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# What protoc-c makes of pprof's format; not our code, so without our warnings.
$(BUILD)/generated/pprof.pb-c.c: profiler/report/pprof.proto
	@mkdir -p $(@D)
	$(Q)protoc-c --proto_path=$(<D) --c_out=$(@D) $<
$(BUILD)/obj/pprof.pb-c.o: $(BUILD)/generated/pprof.pb-c.c
	@mkdir -p $(@D)
	$(Q)$(CC) -w $(HARDENING) $(CFLAGS) -c -o $@ $<
$(BUILD)/obj/profiler/report/format_pprof.o: | $(BUILD)/generated/pprof.pb-c.c

# The fingerprint names the meter by its sources, equal on every host.
$(BUILD)/generated/meter_sources.h: $(sort $(wildcard instrument/meter/*.[ch]))
	@mkdir -p $(@D)
	@printf '#define METER_SOURCES_SHA256 "%s"\n' \
		"$$(cat $^ | sha256sum | cut -c1-64)" >$@
$(BUILD)/obj/runner/build/fingerprint.o: $(BUILD)/generated/meter_sources.h

# ---- tests: a program a file; those of the meter link LLVM ------------------
$(BUILD)/tests/test_meter_%: $(BUILD)/obj/tests/unit/test_meter_%.o $(BUILD)/libmeter.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(METER_LIBS) -lcmocka
$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/libbout.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) -lcmocka
# The real meter with another main: see tests/unit/hostile_meter.c.
$(BUILD)/tests/hostile-meter: $(call object,instrument/meter/main.c tests/unit/hostile_meter.c) $(BUILD)/libmeter.a
	@mkdir -p $(@D)
	$(Q)objcopy --redefine-sym main=meter_main $< $@.o
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $@.o $(wordlist 2,3,$^) $(METER_LIBS)
$(BUILD)/tests/test_stages: | $(BUILD)/tests/hostile-meter
# What boxes run.
$(BUILD)/tests/test_unpack: | $(BUILD)/bout-unpack
.SECONDARY:

# bout for code that this machine does not run by itself (tests/targets/foreign.h):
# on an aarch64 machine, by qemu's user mode; for Windows, by wine.
FOREIGN := $(addprefix -Wl$(comma)--wrap=zygote_,start stop level ask pid)
$(BUILD)/tests/bout_aarch64: FOREIGN += -Wl,--wrap=toolchain_host_target
$(BUILD)/tests/bout_aarch64: $(call object,tests/targets/run_qemu.c)
$(BUILD)/tests/bout_windows: $(call object,tests/targets/run_wine.c)
$(BUILD)/tests/bout_aarch64 $(BUILD)/tests/bout_windows: $(BUILD)/tests/bout_%: \
		$(call object,tests/targets/foreign.c api/cli/main.c) $(BUILD)/libbout.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) $(FOREIGN) -o $@ $(filter %.o,$^) $(BUILD)/libbout.a $(LIBS)

# What strangers send, made up by libFuzzer (tests/fuzz/inputs): a tree of its
# own, by clang and with sanitizers throughout.
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzzed/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CC ?= $(CLANG)
FUZZ_CFLAGS := -O1 -gline-tables-only -w -fno-sanitize-recover=undefined
fuzzers: ## the programs that tests/fuzz/inputs runs
	$(MAKE) BUILD=$(BUILD)/fuzzed CC="$(FUZZ_CC)" CI= \
		CFLAGS="$(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link,address,undefined" \
		LDFLAGS=-fsanitize=fuzzer,address,undefined $(FUZZERS)
$(BUILD)/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/libbout.a
	$(say) link $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

tests: $(TESTS) $(BUILD)/tests/bout_aarch64 $(BUILD)/tests/bout_windows

# ---- the metered library ----------------------------------------------------
library: $(BUILD)/bout-meter
	instrument/library/build.sh $(BUILD)/library $(BUILD)/bout-meter

# ---- what people type ---------------------------------------------------------
run: ## install what is missing, build, start the service with sample bots
	./setup.sh
	$(MAKE) all
	api/cli/run.sh $(BUILD)

test: ## install what is missing, build, run the whole test-suite
	./setup.sh test
	$(MAKE) all tests
	tests/run

SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
# The runner's side only: what runs in boxes (meter, unpacker, probes) is the
# plain build's, for sanitizers reserve more memory than a box has.
CHECKED ?= $(BUILD)/check/tests/test_|hostile/test_(verdicts|user)
check: ## unit tests and hostile bots under address and undefined-behaviour sanitizers
	$(MAKE) all tests
	$(MAKE) BUILD=$(BUILD)/check CFLAGS="$(SANITIZE)" LDFLAGS="$(SANITIZE)" \
		$(BUILD)/check/bout tests
	BOUT_LIBRARY=$(CURDIR)/$(BUILD)/library BOUT_GAMES=$(CURDIR)/runner/games \
	BOUT_METER=$(CURDIR)/$(BUILD)/bout-meter \
	BOUT_UNPACK=$(CURDIR)/$(BUILD)/bout-unpack \
	BOUT_TEST_TOOLS=$(CURDIR)/$(BUILD)/tests TEST_SECONDS=1200 \
	BUILD=$(BUILD)/check tests/run '$(CHECKED)'

lint: ## formatting, clang-tidy, cppcheck, no goto
	tests/lint.sh

bench: all ## tables of ratios; GROUP=meter|jail|... runs one group
	./setup.sh bench
	tests/bench/run $(GROUP)

install: all ## copy the program and its library below $(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/bout
	install $(BUILD)/bout $(BUILD)/bout-meter $(BUILD)/bout-unpack $(DESTDIR)$(PREFIX)/lib/bout
	cp -r $(BUILD)/library runner/games $(DESTDIR)$(PREFIX)/lib/bout
	install -m 644 runner/game.h $(DESTDIR)$(PREFIX)/lib/bout
	ln -sf ../lib/bout/bout $(DESTDIR)$(PREFIX)/bin/bout
PREFIX ?= /usr/local

deb: all ## the kit as a Debian package, in $(BUILD)
	packaging/deb.sh $(BUILD)

soak: all tests ## the long forms of the tests, an hour or more
	./setup.sh soak
	tests/soak/run

fuzz: ## random inputs (FUZZ_SECONDS=600 each), then programs (FUZZ=2000 in C)
	./setup.sh test
	$(MAKE) all fuzzers
	tests/fuzz/inputs $(or $(FUZZ_SECONDS),600)
	tests/fuzz/run $(or $(FUZZ),2000) $(or $(SEED),1)

# Of tests/targets/windows alone, so `make test` needs no wine.
test-windows: ## the counted programs as Windows code, under wine
	./setup.sh windows
	$(MAKE) all $(BUILD)/tests/bout_windows
	SUITE=tests/targets/windows TEST_SECONDS=$(or $(TEST_SECONDS),3600) tests/run

web docker: ## (not there yet)
	@echo "make $@: not there yet, see README, What is missing" >&2; exit 1

clean: ## remove what was built (caches under ~/.cache/bout stay)
	rm -rf $(BUILD)

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | \
		sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
