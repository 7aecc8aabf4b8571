# From a fresh clone with Python 3.11+, Node 20.19+ and npm: `make run` serves the product, `make test` runs every test.
# Each step leaves a file behind, so that the second time only what has changed is done again.

MAKEFLAGS += --no-print-directory --no-builtin-rules
.DELETE_ON_ERROR:
.NOTPARALLEL: # the web scripts each write the client anew
unexport PYTHONDONTWRITEBYTECODE # the second start is to be quicker than the first
.PHONY: run build test lint unit web-unit e2e browser databases printing proxies bench cluster peers lock spi sbom audit clean

BIN := .venv/bin
DONE := .venv/done
# one more than cores: tests of killed processes wait most of the time
PYTEST_WORKERS ?= 3
# as in the browser: a second try tells a starved machine from a defect, and is reported
PYTEST_RETRIES := $(if $(CI),--reruns 1 -rR)

PYTHON_FILES := $(shell find kernel plugins -name '*.py')
ARTIST_FILES := $(shell find plugins/atelier kernel/press -name '*.py')
WEB_FILES := $(shell find web \( -path web/src/api/generated -o -path web/public/showcase -o -path web/e2e \
	-o -name openapi.json -o -name '*.gen.ts' \) -prune -o -type f -print) \
	kernel/core/text/languages.json kernel/press/editions/rules.json

PAGES := kernel/pages/static/index.html
DOCS := kernel/pages/docs/index.html
DOCS_FILES := README.md web/src/styles/app.css $(shell find kernel/docs kernel/spi kernel/commands/plugin_template -type f \
	-not -path '*/__pycache__/*')
CONTRACT := web/openapi.json
OUTLINES := node_modules/@iconify-json/.outlines.sqlite
SHOWCASE := web/public/showcase/showcase.json

run: build
	@exec $(BIN)/coverwright run

build: $(DONE)/libraries $(OUTLINES) $(PAGES) $(DOCS)

test: build databases printing proxies browser $(CONTRACT)
	@$(BIN)/python .ci/test.py

lint: $(DONE)/python node_modules/.done $(CONTRACT)
	@echo "Checking the code …"
	@$(BIN)/ruff format --check --quiet kernel plugins tests
	@$(BIN)/ruff check --quiet kernel plugins tests
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@.ci/dead.sh
	@npm run --silent check

unit: build databases printing proxies
	@echo "Testing Python …"
	@$(BIN)/pytest -n $(PYTEST_WORKERS) $(PYTEST_RETRIES)

web-unit: node_modules/.done $(CONTRACT)
	@echo "Testing the web client …"
	@npm run --silent test

e2e: build browser
	@echo "Testing in the browser …"
	@npm run --silent e2e

browser:
	@.ci/browser.sh

databases:
	@.ci/postgres.sh

printing:
	@.ci/print.sh

proxies:
	@.ci/deploy.sh

bench: build
	@$(BIN)/python -m tests.benchmarks

cluster: build databases # Linux, as root; CLUSTER="--only NAME" runs one scenario
	@.ci/cluster.sh
	@$(BIN)/python -m tests.cluster $(CLUSTER)

peers: # what `make bench` compares with; no part of the product
	@tests/benchmarks/peers/install.sh

lock: $(DONE)/venv
	@$(BIN)/uv pip compile pyproject.toml --quiet --group dev --extra tracing --universal --generate-hashes \
		--no-emit-index-url --no-annotate --no-header -o requirements.lock

spi: $(DONE)/python # the contracts and the kit, for authors of plugins
	@$(BIN)/uv build --quiet --no-build-isolation --no-create-gitignore config/spi --out-dir dist
	@echo "Wrote coverwright-spi into dist."

# What a release consists of at run time, as CycloneDX lists, and whether weaknesses of it are known: both need the network.
dist/requirements.txt: requirements.lock pyproject.toml $(DONE)/python
	@mkdir -p $(@D)
	@$(BIN)/uv pip compile pyproject.toml --quiet --extra tracing --constraint requirements.lock --universal --generate-hashes \
		--no-emit-index-url --no-annotate --no-header -o $@

sbom: dist/requirements.txt node_modules/.done
	@$(BIN)/uv tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py requirements dist/requirements.txt \
		--pyproject pyproject.toml --mc-type application --of JSON -o dist/sbom-python.json
	@npm sbom --sbom-format cyclonedx --sbom-type application --omit dev > dist/sbom-web.json
	@echo "Wrote dist/sbom-python.json and dist/sbom-web.json."

audit: dist/requirements.txt
	@$(BIN)/uv tool run --quiet pip-audit==2.10.1 --strict --disable-pip --require-hashes \
		--requirement dist/requirements.txt
	@npm audit --omit=dev

clean:
	@rm -rf dist .venv node_modules kernel/pages/static kernel/pages/docs web/public/showcase web/src/api/generated test-results \
		playwright-report .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .tanstack *.egg-info
	@find kernel plugins tests -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "Removed everything that was installed or built. The data in var/ is kept."

$(DONE)/venv:
	@python=$$(.ci/python.sh) && echo "Making .venv with $$python …" && "$$python" -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.8
	@mkdir -p $(DONE) && touch $@

$(DONE)/python: requirements.lock pyproject.toml $(DONE)/venv
	@echo "Installing Python packages …"
	@$(BIN)/uv pip sync --quiet --require-hashes requirements.lock
	@$(BIN)/uv pip install --quiet --no-deps --editable .
	@touch $@

$(DONE)/libraries: $(DONE)/python
	@.ci/libraries.sh
	@touch $@

node_modules/.done: package-lock.json package.json
	@.ci/node.sh
	@echo "Installing web packages and fonts …"
	@npm ci --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

$(OUTLINES): plugins/atelier/outlines/store.py node_modules/.done $(DONE)/libraries
	@echo "Gathering outlines …"
	@$(BIN)/python -m plugins.atelier.outlines.store

$(SHOWCASE): $(OUTLINES) $(ARTIST_FILES) $(DONE)/libraries node_modules/.done
	@echo "Drawing sample covers …"
	@$(BIN)/python -m plugins.atelier.showcase $(@D)
	@touch $@

$(DONE)/openapi: $(PYTHON_FILES) $(DONE)/python
	@$(BIN)/coverwright openapi $(DONE)/openapi.json
	@cmp -s $(DONE)/openapi.json $(CONTRACT) || cp $(DONE)/openapi.json $(CONTRACT)
	@touch $@

$(CONTRACT): $(DONE)/openapi ;

$(PAGES): $(WEB_FILES) $(CONTRACT) $(SHOWCASE) package.json
	@echo "Building the pages …"
	@npm run --silent build -- --logLevel warn >/dev/null
	@touch $@

$(DOCS): $(DOCS_FILES) $(PAGES)
	@echo "Writing the documentation …"
	@$(BIN)/python -m kernel.docs.site $(@D)
