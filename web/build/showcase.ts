import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const FILE = fileURLToPath(new URL('../public/showcase/showcase.json', import.meta.url))
const ID = 'virtual:showcase'

/** Hands the list of rendered sample covers to the landing page; empty lists while none were rendered. */
export function showcase(): Plugin {
  return {
    name: 'showcase',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return undefined
      if (!existsSync(FILE)) return 'export default { showcase: [], carousel: [] }'
      this.addWatchFile(FILE)
      return `export default ${readFileSync(FILE, 'utf8')}`
    },
  }
}
