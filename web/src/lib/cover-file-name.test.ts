import { expect, it } from 'vitest'
import { coverFileName, newCoverFileName } from './cover-file-name'

it.each([
  ['The Lantern Keeper', 'png', 'the_lantern_keeper.png'],
  ['1984: A “Story”!', 'jpg', '1984__a__story__.jpg'],
  ['Über den Strom', 'png', 'über_den_strom.png'],
  ['حارسة المنارة', 'webp', 'حارسة_المنارة.webp'],
  ['', 'png', 'cover.png'],
])('the cover %j is saved as a %s named %s', (title, extension, name) =>
  expect(coverFileName(title, extension)).toBe(name),
)

it('a new cover is named after the moment', () =>
  expect(newCoverFileName(1_792_000, 'png')).toBe('book-cover-1792000.png'))
