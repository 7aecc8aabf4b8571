import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const GENERATED = /^(.*\/src\/api\/generated\/)(?:sdk|@tanstack\/react-query)\.gen\.ts$/
/** The modules of administrators' calls. */
export const ADMIN_CALLS = /\.admin\.gen\.ts$/
const STATEMENT = /^(?=(?:export )?const )/m
const NAME = /^export const (\w+)/

// read by every visitor in spite of its address
const PUBLIC = new Set(['getSelectedPrice'])

const statements = (file: string) => readFileSync(file, 'utf8').split(STATEMENT)
const nameOf = (statement: string) => NAME.exec(statement)?.[1]

/**
 * Puts the generated functions of administrators' calls into modules of their own, so that they are loaded with the
 * pages that call: a module is not divided otherwise, and one function for the first page would bring all of them.
 */
export function splitCalls(): Plugin {
  return {
    name: 'split-calls',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!ADMIN_CALLS.test(source) || !importer) return undefined
      return { id: new URL(source, `file://${importer}`).pathname, moduleSideEffects: false }
    },
    load(id) {
      const file = id.replace(ADMIN_CALLS, '.gen.ts')
      const folder = GENERATED.exec(file)?.[1]
      if (!folder) return undefined
      const calls = adminCalls(`${folder}sdk.gen.ts`)
      const isAdmin = (statement: string) =>
        calls.has((nameOf(statement) ?? '').replace(/(?:Infinite)?(?:QueryKey|Options)$/, ''))
      const all = statements(file)
      // what is not exported is needed on both sides
      if (id !== file) return all.filter((statement) => !nameOf(statement) || isAdmin(statement)).join('')
      const other = file.slice(file.lastIndexOf('/') + 1).replace('.gen.ts', '.admin.gen.ts')
      return `${all.filter((statement) => !isAdmin(statement)).join('')}\nexport * from './${other}'\n`
    },
  }
}

function adminCalls(sdk: string): ReadonlySet<string> {
  const found = statements(sdk).filter((statement) => /url: '\/api\/admin\//.test(statement))
  return new Set(found.flatMap((statement) => nameOf(statement) ?? []).filter((name) => !PUBLIC.has(name)))
}
