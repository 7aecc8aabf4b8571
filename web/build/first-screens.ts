import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import i18next, { type i18n as I18n } from 'i18next'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createServer, type Plugin } from 'vite'
import { languages } from '../src/i18n/languages.ts'

const WEB = fileURLToPath(new URL('..', import.meta.url))
type Screens = typeof import('../src/first-screens.tsx')

const SCRIPTS = /\n\s*<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g

/**
 * Renders the first words of the landing page and the home screen in every language, for the server to send before the
 * scripts. These wait in a template until the words are painted (`public/boot.js`).
 */
export function firstScreens(): Plugin {
  return {
    name: 'first-screens',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const scripts = html.match(SCRIPTS)
        if (!scripts) throw new Error('index.html has no scripts to hold back')
        const template = [
          '<template id="interface">',
          ...scripts.map((tag) => tag.trim()),
          '<!--hints-->',
          '</template>',
        ]
        return html.replaceAll(SCRIPTS, '').replace('</head>', () => `  ${template.join('\n    ')}\n  </head>`)
      },
    },
    async generateBundle() {
      const source = JSON.stringify(await render())
      this.emitFile({ type: 'asset', fileName: '.vite/first-screens.json', source })
    },
  }
}

/** Name of the screen → language → HTML. */
async function render(): Promise<Record<string, Record<string, string>>> {
  const server = await createServer({
    root: WEB,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    plugins: [react()],
    resolve: { tsconfigPaths: true },
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { FirstScreen, firstScreens } = (await server.ssrLoadModule('/src/first-screens.tsx')) as Screens
    const rendered: Record<string, Record<string, string>> = {}
    for (const name of Object.keys(firstScreens) as (keyof typeof firstScreens)[]) {
      rendered[name] = {}
      for (const { code } of languages) {
        const props = { name, i18n: await speaking(code) }
        rendered[name][code] = renderToStaticMarkup(createElement(FirstScreen, props))
      }
    }
    return rendered
  } finally {
    await server.close()
  }
}

async function speaking(language: string): Promise<I18n> {
  const translation = JSON.parse(readFileSync(`${WEB}public/locales/${language}/translation.json`, 'utf8'))
  const i18n = i18next.createInstance()
  await i18n.init({ lng: language, resources: { [language]: { translation } }, interpolation: { escapeValue: false } })
  return i18n
}
