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
  },
})
