import { expect, type Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

/** The rule that takes the longest, and the only one that colours can break. */
const COLOURS = 'color-contrast'

/** Which rules are looked at: all, those that colours can break, or those that they cannot. */
export type Rules = 'all' | 'colours' | 'all but colours'

const narrowed: Record<Rules, RunOptions> = {
  all: {},
  colours: { runOnly: { type: 'rule', values: [COLOURS] } },
  'all but colours': { rules: { [COLOURS]: { enabled: false } } },
}

/** What would keep somebody from using the page as it stands: broken rules, each with the first place. */
export async function barriers(page: Page, rules: Rules = 'all'): Promise<string[]> {
  // once for each document: it is half a megabyte
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  // where no script may run, in a frame, the examination would wait for ever
  const options: RunOptions = { ...narrowed[rules], resultTypes: ['violations'], iframes: false }
  return page.evaluate(async (how) => {
    // colours that were told to change have begun to two frames later, and what was fading before goes on
    for (let frame = 0; frame < 2; frame += 1) await new Promise((next) => requestAnimationFrame(next))
    const changing = document.getAnimations().filter((change) => change instanceof CSSTransition)
    await Promise.allSettled(changing.map(({ finished }) => finished))
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, how)
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)
  }, options)
}

/** Fails when a screen reader, or somebody with weak eyes, would be lost on the page as it stands. */
export async function accessible(page: Page): Promise<void> {
  // what is still fading in has less contrast than it will have
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // a page whose code is still on its way has no heading yet
  await expect(page.locator('h1').first()).toBeAttached()
  expect(await barriers(page)).toEqual([])
}

/** What had the focus while a bar that sticks to the window lay over it, on a walk by keyboard there and back. */
export async function hiddenFocus(page: Page): Promise<string[]> {
  const hidden: string[] = []
  for (const key of ['Tab', 'Shift+Tab'])
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press(key)
      const covered = await page.evaluate(() => {
        const focused = document.activeElement
        if (!focused || focused === document.body) return ''
        const { left, top, width, height } = focused.getBoundingClientRect()
        let over = document.elementFromPoint(left + width / 2, top + height / 2)
        if (over && (focused.contains(over) || over.contains(focused))) return ''
        while (over && !['fixed', 'sticky'].includes(getComputedStyle(over).position)) over = over.parentElement
        return over && !over.contains(focused) ? focused.outerHTML.slice(0, 80) : ''
      })
      if (covered) hidden.push(covered)
    }
  return hidden
}

/** Fails when the page as it stands is wider than a phone. */
export async function fits(page: Page): Promise<void> {
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  if (wide) await page.setViewportSize(wide)
}
