import { describe, expect, it } from 'vitest'
import {
  argumentsOfText,
  argumentsText,
  changeArguments,
  movedTo,
  newArguments,
  putBack,
  typeArguments,
} from './arguments-state.ts'
import { describeSchema } from './describe-schema.ts'
import { stepTo, typeNumber, typeText } from './draft-edits.ts'

const spec = describeSchema({
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
})
const city = stepTo('', 'm', 'city')

describe('arguments', () => {
  it('print what the form holds', () => {
    const state = changeArguments(spec, newArguments(spec), city, typeText('Oslo', true))
    expect(argumentsText(spec, state)).toBe('{\n  "city": "Oslo"\n}')
  })

  it('keep JSON text as it was typed and fill the form from it', () => {
    const state = typeArguments(spec, newArguments(spec), '{"days":9007199254740993,  "city":"Oslo"}')
    expect(argumentsText(spec, state)).toBe('{"days":9007199254740993,  "city":"Oslo"}')
    const edited = changeArguments(spec, state, city, typeText('Bergen', true))
    expect(argumentsText(spec, edited)).toBe('{\n  "city": "Bergen",\n  "days": 9007199254740993\n}')
  })

  it('keep text that is not JSON, say where, and show the last values in the form', () => {
    const before = argumentsOfText(spec, '{"city":"Oslo"}')
    const state = typeArguments(spec, before, '{"city":"Oslo", }')
    expect(argumentsText(spec, state)).toBe('{"city":"Oslo", }')
    expect(state.problem).toMatchObject({ line: 1, column: 17 })
    expect(state.draft).toBe(before.draft)
    expect(typeArguments(spec, before, '[1]').problem?.message).toBe('arguments must be a JSON object')
  })

  it('set unfinished text aside when the form is edited, and put it back', () => {
    const state = typeArguments(spec, argumentsOfText(spec, '{"city":"Oslo"}'), '{"city":"Oslo", "da')
    const edited = changeArguments(spec, state, city, typeText('Bergen', true))
    expect(edited.setAside).toBe('{"city":"Oslo", "da')
    const again = changeArguments(spec, edited, city, typeText('Bodø', true))
    expect(argumentsText(spec, putBack(spec, again))).toBe('{"city":"Oslo", "da')
  })

  it('move to a changed schema without losing a value', () => {
    const changed = describeSchema({ type: 'object', properties: { city: { type: 'integer' } } })
    const state = changeArguments(
      spec,
      argumentsOfText(spec, '{"city":"Oslo","days":1.0}'),
      stepTo('', 'm', 'days'),
      typeNumber('2', true),
    )
    expect(argumentsText(changed, movedTo(changed, spec, state))).toBe('{\n  "city": "Oslo",\n  "days": 2\n}')
  })
})
