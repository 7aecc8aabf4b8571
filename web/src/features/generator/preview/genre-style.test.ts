import { expect, it } from 'vitest'
import { genreStyle, titleSize } from './genre-style'

it('gives every usual genre its own cloth, and any other the plain one', () => {
  const cloths = ['fantasy', 'Sci-Fi', 'adventure', 'romance', 'thriller', 'mystery', 'Nordic noir']
  expect(new Set(cloths.map((genre) => genreStyle(genre).cloth)).size).toBe(cloths.length)
  expect(genreStyle('Nordic noir')).toBe(genreStyle(''))
})

it('sets long titles, long words and titles of square books smaller', () => {
  expect(titleSize('Kiln', 'book')).toBeGreaterThan(titleSize('The Lantern Keeper', 'book'))
  expect(titleSize('The Lantern Keeper', 'book')).toBeGreaterThan(titleSize('T'.repeat(18), 'book'))
  expect(titleSize('Kiln', 'book', 1)).toBeLessThan(titleSize('Kiln', 'book'))
  expect(titleSize('W'.repeat(100), 'book') * 100 * 0.72).toBeLessThanOrEqual(80)
  expect(titleSize('時計職人の娘と海辺の町', 'book')).toBe(titleSize('A word of it', 'book'))
})
