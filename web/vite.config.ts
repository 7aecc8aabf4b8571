import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAndWeigh } from './build/compress.ts'
import { firstScreens } from './build/first-screens.ts'
import { isOnLandingPage } from './build/landing-modules.ts'
import { preloadFonts } from './build/preload-fonts.ts'
import { showcase } from './build/showcase.ts'
import { LATER_CALLS, splitCalls } from './build/split-calls.ts'

// not what only some screens use of it: lists that go on, and forms that ask before they are left
const FRAMEWORK =
  /node_modules\/(?!.*(?:useBlocker|nfiniteQueryObserver|useInfiniteQuery))(?:react|react-dom|scheduler|use-sync-external-store|@tanstack|i18next|react-i18next|clsx|tailwind-merge|class-variance-authority)\//

const NOT_THE_ENTRY = /^(?!.*(?:index\.html|src\/main\.tsx)$)/
// what stands on every page: header, bar at the foot, menus; not what some of it opens
const SHELL =
  /src\/(?:features\/shell(?!.*(?:reauthentication-dialog|shortcuts-sheet))|ui\/(?:overlay\/(?:menu|tooltip)|language|color-scheme|logo))\b|routes\/(?:-sections|_site\/route\.tsx)/
const FORMS = /node_modules\/(?:react-hook-form|@hookform|valibot)\/|src\/ui\/(?:form|second-factor)\//
const OVERLAYS = /node_modules\/(?:radix-ui|@radix-ui)\/|src\/ui\/overlay\//
const SHARED = /web\/src\/(?:ui|lib|i18n|api)\/|node_modules\/lucide-react\//

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    // must come before react()
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // what a page loads comes with the page; only the pages of a first visit keep their loaders in the entry
      codeSplittingOptions: { defaultBehavior: [['loader', 'component', 'errorComponent']] },
      quoteStyle: 'single',
      semicolons: false,
    }),
    react(),
    splitCalls(),
    tailwindcss(),
    showcase(),
    preloadFonts(),
    firstScreens(),
    compressAndWeigh(),
  ],
  resolve: {
    tsconfigPaths: true,
    alias: {
      'react-remove-scroll': fileURLToPath(new URL('./src/lib/browser/remove-scroll.tsx', import.meta.url)),
      '../core/serverSentEvents.gen': fileURLToPath(new URL('./src/api/event-streams.ts', import.meta.url)),
    },
  },
  server: {
    // what is no screen comes from the product
    proxy: {
      '/api': process.env.COVERWRIGHT_PUBLIC_URL ?? 'http://127.0.0.1:8000',
      '/docs': process.env.COVERWRIGHT_PUBLIC_URL ?? 'http://127.0.0.1:8000',
      '/plugins': process.env.COVERWRIGHT_PUBLIC_URL ?? 'http://127.0.0.1:8000',
    },
  },
  build: {
    outDir: fileURLToPath(new URL('../kernel/pages/static', import.meta.url)),
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // every browser of that target preloads modules by itself
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // a few files instead of fifty small ones, of which a browser fetches six at a time
        codeSplitting: {
          groups: [
            {
              name: (id) => `${LATER_CALLS.exec(id)?.[1]}-calls`,
              test: LATER_CALLS,
              priority: 5,
              includeDependenciesRecursively: false,
            },
            { name: 'framework', test: FRAMEWORK, priority: 4 },
            { name: 'start', tags: ['$initial'], test: NOT_THE_ENTRY, priority: 3 },
            { name: 'shell', test: SHELL, priority: 2 },
            {
              name: (id, graph) => (isOnLandingPage(id, graph) ? 'shared' : null),
              test: SHARED,
              minShareCount: 2,
              priority: 1.8,
            },
            { name: 'forms', test: FORMS, minShareCount: 2, priority: 1.6 },
            { name: 'overlays', test: OVERLAYS, minShareCount: 2, priority: 1.4 },
            { name: 'more', test: SHARED, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
})
