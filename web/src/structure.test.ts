// @vitest-environment node
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

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
  features: ['payments', 'ui', 'i18n', 'api', 'lib'],
  payments: ['ui', 'i18n', 'api', 'lib'],
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

describe('the source', () => {
  it('is read', () => expect(sources.length).toBeGreaterThan(40))

  it.each(sources.filter((path) => path.includes('/')))('%s imports downwards only', (path) => {
    const [folder = '', feature] = path.split('/')
    if (folder === 'test') return
    for (const target of imports(path)) {
      const [towards = '', towardsFeature] = target.split('/')
      if (folder === 'features' && towards === 'features') expect(towardsFeature, target).toBe(feature)
      else if (towards !== folder) expect(allowed[folder], `${path} imports ${target}`).toContain(towards)
    }
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
