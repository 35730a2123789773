#!/usr/bin/env bash
# What Cargo starts instead of a test program: `only-tests-of.sh engine|service PROGRAM…` starts it if it is one of those tests. They are
# compiled together, because Cargo compiles what both need twice if each is asked for alone, and run apart: those of the service, which
# wait for other programs most of the time, beside those of the engine, which compute. Cargo starts the tests of a package in its folder.
set -euo pipefail
case $1 in engine | service) ;; *) echo "only-tests-of.sh: not engine or service: $1" >&2; exit 2 ;; esac
case $(basename "$PWD") in server) of=service ;; *) of=engine ;; esac
if [ "$1" = "$of" ]; then
    exec "${@:2}"
fi
