import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

const installed = process.env.CHROMIUM ?? '/usr/bin/chromium'
const port = 4199

// one fresh product for the whole run; workers of the runner inherit the folder's name
if (!process.env.COVERWRIGHT_E2E_DATA) {
  process.env.COVERWRIGHT_E2E_DATA = mkdtempSync(join(tmpdir(), 'coverwright-e2e-'))
}
const data = process.env.COVERWRIGHT_E2E_DATA
const config = join(data, 'e2e.toml')
writeFileSync(config, '[plans]\nfree_monthly_limit = 40\n\n[accounts]\nregistrations_per_address = 1000\n')

export default defineConfig({
  testDir: './e2e',
  outputDir: '../test-results',
  workers: 1,
  // on a machine that others use, too, a browser may starve; a second try tells that from a defect, and is reported
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'line',
  // whoever finds the printed link first is the administrator, so that story is told before all others
  projects: [
    { name: 'first', testMatch: 'journey.spec.ts' },
    { name: 'then', testIgnore: 'journey.spec.ts' },
  ],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      // a browser of the system if there is one, else Playwright's own
      executablePath: existsSync(installed) ? installed : undefined,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--no-first-run'],
    },
  },
  webServer: {
    command: '.venv/bin/coverwright run',
    cwd: '..',
    url: `http://127.0.0.1:${port}/readyz`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGINT', timeout: 5000 },
    env: {
      PORT: String(port),
      COVERWRIGHT_DATA: data,
      COVERWRIGHT_CONFIG: config,
      COVERWRIGHT_PUBLIC_URL: `http://127.0.0.1:${port}`,
    },
  },
})
