import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Fails when a screen reader, or somebody with weak eyes, would be lost on the page as it stands. */
export async function accessible(page: Page): Promise<void> {
  // what is still fading in has less contrast than it will have
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // where no script may run, the examination would wait for ever
  const { violations } = await new AxeBuilder({ page }).exclude('iframe[sandbox]').analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)).toEqual([])
}
