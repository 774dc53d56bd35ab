import { expect, it } from 'vitest'
import { ShortProperties } from './short-properties.ts'

const TEXT = `import { sun } from './sun.ts'
const all = { sun, light: sun, sun: 1, [sun]: sun }
const { sun, moon: sun, sun: moon } = all
function f({ sun, sun = 2 }: { sun: number }) { return all.sun }
`
const short = new ShortProperties('a.ts', TEXT)
const places = Array.from(TEXT.matchAll(/\bsun\b(?!\.ts)/g), ({ index }) => index)

it('tells properties, variables, and what is both', () => {
  expect(places.map((place) => short.kindAt(place))).toEqual([
    'variable',
    ...['both', 'variable', 'property', 'variable', 'variable'],
    ...['both', 'variable', 'property'],
    ...['both', 'both', 'property', 'property'],
  ])
})

it('keeps the other half of what is short for both', () => {
  const [imported = 0, inObject = 0] = places
  expect(short.renamed(imported, 'sun', 'moon', 'variable')).toBe('moon')
  expect(short.renamed(inObject, 'sun', 'moon', 'variable')).toBe('sun: moon')
  expect(short.renamed(inObject, 'sun', 'moon', 'property')).toBe('moon: sun')
})
