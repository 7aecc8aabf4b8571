import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Fails when a screen reader, or somebody with weak eyes, would be lost on the page as it stands. */
export async function accessible(page: Page): Promise<void> {
  // what is still fading in has less contrast than it will have
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([])
}
