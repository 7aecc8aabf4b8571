// @vitest-environment node
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cn } from './ui/cn'

const root = fileURLToPath(new URL('.', import.meta.url))
const below = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? below(path) : [path]
  })
const sources = below(root)
  .map((path) => relative(root, path))
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.gen.ts') && !path.startsWith('api/generated'))

// what a folder may import besides its own files
const allowed: Record<string, readonly string[]> = {
  routes: ['features', 'ui', 'i18n', 'api', 'lib'],
  features: ['ui', 'i18n', 'api', 'lib'],
  ui: ['i18n', 'api', 'lib'],
  i18n: ['lib'],
  api: ['i18n', 'lib'],
  lib: [],
}

/** The files a file imports, as paths below src. */
function imports(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)]
    .map(([, target = '']) => {
      if (target.startsWith('@/')) return target.slice(2)
      return target.startsWith('.') ? relative(root, resolve(root, dirname(path), target)) : ''
    })
    .filter((target) => target && !target.startsWith('..') && !target.startsWith('test/'))
}

const known = new Set(sources)

/** The files a file imports that are sources themselves, with their endings. */
const edges = new Map(
  sources.map((path) => [
    path,
    imports(path)
      .map((target) =>
        ['', '.ts', '.tsx', '/index.ts'].map((ending) => target + ending).find((file) => known.has(file)),
      )
      .filter((file) => file !== undefined),
  ]),
)

/** The first chain of imports that leads back to its start, types and lazy imports included; empty without one. */
function circle(): string[] {
  const done = new Set<string>()
  const walk = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return []
    for (const next of edges.get(path) ?? []) {
      const found = walk(next, [...trail, path])
      if (found.length > 0) return found
    }
    done.add(path)
    return []
  }
  for (const path of sources) {
    const found = walk(path, [])
    if (found.length > 0) return found
  }
  return []
}

/** As many files as a reader takes in at a glance; tests stand beside what they test and do not count. */
const MAX_FILES_PER_FOLDER = 12

describe('the source', () => {
  it('is read', () => expect(sources.length).toBeGreaterThan(40))

  it('has imports that are found', () => expect([...edges.values()].flat().length).toBeGreaterThan(sources.length))

  it('has no circle of imports', () => expect(circle()).toEqual([]))

  it('has no crowded folder', () => {
    const sizes = new Map<string, number>()
    for (const path of sources) {
      // every address of the site is a file of its own below routes
      if (path.includes('.test.') || path.startsWith('routes/')) continue
      sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
    }
    expect([...sizes].filter(([, size]) => size > MAX_FILES_PER_FOLDER)).toEqual([])
  })

  it.each(sources.filter((path) => path.includes('/')))('%s imports downwards only', (path) => {
    const [folder = '', feature] = path.split('/')
    if (folder === 'test') return
    for (const target of imports(path)) {
      const [towards = '', towardsFeature] = target.split('/')
      if (folder === 'features' && towards === 'features') expect(towardsFeature, target).toBe(feature)
      else if (towards !== folder) expect(allowed[folder], `${path} imports ${target}`).toContain(towards)
    }
  })

  it('names its type sizes', () => {
    const found = sources
      .filter((path) => path.endsWith('.tsx'))
      .flatMap((path) => {
        const sizes = readFileSync(join(root, path), 'utf8').match(/\btext-\[(?!var|color)[^\]]*\d[^\]]*\]/g) ?? []
        return sizes.map((size) => `${path}: ${size} is to be a token in styles/app.css`)
      })
    expect(found).toEqual([])
  })

  it('knows every type size of the styles in cn()', () => {
    const styles = readFileSync(join(root, 'styles/app.css'), 'utf8')
    const sizes = [...styles.matchAll(/--text-([\w-]+):/g)].map(([, name]) => name)
    expect(sizes.length).toBeGreaterThan(5)
    for (const size of sizes) expect(cn(`text-${size} text-ink`), size).toBe(`text-${size} text-ink`)
  })

  it('uses no utility that knows left from right', () => {
    const physical =
      /(?<![\w-])-?(?:m[lr]|p[lr]|left|right|border-[lr]|rounded-(?:[lr]|[tb][lr])|scroll-[mp][lr])-[\w[(]|\btext-(?:left|right)\b|\bfloat-(?:left|right)\b/
    const found = sources
      .filter((path) => path.endsWith('.tsx'))
      .flatMap((path) => {
        const classes = [...readFileSync(join(root, path), 'utf8').matchAll(/(?<=["'`])[^"'`\n]*(?=["'`])/g)]
        return classes.filter(([text]) => physical.test(text)).map(([text]) => `${path}: ${text}`)
      })
    expect(found).toEqual([])
  })
})
