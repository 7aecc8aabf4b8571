import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const installed = process.env.CHROMIUM ?? '/usr/bin/chromium'
const port = 4199

// the pages as they were built, before answers the specs give themselves
export default defineConfig({
  testDir: './e2e',
  outputDir: '../test-results',
  workers: 1,
  reporter: 'line',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      // a browser of the system if there is one, else Playwright's own
      executablePath: existsSync(installed) ? installed : undefined,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    },
  },
  webServer: {
    command: `node_modules/.bin/vite preview web --port ${port} --strictPort --host 127.0.0.1`,
    cwd: '..',
    url: `http://127.0.0.1:${port}/`,
  },
})
