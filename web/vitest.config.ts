import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { showcase } from './build/showcase.ts'

export default defineConfig({
  plugins: [react(), showcase()],
  resolve: { tsconfigPaths: true },
  test: {
    environment: 'happy-dom',
    globals: true,
    setupFiles: ['web/src/test/setup.ts'],
    include: ['web/src/**/*.test.{ts,tsx}'],
    // one page for all files of a worker: making it anew for each takes longer than the tests
    isolate: false,
    maxWorkers: 2,
    // longer than a screen is waited for, so that a failure says what was missing
    testTimeout: process.env.CI ? 150_000 : 60_000,
    // as in the browser: a second try tells a starved machine from a defect
    retry: process.env.CI ? 1 : 0,
  },
})
