import type { Plugin } from 'vite'

// the face of nearly every word; the display face weighs four times as much and would hold up the scripts on a phone
const FIRST = /geist-latin-wght-normal-[\w-]+\.woff2$/

/** Lets the browser fetch the first font beside the styles instead of after them. */
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
