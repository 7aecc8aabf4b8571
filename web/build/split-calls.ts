import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const GENERATED = /^(.*\/src\/api\/generated\/)(?:sdk|@tanstack\/react-query)\.gen\.ts$/
/** The modules of calls that a first visit makes none of: administrators', those of the home screen, and of pages opened later. */
export const LATER_CALLS = /\.(admin|later|home)\.gen\.ts$/
const STATEMENT = /^(?=(?:export )?const )/m
const NAME = /^export const (\w+)/

const ADDRESSES = {
  admin: /url: '\/api\/admin\//,
  later:
    /url: '\/api\/(?:account|auth\/(?!user|methods|re)|books|covers\/\{cover_id\}\/(?:lettering|provenance|refine|versions)|create-subscription|packs|preflight|public-texts|setup|spine|subscription\/(?!prices)|sync-subscription|themes\/\{theme_id\}\/(?:look|next-volume|series|shelf)|trade|unsubscribe)\b/,
  home: /url: '\/api\/(?:archives|covers|depiction|generat|ideas|lettering|themes)/,
}
type Group = keyof typeof ADDRESSES
const GROUPS = Object.keys(ADDRESSES) as Group[]

// read by every visitor in spite of its address
const PUBLIC = new Set(['getSelectedPrice'])

const statements = (file: string) => readFileSync(file, 'utf8').split(STATEMENT)
const nameOf = (statement: string) => NAME.exec(statement)?.[1]

/**
 * Puts the generated functions of such calls into modules of their own, so that they are loaded with the pages that
 * call: a module is not divided otherwise, and one function for the first page would bring all of them.
 */
export function splitCalls(): Plugin {
  return {
    name: 'split-calls',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!LATER_CALLS.test(source) || !importer) return undefined
      return { id: new URL(source, `file://${importer}`).pathname, moduleSideEffects: false }
    },
    load(id) {
      const file = id.replace(LATER_CALLS, '.gen.ts')
      const folder = GENERATED.exec(file)?.[1]
      if (!folder) return undefined
      const groups = groupsOf(`${folder}sdk.gen.ts`)
      const groupOf = (statement: string) =>
        groups.get((nameOf(statement) ?? '').replace(/(?:Infinite)?(?:QueryKey|Options)$/, ''))
      const all = statements(file)
      const group = LATER_CALLS.exec(id)?.[1]
      // what is not exported is needed on all sides
      if (group) return all.filter((statement) => !nameOf(statement) || groupOf(statement) === group).join('')
      const name = file.slice(file.lastIndexOf('/') + 1).replace('.gen.ts', '')
      const others = GROUPS.map((other) => `export * from './${name}.${other}.gen.ts'\n`).join('')
      return `${all.filter((statement) => !groupOf(statement)).join('')}\n${others}`
    },
  }
}

/** The group of each call that is in one, by its name. */
function groupsOf(sdk: string): ReadonlyMap<string, Group> {
  const found = statements(sdk).flatMap((statement) => {
    const name = nameOf(statement)
    const group = GROUPS.find((one) => ADDRESSES[one].test(statement))
    return name && group && !PUBLIC.has(name) ? [[name, group] as const] : []
  })
  return new Map(found)
}
