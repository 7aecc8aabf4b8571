import type { Plugin } from 'vite'

// the two faces of every first screen; other scripts wait until their characters are met
const FIRST = /(?:geist-latin-wght|literata-latin-opsz)-normal-[\w-]+\.woff2$/

/** Lets the browser fetch the first fonts beside the styles instead of after them. */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => FIRST.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}
