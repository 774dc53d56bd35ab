import { expect, it } from 'vitest'
import { declared, declaredGroups, GROUPS, isDeclared, withdrawn } from './capabilities.ts'

const all = GROUPS.flatMap(({ parts, ...group }) => [group, ...parts])

it.each(all)('$path can be declared and withdrawn again, and touches nothing else', (capability) => {
  const before = { experimental: { x: { deep: [1] } }, extensions: { 'a/b': {} } }
  const after = declared(before, capability)
  expect(isDeclared(after, capability.path)).toBe(true)
  expect(after).toMatchObject(before)
  const [group = ''] = capability.path
  const back = withdrawn(after, capability.path)
  expect(isDeclared(back, capability.path)).toBe(false)
  expect(withdrawn(back, [group])).toEqual(before)
})

it('keeps the siblings of a part', () => {
  const sampling = { sampling: { tools: { own: 1 }, mine: true } }
  expect(
    withdrawn(declared(sampling, { path: ['sampling', 'context'], label: '', value: {} }), [
      'sampling',
      'tools',
    ]),
  ).toEqual({
    sampling: { mine: true, context: {} },
  })
})

it('takes a flag that is false for one that is not there', () => {
  expect(isDeclared({ roots: { listChanged: false } }, ['roots', 'listChanged'])).toBe(false)
  expect(declaredGroups({ roots: {}, elicitation: { form: {} }, other: {} })).toEqual([
    'roots',
    'elicitation',
  ])
})
