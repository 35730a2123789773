#!/usr/bin/env bash
# Installs what this machine lacks, says what, and skips the rest.
#   setup.sh server  what building the server and its Debian package needs
#   setup.sh build   that, and what building the npm package and running the demo needs
#   setup.sh test    that, and what the tests need (the default)
# Tools of Cargo go to $FILEPRESS_TOOLS (default: .tools in the project), never into the user's own folders.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

part=${1:-test}
tools=${FILEPRESS_TOOLS:-$PWD/.tools}
wasm_pack_version=0.15.1
cargo_deny_version=0.20.2
s3s_fs_version=0.14.1

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
at_least() { [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

case $part in server | build | test) ;; *) fail "unknown part '$part': server, build or test" ;; esac

check_node() {
    local found
    has node || fail "Node.js is missing: install version 20.11 or newer"
    has npm || fail "npm is missing: it comes with Node.js, or as Debian's package npm"
    found=$(node -p process.versions.node)
    at_least 20.11 "$found" || fail "Node.js $found is too old: 20.11 or newer is needed"
}

check_rust() {
    local wanted found
    has cargo || fail "Rust is missing: install it with rustup, https://rustup.rs"
    wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
    found=$(rustc --version | cut -d ' ' -f 2)
    at_least "$wanted" "$found" || fail "Rust $found is too old: $wanted or newer is needed (rustup update stable)"
}

# One Debian package for each thing that is not there; the second argument is a command or a path.
missing_packages=()
want_package() { has "$2" || [ -e "$2" ] || missing_packages+=("$1"); }

install_packages() {
    want_package gcc cc # links build scripts
    want_package libc6-dev /usr/include/stdlib.h
    # What the built-in fonts are made from, and with.
    want_package fonts-roboto-unhinted /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf
    want_package fonts-dejavu-core /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
    want_package python3-venv "$(python3 -m ensurepip --version >/dev/null 2>&1 && echo / || echo none)"
    if [ "$part" = server ]; then
        want_package nodejs node # lays out the Debian package
        want_package dpkg-dev dpkg-shlibdeps # finds what the Debian package depends on
    else
        want_package g++ c++ # compiles libFuzzer
        want_package mate-backgrounds /usr/share/backgrounds/mate/nature # photographs for the demo and the benches
        # What the server converts video, audio, PDF and HEIC with, and what it confines them by.
        want_package ffmpeg ffmpeg
        want_package ghostscript gs
        want_package qpdf qpdf
        want_package poppler-utils pdftoppm
        want_package libheif-examples heif-info
        want_package bubblewrap bwrap
    fi
    if [ "$part" = test ]; then
        want_package chromium chromium
        want_package chromium-driver chromedriver
        want_package firefox-esr firefox-esr
        want_package webkit2gtk-driver WebKitWebDriver
        want_package xvfb Xvfb # the display that WebKit needs
        want_package xauth xauth
        want_package shellcheck shellcheck
        want_package mupdf-tools mutool # the peer that documents are measured against
        # What the Debian package is made with, installed in, and judged by.
        want_package dpkg-dev dpkg-shlibdeps
        want_package debootstrap debootstrap
        want_package systemd-container systemd-nspawn
        want_package lintian lintian
        want_package postgresql "$(compgen -G '/usr/lib/postgresql/*/bin/postgres' | head -n 1 || echo none)" # the tests start servers of their own
        want_package libjpeg-turbo-progs djpeg # what JPEG is compared with
        want_package libjxl-tools cjxl # makes JPEG XL, and what it is compared with
        want_package dav1d dav1d # what AV1 is compared with, and the encoders of what is compared
        want_package aom-tools aomenc
        want_package libavif-bin avifenc
        want_package imagemagick /usr/bin/convert # reads and writes DDS, HDR and OpenEXR for the tests
        want_package libmagickcore-6.q16-6-extra "$(compgen -G '/usr/lib/*/ImageMagick-*/modules-*/coders/exr.so' || echo none)"
    fi
    [ ${#missing_packages[@]} -gt 0 ] || return 0
    has apt-get || fail "this is not a Debian system; install the equivalents of: ${missing_packages[*]}"
    say "installing Debian packages: ${missing_packages[*]}"
    local root=()
    [ "$(id -u)" -eq 0 ] || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq -y --no-install-recommends "${missing_packages[@]}" >/dev/null
}

install_rust_parts() {
    if [ ! -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ]; then
        has rustup || fail "this Rust has no wasm32-unknown-unknown target and there is no rustup to add it"
        say "adding the Rust target wasm32-unknown-unknown"
        rustup --quiet target add wasm32-unknown-unknown
    fi
    [ "$part" = test ] || return 0
    local component
    for component in rustfmt clippy; do
        "cargo-${component/rust/}" --version >/dev/null 2>&1 && continue
        has rustup || fail "this Rust has no $component and there is no rustup to add it"
        say "adding the Rust component $component"
        rustup --quiet component add "$component"
    done
}

# install_tool CRATE VERSION COMMAND [OPTIONS of cargo install]
install_tool() {
    [ "$("$tools/bin/$3" --version 2>/dev/null | sed 's/.* //')" != "$2" ] || return 0
    say "building $1 $2 into $tools (minutes)"
    # Run a few times and then thrown away: time to build counts, speed does not.
    local build=(env CARGO_TARGET_DIR="$tools/build" CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 cargo install --quiet --root "$tools" "$1@$2" "${@:4}")
    # A mirror of crates.io may lack a version that the tool's lock file names.
    "${build[@]}" --locked 2>/dev/null || "${build[@]}"
}

install_tools() {
    local bindgen_version
    bindgen_version=$(grep -A 1 '^name = "wasm-bindgen"$' Cargo.lock | sed -n 's/^version = "\(.*\)"/\1/p')
    install_tool wasm-pack "$wasm_pack_version" wasm-pack
    install_tool wasm-bindgen-cli "$bindgen_version" wasm-bindgen # refuses code made for another version than its own
    if [ "$part" = test ]; then
        install_tool cargo-deny "$cargo_deny_version" cargo-deny
        install_tool s3s-fs "$s3s_fs_version" s3s-fs --features binary # the S3 server of the tests
    fi
    rm -rf "$tools/build"
}

# install_python_packages REQUIREMENTS FOLDER
install_python_packages() {
    ! cmp -s "$1" "$tools/$2/installed.txt" || return 0
    say "installing Python packages into $tools/$2"
    python3 -m venv "$tools/$2"
    "$tools/$2/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: -r "$1"
    cp "$1" "$tools/$2/installed.txt"
}

make_fonts() {
    local newest
    newest=$(find assets/fonts -name '*.ttf' -newer scripts/make-fonts.sh | wc -l)
    [ "$newest" -lt 3 ] || return 0
    say "making the built-in fonts in assets/fonts"
    install_python_packages scripts/fonts-requirements.txt fonttools
    scripts/make-fonts.sh "$tools/fonttools/bin/python"
}

install_node_modules() {
    ! cmp -s package-lock.json node_modules/.installed-lock || return 0
    say "installing node_modules (npm ci)"
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
    cp package-lock.json node_modules/.installed-lock
}

# Steps that neither need one another nor the same processor run at the same time: downloads beside compilation.
jobs=()
start() {
    set -m # a process group for each, so that all of it ends where setup ends early
    "$@" &
    set +m
    jobs+=($!)
}
finish() {
    local job
    for job in "${jobs[@]}"; do wait "$job"; done
    jobs=()
}
trap 'for job in "${jobs[@]}"; do kill -- "-$job" 2>/dev/null || true; done' EXIT

check_rust
if [ "$part" = server ]; then
    install_packages
    make_fonts
    exit
fi
check_node
install_rust_parts
start install_node_modules
if has cc && [ -e /usr/include/stdlib.h ]; then
    start install_tools
    install_packages
else
    install_packages
    start install_tools
fi
make_fonts
if [ "$part" = test ]; then
    install_python_packages server/tests/requirements.txt python # what tests make their inputs with
    install_python_packages tests/deb/requirements.txt kubernetes # what manifests are checked by
fi
finish
