import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

/** The language whose files are answered with the bracketed English ones; any but English would do. */
export const PSEUDO = 'de'

const OPEN = '⟦'
const CLOSE = '⟧'

function bracketed(node: unknown): unknown {
  if (typeof node === 'string') return OPEN + node + CLOSE
  if (Array.isArray(node)) return node.map(bracketed)
  return Object.fromEntries(Object.entries(node as object).map(([key, value]) => [key, bracketed(value)]))
}

/** Answers the files of one language with English texts in brackets, and has the browser bracket what it formats itself. */
export async function speakPseudo(page: Page): Promise<void> {
  await page.route(`**/locales/${PSEUDO}/*.json*`, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1)
    const english = readFileSync(new URL(`../public/locales/en/${name}`, import.meta.url), 'utf8')
    return route.fulfill({ json: bracketed(JSON.parse(english)) })
  })
  await page.addInitScript(
    ([open, close]) => {
      const wrap = (text: string) => (/\p{L}/u.test(text) ? open + text + close : text)
      const { DateTimeFormat, RelativeTimeFormat, NumberFormat } = Intl
      for (const [formatter, name] of [
        [DateTimeFormat.prototype, 'format'],
        [NumberFormat.prototype, 'format'],
      ] as const) {
        const getter = Object.getOwnPropertyDescriptor(formatter, name)?.get
        Object.defineProperty(formatter, name, {
          get() {
            const format = getter?.call(this)
            return (value: number) => wrap(format(value))
          },
        })
      }
      const ago = RelativeTimeFormat.prototype.format
      RelativeTimeFormat.prototype.format = function (value: number, unit: Intl.RelativeTimeFormatUnit) {
        return wrap(ago.call(this, value, unit))
      }
      const parts = NumberFormat.prototype.formatToParts
      NumberFormat.prototype.formatToParts = function (value) {
        return parts.call(this, value ?? 0).map((part) => ({ ...part, value: wrap(part.value) }))
      }
    },
    [OPEN, CLOSE] as const,
  )
}

/**
 * The words a page shows that came from no text file. Left out: what people wrote or named (bdi, dir=auto, code, fields),
 * names of languages (lang), pictures and what only machines read.
 */
export async function unbracketed(page: Page): Promise<string[]> {
  return page.evaluate(
    ([open, close]) => {
      const machines = 'script, style, svg, template, input, textarea'
      const written = 'bdi, code, pre, [dir=auto], [translate=no], [lang]'
      // a name that stands somewhere as one may also be read out or offered in a list
      const names = new Set([...document.body.querySelectorAll(written)].map(({ textContent }) => textContent?.trim()))
      const found: string[] = []
      let depth = 0
      let run = ''
      const end = () => {
        if (/\p{L}/u.test(run) && !names.has(run.trim())) found.push(run.trim())
        run = ''
      }
      const note = (text: string) => {
        for (const letter of text) {
          if (letter === open) {
            end()
            depth += 1
          } else if (letter === close) depth -= 1
          else if (depth === 0) run += letter
        }
        end()
      }
      const walk = (element: Element) => {
        if (element !== document.body && element.matches(`${machines}, ${written}`)) return
        for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'aria-roledescription'])
          if (element.hasAttribute(name)) note(element.getAttribute(name) ?? '')
        for (const child of element.childNodes) {
          if (child instanceof Text) note(child.data)
          else if (child instanceof Element) walk(child)
        }
      }
      note(document.title)
      walk(document.body)
      for (const field of document.querySelectorAll('input, textarea')) {
        note(field.getAttribute('placeholder') ?? '')
        note(field.getAttribute('aria-label') ?? '')
      }
      return depth === 0 ? found : [...found, `${depth} brackets are open at the end`]
    },
    [OPEN, CLOSE] as const,
  )
}
