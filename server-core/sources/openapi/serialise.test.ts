import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cookieParts,
  encodeValue,
  headerText,
  pathText,
  queryParts,
  type Serialisation,
  type Style,
} from './serialise.ts'

const as = (style: Style, explode: boolean, allowReserved = false): Serialisation => ({
  name: 'color',
  style,
  explode,
  allowReserved,
})
const LIST = ['blue', 'black', 'brown']
const PAIRS = { R: 100, G: 200, B: 150 }

/** The table of style examples of OpenAPI 3.1.1. */
describe('the style examples of the specification', () => {
  it.each<[Style, boolean, string, string, string, string]>([
    ['matrix', false, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ])('of a path: %s, explode %s', (style, explode, empty, text, list, pairs) => {
    const made = ['', 'blue', LIST, PAIRS].map((value) => pathText(as(style, explode), value))
    expect(made).toEqual([empty, text, list, pairs])
  })

  it.each<[Style, boolean, string, string, string]>([
    ['form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    [
      'spaceDelimited',
      false,
      'color=blue',
      'color=blue%20black%20brown',
      'color=R%20100%20G%20200%20B%20150',
    ],
    ['pipeDelimited', false, 'color=blue', 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
    [
      'deepObject',
      true,
      'color=blue',
      'color=blue&color=black&color=brown',
      'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
    ],
  ])('of a query: %s, explode %s', (style, explode, text, list, pairs) => {
    const made = ['blue', LIST, PAIRS].map((value) => queryParts(as(style, explode), value).join('&'))
    expect(made).toEqual([text, list, pairs])
    expect(queryParts(as(style, explode), [])).toEqual([])
    expect(queryParts(as(style, explode), null)).toEqual([])
  })

  it('of headers and cookies', () => {
    expect(headerText(as('simple', false), PAIRS)).toBe('R,100,G,200,B,150')
    expect(headerText(as('simple', true), PAIRS)).toBe('R=100,G=200,B=150')
    expect(headerText(as('simple', false), 'a b/ü')).toBe('a b/ü')
    expect(cookieParts(as('form', false), LIST)).toEqual(['color=blue,black,brown'])
    expect(cookieParts(as('form', true), 'a;b')).toEqual(['color=a%3Bb'])
  })
})

it('goes deeper into objects where the style can, and says the rest in JSON', () => {
  const value = { a: { b: 1, c: ['x', 'y'] }, d: null, 'e&': 'f' }
  expect(queryParts(as('deepObject', true), value)).toEqual([
    'color%5Ba%5D%5Bb%5D=1',
    'color%5Ba%5D%5Bc%5D=x',
    'color%5Ba%5D%5Bc%5D=y',
    'color%5Be%26%5D=f',
  ])
  expect(queryParts(as('form', true), [{ a: 1 }])).toEqual(['color=%7B%22a%22%3A1%7D'])
})

it('keeps what is reserved only where it is allowed', () => {
  expect(queryParts(as('form', true), 'a/b?c&d=1 é')).toEqual(['color=a%2Fb%3Fc%26d%3D1%20%C3%A9'])
  expect(queryParts(as('form', true, true), 'a/b?c d%20é%')).toEqual(['color=a/b?c%20d%20%C3%A9%25'])
})

const names = fc.string({ minLength: 1, unit: 'binary' })
const texts = fc.string({ unit: 'binary' })
const parsed = (parts: readonly string[]) => [...new URLSearchParams(parts.join('&').replaceAll('+', '%2B'))]
const asSent = (text: string) => text.toWellFormed()

describe('what was written can be read', () => {
  it('of every text, anywhere', () => {
    fc.assert(
      fc.property(names, texts, (name, text) => {
        const how = { ...as('form', true), name }
        expect(parsed(queryParts(how, text))).toEqual([[asSent(name), asSent(text)]])
        expect(decodeURIComponent(pathText({ ...how, style: 'simple' }, text) ?? '')).toBe(asSent(text))
        expect(pathText({ ...how, style: 'simple' }, text)).toMatch(/^[\w.~%-]*$/)
        expect(encodeValue(text)).not.toMatch(/[^\w.~%-]/)
      }),
    )
  })

  it('of lists and objects that are exploded', () => {
    fc.assert(
      fc.property(fc.array(texts), fc.dictionary(names, texts), (list, object) => {
        expect(parsed(queryParts(as('form', true), list))).toEqual(
          list.map((text) => ['color', asSent(text)]),
        )
        const pairs = Object.entries(object)
        expect(parsed(queryParts(as('form', true), object))).toEqual(
          pairs.map(([key, text]) => [asSent(key), asSent(text)]),
        )
        expect(parsed(queryParts(as('deepObject', true), object))).toEqual(
          pairs.map(([key, text]) => [`color[${asSent(key)}]`, asSent(text)]),
        )
      }),
    )
  })

  it('of lists that are joined: what joins them is in no item', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1 }), (list) => {
        const joints: readonly [Style, string][] = [
          ['form', ','],
          ['pipeDelimited', '%7C'],
        ]
        for (const [style, joint] of joints) {
          const [part = ''] = queryParts(as(style, false), list)
          const back = part.slice('color='.length).split(joint).map(decodeURIComponent)
          const isAmbiguous = style === 'pipeDelimited' && list.some((text) => text.includes('|'))
          if (!isAmbiguous) expect(back).toEqual(list.map(asSent))
        }
        const segment = pathText(as('matrix', true), list) ?? ''
        const items = segment
          .slice(1)
          .split(';')
          .map((item) => decodeURIComponent(item.split('=')[1] ?? ''))
        expect(items).toEqual(list.map(asSent))
      }),
    )
  })
})
