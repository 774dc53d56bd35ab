import { expect, it } from 'vitest'
import { walkWire } from './walk.ts'

function definitionsIn(value: unknown): readonly string[] {
  const names: string[] = []
  walkWire('2025-11-25', 'EnumSchema', value, [], {
    definition: (name) => names.push(name),
    text: () => undefined,
    stray: () => undefined,
    unknown: () => undefined,
    meta: () => undefined,
  })
  return names
}

const multi = (items: object) => ({ type: 'array', items })

it('goes along the kind of a union that fits as a whole, not along the first that looks like it', () => {
  const titled = multi({ anyOf: [{ const: 'a', title: 'A' }] })
  expect(definitionsIn(titled)).toContain('TitledMultiSelectEnumSchema')
  expect(definitionsIn(titled)).not.toContain('UntitledMultiSelectEnumSchema')
  expect(definitionsIn(multi({ type: 'string', enum: ['a'] }))).toContain('UntitledMultiSelectEnumSchema')
})

it('goes along the first kind that looks like a value that fits none', () => {
  expect(definitionsIn(multi({}))).toContain('UntitledMultiSelectEnumSchema')
})
