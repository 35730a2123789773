# The tasks of the project, one target each; `make help` prints them.
# The recipes are what both people and `make test` (scripts/run-tests.mjs) run.

export FILEPRESS_TOOLS ?= $(CURDIR)/.tools
export PATH := $(FILEPRESS_TOOLS)/bin:$(CURDIR)/node_modules/.bin:$(PATH)
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER := $(FILEPRESS_TOOLS)/bin/wasm-bindgen-test-runner
# Panics name the files of crates; where these lie on this machine is nobody's business. As in scripts/package/wasm.mjs.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS ?= --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)/registry/src=crates
# The default, 20 s for all tests of a file, is too little for encoders on a slow machine.
export WASM_BINDGEN_TEST_TIMEOUT ?= 300
# How long the WebDriver may take to start. The default is 5 s.
export WASM_BINDGEN_TEST_DRIVER_TIMEOUT ?= 60

FEATURES := client photo photo_avif avif core full jxl
WASM := --target wasm32-unknown-unknown
# In the profile of the package's builds, so that what they all need is compiled once.
# The planner is in the client build.
WASM_TEST := cargo test --locked --release $(WASM) --features client

# All tests are compiled, those of the engine or of the service are run.
TEST_ONLY = cargo test --locked --workspace --all-features --no-fail-fast --config 'target."cfg(unix)".runner=["$(CURDIR)/scripts/only-tests-of.sh","$(1)"]'

# The native programs that the tests call: compiled as the tests are, with the checks on.
NATIVE_PROGRAMS = $${CARGO_TARGET_DIR:-$(CURDIR)/target}/debug
WITH_SERVICE = FILEPRESS_SERVER=$(NATIVE_PROGRAMS)/filepress-server

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup setup-build setup-server build native-programs server deb package site docs publish soak-engines demo soak-cluster soak-migrate soak-deflate soak-jpeg soak-av1 soak-promises screenshots matrix matrix-server survives test lint bench bench-page bench-page-many bench-jpeg bench-avif bench-avif-lossless bench-webp bench-deflate bench-png bench-png-many bench-palette bench-progress bench-target-size bench-variants bench-first-call bench-service bench-cluster bench-fairness profile fuzz lint-fmt lint-npm \
	lint-shell lint-types lint-shape lint-deny lint-clippy lint-clippy-native lint-clippy-wasm test-native test-engine test-service test-wasm-node test-wasm-browser test-package test-consumers test-frameworks test-page test-server test-deb test-client test-cluster test-corpus

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-19s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install what building and testing need and this machine lacks
	@scripts/setup.sh test

setup-build: ## Install what building and the demo need: no browser
	@scripts/setup.sh build

build: setup-build ## Compile the workspace natively
	cargo build --locked --workspace --all-features

setup-server: ## Install what building the server and its Debian package needs
	@scripts/setup.sh server

server: setup-server ## Build the server as it is meant to be run: target/server/filepress-server
	cargo build --locked --profile server --package filepress-server

deb: server ## Build the Debian package of the server: dist/filepress-server_VERSION_ARCHITECTURE.deb
	node scripts/deb.mjs

package: setup-build ## Build dist/package/ and dist/filepress.tgz, print their sizes
ifndef PACKAGE_BUILT
	node scripts/package.mjs
endif

site: package ## Build the demo page for any static host: dist/site/
	node scripts/site.mjs

soak-jpeg: setup ## All generated, damaged and mutated files of the JPEG decoder, against Debian's djpeg
	FILEPRESS_SCALE=1 cargo test --locked --package filepress-jpeg --test jpeg

soak-av1: setup ## All stills of the AV1 decoder's comparison with Debian's dav1d, and all round trips of the encoder
	FILEPRESS_SCALE=1 cargo test --locked --package filepress-av1 --features coverage --test oracle --test round_trip -- --nocapture

test-cluster: setup ## Several servers as one service, at one PostgreSQL and one S3 store; a part of `make test-native`
	cargo test --locked --package filepress-server --test cluster

soak-cluster: setup ## The whole of the cluster's kill test, 1,000 tasks and 60 killed servers, of which `make test` runs a part (FILEPRESS_SEED=1)
	FILEPRESS_SCALE=1 cargo test --locked --package filepress-server --test cluster -- --nocapture kills

soak-migrate: setup ## The migration with 10,000 files and tasks, interrupted three times
	FILEPRESS_SCALE=1 cargo test --locked --package filepress-server --test cluster -- --nocapture migrate

docs: site ## Build the documentation as a static site, with the API reference and the demo page: dist/docs/
	node scripts/docs.mjs

publish: package ## Publish dist/filepress.tgz on npm, and write its bill of materials (ARGS=--dry-run; needs project.json filled in)
	node scripts/publish.mjs $(ARGS)

soak-engines: package setup ## 2,000 calls in each browser engine on a busy machine, against Node's results
	FILEPRESS_SCALE=1 node --test --test-reporter=spec tests/package/soak.test.mjs

screenshots: site setup ## Take the pictures of the demo page in docs/
	node scripts/screenshots.mjs

demo: package ## Compress sample photos in Node, and video, audio and PDF with the server, then serve the page (SERVE=0: no page)
	cargo build --locked --package filepress-server
	$(WITH_SERVICE) node scripts/demo.mjs

matrix: package setup ## Measure every type into every type beside other decoders, as a table
	node scripts/matrix.mjs

matrix-server: native-programs ## Send every pair through the server and read it back by other tools, as a table
	$(WITH_SERVICE) node scripts/matrix-server.mjs

survives: ## Measure what survives a conversion on the server, and write it into server/README.md
	FILEPRESS_WRITE=1 cargo test --locked --workspace --all-features --test media the_readme_table
	FILEPRESS_WRITE=1 cargo test --locked --workspace --all-features --test documents the_readme_table

bench: package setup ## Compare with other libraries in Node and Chromium, and write BENCHMARKS.md (BENCH=quick: a part, printed)
	node benches/bench.mjs

bench-page: site setup ## What the demo page costs: bytes before it can be used and in the background, largest contentful paint, and over slow 4G until it answers and until a first photo is done
	node benches/page.mjs

bench-page-many: site setup ## What many files cost the demo page: memory and longest task, for 30 photos of 24 megapixels and 1,000 small ones (PHOTOS=30 SMALL=1000)
	node benches/page-many.mjs

bench-deflate: setup-build ## Compare filepress-deflate with libdeflate and zopfli, on files of Debian's packages
	cargo run --locked --release --config 'profile.release.opt-level=3' -p filepress-lossless-bench --bin deflate

bench-png: setup-build ## Compare filepress-png with oxipng (ARGS="4 2 FOLDER": effort, level, folders or files)
	cargo run --locked --release --config 'profile.release.opt-level=3' -p filepress-lossless-bench --bin png -- $(ARGS)

bench-png-many: package ## Compare PNG at the default effort with jSquash, for every PNG that the machine has
	node benches/png-many.mjs

bench-jpeg: setup ## Compare the JPEG codec's files with mozjpeg's by two scores (SETS=kodak,large,train)
	node benches/jpeg/bench.mjs

bench-avif: setup ## Compare the AV1 encoder's stills with libaom's by two scores (SETS=kodak,photos,screens,train; OTHER=folder of another package)
	node benches/avif/bench.mjs

bench-avif-lossless: package setup ## Compare lossless AVIF with libaom's, by bytes and time (SETS=kodak,photos,screens)
	node benches/avif/lossless.mjs

bench-webp: setup ## Compare the lossy WebP encoder's files with libwebp's by two scores (SETS=kodak,photos,train)
	node benches/webp/bench.mjs

bench-palette: setup-build ## Compare lossy PNG with Debian's pngquant (apt-get install pngquant) at equal scores
	node benches/palette.mjs

bench-progress: package ## How long calls report no progress, for a photo of 12 megapixels
	node benches/progress.mjs

bench-target-size: package setup ## How many encodings a target size takes, and the time, for JPEGs (ARGS: folders of built engines)
	node benches/target-size.mjs $(ARGS)

bench-variants: package setup ## Twelve variants of a photo in one call, in twelve, and by sharp's clones: time and memory
	node benches/bench.mjs --only variants

bench-first-call: package setup ## How long a visitor's first call takes over 1.6 Mbit/s and 150 ms in Chromium
	node benches/first-call.mjs

bench-service: server setup ## Measure the server: throughput, memory, requests a second, time of a task
	FILEPRESS_SERVER=$${CARGO_TARGET_DIR:-$(CURDIR)/target}/server/filepress-server node benches/service.mjs

bench-cluster: server setup ## Measure the server at PostgreSQL and S3: requests a second, throughput, memory, two workers beside one (PART=workers: that alone)
	FILEPRESS_SERVER=$${CARGO_TARGET_DIR:-$(CURDIR)/target}/server/filepress-server node benches/cluster.mjs $(PART)

bench-fairness: server setup ## How long a user waits beside 200 slow connections and 50 hostile uploads: p99 alone and under attack (SECONDS=120)
	FILEPRESS_SERVER=$${CARGO_TARGET_DIR:-$(CURDIR)/target}/server/filepress-server node benches/fairness.mjs $(or $(SECONDS),120)

profile: setup-build ## Where the time of a work of the bench goes, by functions (WORK=jpeg PICTURE=storm QUALITY=75; a build of minutes, once)
	node benches/profile.mjs $(WORK) $(if $(PICTURE),--picture $(PICTURE)) $(if $(QUALITY),--quality $(QUALITY))

fuzz: setup-build ## Look for inputs that break what is promised, a minute each (TARGET=convert SECONDS=600 SANITIZER=address; INPUT=file: that again)
	SANITIZER="$(SANITIZER)" node scripts/fuzz.mjs "$(TARGET)" "$(or $(SECONDS),60)" $(INPUT)

test: setup ## Run every check and test below, and count them (CORPUS=../shared/corpus: test-corpus too)
	@node scripts/run-tests.mjs

lint: lint-fmt lint-npm lint-shell lint-types lint-shape lint-deny lint-clippy ## Run every check that executes no test

lint-fmt: setup ## Layout of the Rust code
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check

lint-npm: setup ## Licenses of the npm packages
	node scripts/check-npm-licenses.mjs

lint-shell: setup ## shellcheck on the scripts
	shellcheck .ci/run scripts/make-fonts.sh scripts/only-tests-of.sh scripts/setup.sh server/deploy/debian/postinst server/deploy/debian/postrm server/deploy/debian/prerm scripts/wasm-pack/cargo scripts/wasm-pack/wasm-bindgen scripts/wasm-pack/wasm-opt

lint-types: setup ## tsc --strict on the package's types; a program that uses them is among the package's tests
	tsc --ignoreConfig --noEmit --strict --skipLibCheck false --target es2022 --lib es2022,dom --types "" pkg-template/index.d.ts

lint-shape: ## Lengths of files, functions and README.md, circles of imports, and the layers of the engine
	node scripts/check-shape.mjs

lint-deny: setup ## Licenses, bans and sources of the crates
	cargo-deny --workspace --locked --all-features check --hide-inclusion-graph bans licenses sources
	cargo-deny --manifest-path fuzz/Cargo.toml --config deny.toml --locked --all-features check --hide-inclusion-graph bans licenses sources

lint-clippy: lint-clippy-native lint-clippy-wasm ## clippy with warnings denied: native, what is fuzzed, and each build for WebAssembly

lint-clippy-native: setup ## clippy, native and what is fuzzed; a part of `make lint-clippy`
	cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
	@# Without debug information in crates, as the workspace has them, so that what was checked for it is not checked again.
	cargo clippy --locked --manifest-path fuzz/Cargo.toml --config 'profile.dev.package."*".debug=false' \
		--target-dir $${CARGO_TARGET_DIR:-target} --all-targets -- -D warnings

lint-clippy-wasm: setup ## clippy for each build for WebAssembly; a part of `make lint-clippy`
	for feature in $(FEATURES); do \
		cargo clippy --locked --release $(WASM) --lib --no-default-features --features $$feature -- -D warnings || exit 1; \
	done
	cargo clippy --locked --release $(WASM) --features client --test wasm_node --test wasm_browser -- -D warnings

test-native: test-engine test-service ## Tests of the engine and the server, native

test-engine: setup ## Tests of the engine, native; a part of `make test-native`
	$(call TEST_ONLY,engine)

test-service: setup ## Tests of the server, native; a part of `make test-native`
	$(call TEST_ONLY,service) --lib --bins --tests

test-wasm-node: setup ## Tests of the engine as WebAssembly, in Node
	$(WASM_TEST) --test wasm_node

test-wasm-browser: setup ## Tests of the engine as WebAssembly, in headless Chromium
	$(WASM_TEST) --test wasm_browser

# An example takes the dev-dependencies into account, and with them the features that `cargo test` gives to crates: what one of
# them compiles, the other one finds. `make test` builds them once at its start, because its tests of Cargo hold Cargo's lock later.
native-programs: setup ## The server and the native twin of the package, for the tests that call them
ifndef NATIVE_PROGRAMS_BUILT
	cargo build --locked --workspace --all-features --bin filepress-server --example process
endif

test-package: package native-programs ## The tarball in Node, workerd, Chromium, Firefox and WebKit, compared with native code
	FILEPRESS_NATIVE=$(NATIVE_PROGRAMS)/examples/process \
	node --test --test-reporter=spec --test-concurrency=1 tests/package/*.test.mjs

test-page: site native-programs ## The demo page in Chromium, Firefox and WebKit, as a visitor uses it, with a live server
	$(WITH_SERVICE) node --test --test-reporter=spec --test-concurrency=1 tests/page/*.test.mjs

test-corpus: package setup ## The image-rs corpus, native and in Node, with the count of files walked (CORPUS=../shared/corpus)
	@test -d "$(CORPUS)/image-rs" || { echo 'test-corpus: CORPUS has to name a folder that holds image-rs/, not "$(CORPUS)"' >&2; exit 1; }
	CORPUS="$(abspath $(CORPUS))" cargo test --locked --workspace --all-features --no-fail-fast --test engine --test exr --test jpeg --test wire -- --ignored --nocapture corpus
	CORPUS="$(abspath $(CORPUS))" node --test --test-reporter=spec --test-concurrency=1 tests/corpus/*.test.mjs

soak-promises: package setup ## All files of the corpus with all pairs of options, of which `make test-corpus` runs a tenth (CORPUS=../shared/corpus)
	CORPUS="$(abspath $(CORPUS))" FILEPRESS_SCALE=1 node --test --test-reporter=spec tests/corpus/promises.test.mjs

soak-deflate: ## The whole of the DEFLATE round trips, of which `make test` runs a tenth
	FILEPRESS_SCALE=1 cargo test --locked -p filepress-deflate --test deflate -- --nocapture small_inputs

test-consumers: package setup ## The tarball in projects of bundlers, test runners and Next.js, in Bun and Deno, and in a plain page (npm: 700 MB once)
	node --test --test-reporter=spec --test-concurrency=1 tests/consumers/*.test.mjs

test-frameworks: package setup ## The tarball in SvelteKit, Astro, Nuxt, Angular and a standalone server of Next.js, in development and production (npm: hundreds of MB once)
	node --test --test-reporter=spec --test-concurrency=1 tests/frameworks/*.test.mjs

test-server: native-programs ## The server: the real binary, called with a JSON:API client from npm; every pair
	$(WITH_SERVICE) node --test --test-reporter=spec --test-concurrency=1 tests/server/*.test.mjs

test-deb: native-programs ## The Debian package, with the binary of the tests: installed, used and purged in a bare Debian with systemd (as root; downloads that Debian once)
	$(WITH_SERVICE) node --test --test-reporter=spec --test-concurrency=1 tests/deb/*.test.mjs

test-client: package native-programs ## The client in the tarball: scripted answers, the binary over TLS from Node, workerd and Chromium, 1.5 GB
	$(WITH_SERVICE) node --test --test-reporter=spec --test-concurrency=1 tests/client/*.test.mjs
