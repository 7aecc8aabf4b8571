import { expect, it } from 'vitest'
import { genreGround, groundOf } from './genre-ground'

it('gives every usual genre its own cloth, and any other the plain one', () => {
  const cloths = ['fantasy', 'Sci-Fi', 'adventure', 'romance', 'thriller', 'mystery', 'Nordic noir']
  expect(new Set(cloths.map((genre) => genreGround(genre).cloth)).size).toBe(cloths.length)
  expect(genreGround('Nordic noir')).toEqual(genreGround(''))
})

it('inks dark grounds light and light ones dark', () => {
  expect(groundOf('#121212').ink).toBe('#fbf7ef')
  expect(groundOf('#f3c84b').ink).toBe('#1c1714')
})
