import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import type { Sites } from './e2e/test.ts'

const installed = process.env.CHROMIUM ?? '/usr/bin/chromium'
const withPasskeys = ['second-factor.spec.ts']
const withTaxes = ['taxes.spec.ts']
const withScript = ['script-checkout.spec.ts']
const withPaddle = ['paddle.spec.ts']
const withPages = ['plugin-pages.spec.ts']
const withVendors = [
  'depiction.spec.ts',
  'preview.spec.ts',
  'setup.spec.ts',
  'redirect-sign-in.spec.ts',
  'refine.spec.ts',
  'stripe.spec.ts',
]

export default defineConfig<object, Sites>({
  testDir: './e2e',
  outputDir: '../test-results',
  // each has a product of its own, which one test after the other uses
  workers: 2,
  fullyParallel: true,
  // on a machine that others use, too, a browser may starve; a second try tells that from a defect, and is reported
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'line',
  projects: [
    // one worker: the product of these files is started once
    { name: 'with vendors', testMatch: withVendors, workers: 1, use: { kind: 'withVendors' } },
    { name: 'with passkeys', testMatch: withPasskeys, use: { kind: 'withPasskeys' } },
    { name: 'with taxes', testMatch: withTaxes, workers: 1, use: { kind: 'withTaxes' } },
    { name: 'with script', testMatch: withScript, workers: 1, use: { kind: 'withScript' } },
    { name: 'with Paddle', testMatch: withPaddle, workers: 1, use: { kind: 'withPaddle' } },
    { name: 'with pages', testMatch: withPages, workers: 1, use: { kind: 'withPages' } },
    {
      name: 'ordinary',
      testIgnore: [...withVendors, ...withPasskeys, ...withTaxes, ...withScript, ...withPaddle, ...withPages],
    },
  ],
  use: {
    launchOptions: {
      // a browser of the system if there is one, else Playwright's own
      executablePath: existsSync(installed) ? installed : undefined,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--no-first-run'],
    },
  },
})
