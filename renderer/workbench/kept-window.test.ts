import { describe, expect, it } from 'vitest'
import { argumentsText, changeArguments, newArguments, typeArguments } from './form/arguments-state.ts'
import { describeSchema } from './form/describe-schema.ts'
import { stepTo, typeText } from './form/draft-edits.ts'
import { keptText, keptWindowSchema, parseKept, type KeptWindow } from './kept-window.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, more: { type: 'object' } },
}
const spec = describeSchema(schema)
const NOTHING = { serverId: 's', tabs: [], activeId: undefined }

function readKept(text: string): KeptWindow | undefined {
  const read = keptWindowSchema.safeParse(parseKept(text))
  return read.success ? read.data : undefined
}

function reloaded(window: KeptWindow): KeptWindow | undefined {
  return readKept(keptText(window, 100_000))
}

describe('what is kept of the window', () => {
  it('holds every draft as it was, unfinished ones and every digit of a number included', () => {
    const typed = typeArguments(
      spec,
      newArguments(spec),
      '{ "more": { "id": 12345678901234567890, "x": 1.0 } }',
    )
    const unfinished = changeArguments(spec, typed, stepTo('', 'm', 'days'), typeText('1e', true))
    const broken = typeArguments(spec, unfinished, '{ "city": ')
    const works = [typed, unfinished, broken].map(
      (state, place) => [String(place), { schema, arguments: state, page: 'call' }] as const,
    )
    const back = reloaded({ ...NOTHING, works })
    expect(back?.works).toEqual(works)
    const state = back?.works[1]?.[1].arguments
    expect(state === undefined ? '' : argumentsText(spec, state)).toContain('12345678901234567890')
  })

  it('leaves out what does not fit, and nothing else', () => {
    const work = (city: string) => ({
      schema,
      arguments: typeArguments(spec, newArguments(spec), JSON.stringify({ city })),
      page: 'call',
    })
    const works = [
      ['small', work('Oslo')],
      ['large', work('x'.repeat(200_000))],
      ['last', work('Rome')],
    ] as const
    const tabs = [{ kind: 'tool', serverId: 's', name: 't' }] as const
    const text = keptText({ serverId: 's', tabs, activeId: 'a', works }, 100_000)
    expect(text.length).toBeLessThan(100_000)
    const back = readKept(text)
    expect(back).toMatchObject({ serverId: 's', tabs, activeId: 'a' })
    expect(back?.works.map(([id]) => id)).toEqual(['small', 'last'])
  })

  it('is not what another version of the page has kept', () => {
    expect(readKept('{"format":0,"tabs":[]}')).toBeUndefined()
    expect(readKept('[]')).toBeUndefined()
  })
})
