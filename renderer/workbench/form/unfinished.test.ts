import { describe, expect, it } from 'vitest'
import { describeSchema } from './describe-schema.ts'
import { changeAt, leaveOut, stepTo, typeJson, typeNumber } from './draft-edits.ts'
import { draftOfValue } from './draft-of-value.ts'
import type { Draft } from './draft.ts'
import { firstUnfinished } from './unfinished.ts'

const spec = describeSchema({
  type: 'object',
  properties: {
    a: { type: 'number' },
    point: { type: 'object', properties: { x: { type: 'integer' } } },
    sizes: { type: 'array', items: { type: 'number' } },
    either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    rest: {},
  },
  additionalProperties: { type: 'number' },
})
const a = stepTo('', 'm', 'a')
const whole = draftOfValue(spec, {
  a: 5,
  point: { x: 1 },
  sizes: [1, 2],
  either: 3,
  rest: [true],
  'more/er': 7,
})

function typed(path: string, text: string): Draft {
  return changeAt(spec, whole, path, typeNumber(text, true))
}

function idOfItem(place: number): string {
  const sizes = whole.body.type === 'object' ? whole.body.members.get('sizes') : undefined
  return (sizes?.body.type === 'list' ? sizes.body.items[place]?.id : undefined) ?? ''
}

function idOfPair(): string {
  return (whole.body.type === 'object' ? whole.body.pairs[0]?.id : undefined) ?? ''
}

describe('a form', () => {
  it('is finished when every field has a value or none', () => {
    expect(firstUnfinished(spec, whole)).toBeUndefined()
    expect(firstUnfinished(spec, typed(a, ''))).toBeUndefined()
    expect(firstUnfinished(spec, typed(a, ' 7 '))).toBeUndefined()
  })

  it.each(['abc', '007', '1e', '-', '5,5'])('is not finished while a number is “%s”', (text) => {
    expect(firstUnfinished(spec, typed(a, text))).toEqual({ pointer: '/a', name: 'a' })
  })

  it('names the place of a field further down', () => {
    const sizes = stepTo('', 'm', 'sizes')
    const within = (path: string) => firstUnfinished(spec, typed(path, 'x'))
    expect(within(stepTo(stepTo('', 'm', 'point'), 'm', 'x'))).toEqual({
      pointer: '/point/x',
      name: 'point.x',
    })
    expect(within(stepTo(sizes, 'i', idOfItem(1)))).toEqual({ pointer: '/sizes/1', name: 'sizes.1' })
    expect(within(stepTo(stepTo('', 'm', 'either'), 'v', 1))).toEqual({ pointer: '/either', name: 'either' })
    expect(within(stepTo('', 'p', idOfPair()))).toEqual({ pointer: '/more~1er', name: 'more/er' })
  })

  it('is not finished while JSON in a field stops in the middle', () => {
    const draft = changeAt(spec, whole, stepTo('', 'm', 'rest'), typeJson('[true, ', true))
    expect(firstUnfinished(spec, draft)).toEqual({ pointer: '/rest', name: 'rest' })
  })

  it('does not wait for a field that is left out', () => {
    expect(firstUnfinished(spec, changeAt(spec, typed(a, 'abc'), a, leaveOut))).toBeUndefined()
  })
})
