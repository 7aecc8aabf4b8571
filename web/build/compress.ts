import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** What a first visit may cost: every script and style the entry pulls in before anything is shown. */
const ENTRY_BUDGET = 170_000
const COMPRESSIBLE = /\.(?:js|css|svg|json)$/
const SMALLEST_WORTH_IT = 1024

type Chunk = { file: string; css?: string[]; imports?: string[] }

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}

function entryFiles(manifest: Record<string, Chunk>, key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key]
  if (!chunk || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const css of chunk.css ?? []) found.add(css)
  for (const next of chunk.imports ?? []) entryFiles(manifest, next, found)
  return found
}

/** Writes .br and .gz beside every text asset and fails the build when the entry outgrows its budget. */
export function compressAndWeigh(): Plugin {
  let folder = ''
  return {
    name: 'compress-and-weigh',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir
    },
    closeBundle() {
      // the build failed, and says why
      if (!existsSync(join(folder, '.vite/manifest.json'))) return
      for (const path of filesBelow(folder)) {
        if (!COMPRESSIBLE.test(path) || path.includes('/.vite/')) continue
        const bytes = readFileSync(path)
        if (bytes.length < SMALLEST_WORTH_IT) continue
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      }
      const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
      const files = [...entryFiles(manifest, 'index.html')]
      const weight = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)
      this.info(`entry: ${files.length} files, ${(weight / 1000).toFixed(1)} kB gzipped of ${ENTRY_BUDGET / 1000}`)
      if (weight > ENTRY_BUDGET) this.error(`the entry weighs ${weight} bytes gzipped; the budget is ${ENTRY_BUDGET}`)
    },
  }
}
