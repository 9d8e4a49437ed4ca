#!/usr/bin/env bash
# The jail under Debian's older and newer kernel, with control groups of version
# 2 and without: doctor, slots, boxes, hostile bots, matches equal to the host's.
# GUEST_KERNELS names others. Kernels before 6.1 have no package in Debian 12.
cd "$(dirname "$0")/../.." && . tests/tap.sh
export GUEST_SECONDS=${GUEST_SECONDS:-1800}

for kernel in ${GUEST_KERNELS:-linux-image-cloud-amd64 \
    linux-image-6.12-cloud-amd64}; do
    tests/guest/run "$kernel" long >"$scratch/guest" 2>"$scratch/said"
    status=$?
    sed 's/^/# /' "$scratch/guest"
    [ $status -eq 0 ] && ! grep -q '^not ok' "$scratch/guest"
    tap_report $? "$kernel: $(grep -c '^ok' "$scratch/guest") tests" \
        "$(cat "$scratch/said")"
done
tap_done
