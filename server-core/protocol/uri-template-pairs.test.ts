import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { compileUriTemplate, type UriVariables } from './uri-template.ts'

/** A part of a template, and the characters that may stand for it. */
type Part = { readonly literal: string } | { readonly name: string; readonly form: '' | '+' | '*' }

const literal = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-'), minLength: 1, maxLength: 3 })
const form = fc.constantFrom<'' | '+' | '*'>('', '+', '*')

/** Variables with texts between them, which often also occur in values: a reading has many ways to go. */
const parts = (holes: number) =>
  fc
    .tuple(
      fc.option(literal),
      fc.array(fc.tuple(form, literal), { minLength: 1, maxLength: holes }),
      fc.boolean(),
    )
    .map(([head, tail, closed]): readonly Part[] => [
      ...(head === null ? [] : [{ literal: head }]),
      ...tail.flatMap(([kind, text], index): Part[] => {
        const hole = { name: `v${index}`, form: kind }
        return closed || index < tail.length - 1 ? [hole, { literal: text }] : [hole]
      }),
    ])

const written = (template: readonly Part[]) =>
  template
    .map((part) => {
      if ('literal' in part) return part.literal
      return part.form === '+' ? `{+${part.name}}` : `{${part.name}${part.form}}`
    })
    .join('')

/** The first reading, trying short values first, by going back as often as it takes. */
function read(template: readonly Part[], uri: string): [string, string | readonly string[]][] | undefined {
  const [part, ...rest] = template
  if (part === undefined) return uri === '' ? [] : undefined
  if ('literal' in part) {
    return uri.startsWith(part.literal) ? read(rest, uri.slice(part.literal.length)) : undefined
  }
  for (let length = 1; length <= uri.length; length += 1) {
    const value = uri.slice(0, length)
    if (part.form !== '+' && /[/?#]/.test(value)) return undefined
    const further = read(rest, uri.slice(length))
    if (further !== undefined) return [[part.name, part.form === '*' ? value.split(',') : value], ...further]
  }
  return undefined
}

it('reads 10,000 pairs of templates and URIs as somebody does who tries every way', () => {
  const uri = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-', ',', '?'), maxLength: 12 })
  let matched = 0
  fc.assert(
    fc.property(parts(3), uri, (template, candidate) => {
      const found: UriVariables | undefined = compileUriTemplate(written(template)).match(candidate)
      const expected = read(template, candidate)
      expect(found).toEqual(expected === undefined ? undefined : Object.fromEntries(expected))
      if (found !== undefined) matched += 1
    }),
    { numRuns: 10_000 },
  )
  expect(matched).toBeGreaterThan(100)
})

it('looks at each character once for each part at most, whatever the template and the URI', () => {
  // Nothing but the template's own texts, over and over: the worst there is for who goes back.
  const evil = parts(30).chain((template) => {
    const texts = template.flatMap((part) => ('literal' in part ? [part.literal] : []))
    const unit = fc.constantFrom(...texts, 'a')
    return fc.tuple(fc.constant(template), fc.array(unit, { minLength: 300, maxLength: 600 }))
  })
  fc.assert(
    fc.property(evil, ([template, pieces]) => {
      const uri = pieces.join('')
      const compiled = compileUriTemplate(written(template))
      const spies = [vi.spyOn(String.prototype, 'charCodeAt'), vi.spyOn(String.prototype, 'startsWith')]
      let looks: number
      try {
        compiled.match(uri)
        looks = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
      } finally {
        for (const spy of spies) spy.mockRestore()
      }
      expect(looks).toBeLessThanOrEqual(template.length * (uri.length + 1) + 1)
    }),
    { numRuns: 50 },
  )
})
