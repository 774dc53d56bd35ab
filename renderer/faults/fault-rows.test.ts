import { expect, it } from 'vitest'
import type { FaultSettings } from '../../server-core/host/contract/faults.ts'
import {
  allOff,
  amountText,
  probabilityText,
  countsText,
  elsewhere,
  readAmount,
  readPercent,
  readSeed,
  rowsOf,
  withoutRule,
  withRule,
  type FaultRow,
  type Scope,
} from './fault-rows.ts'

const NONE: FaultSettings = { on: false, seed: 1, rules: [] }
const ANYWHERE: Scope = { tool: undefined, transport: undefined }
const FORECAST: Scope = { tool: 'forecast', transport: 'http' }

function row(settings: FaultSettings, scope: Scope, kind: FaultRow['kind']): FaultRow {
  const found = rowsOf(settings, scope).find((each) => each.kind === kind)
  if (found === undefined) throw new Error(`no line for ${kind}`)
  return found
}

it('offers what can be made on a transport', () => {
  const kinds = (scope: Scope) => rowsOf(NONE, scope).map(({ kind }) => kind)
  expect(kinds(ANYWHERE)).toContain('stderr-flood')
  expect(kinds(FORECAST)).not.toContain('stderr-flood')
  expect(kinds({ tool: undefined, transport: 'memory' })).not.toContain('status')
})

it('makes a rule of a line when it is first changed, and changes that one from then on', () => {
  const on = withRule(NONE, FORECAST, 'delay', { enabled: true })
  expect(on).toMatchObject({
    on: true,
    rules: [{ kind: 'delay', enabled: true, ms: 250, where: { tool: 'forecast', transport: 'http' } }],
  })
  const slower = withRule(on, FORECAST, 'delay', { amount: 900 })
  const rarer = withRule(slower, FORECAST, 'delay', { percent: 2.5 })
  expect(rarer.rules).toHaveLength(1)
  expect([amountText(row(rarer, FORECAST, 'delay')), probabilityText(row(rarer, FORECAST, 'delay'))]).toEqual(
    ['900', '2.5'],
  )
  expect(row(rarer, ANYWHERE, 'delay').rule).toBeUndefined()
  expect(elsewhere(rarer, ANYWHERE)).toEqual(rarer.rules)
  const [rule] = rarer.rules
  if (rule === undefined) throw new Error('no rule')
  expect(withoutRule(rarer, rule).rules[0]).toMatchObject({ enabled: false, ms: 900 })
  expect(allOff(rarer)).toEqual(withoutRule(rarer, rule))
  expect(countsText(rarer, { [rule.id]: 4 })).toBe('4 delay')
})

it('reads numbers as they are typed, and says what would fit', () => {
  expect(readAmount('12', { least: 1, most: 20 })).toEqual({ ok: true, value: 12 })
  expect(readAmount('', { least: 1, most: 20, optional: true })).toEqual({ ok: true, value: undefined })
  expect(readAmount('1e', { least: 1, most: 20 })).toEqual({
    ok: false,
    reason: 'a whole number from 1 to 20',
  })
  expect([readPercent('2.5'), readPercent('40 %')]).toMatchObject([{ value: 2.5 }, { value: 40 }])
  expect(readPercent('400')).toEqual({ ok: false, reason: 'a number from 0 to 100' })
  expect([readSeed('0x5eed'), readSeed('7')]).toMatchObject([{ value: 0x5eed }, { value: 7 }])
  expect(readSeed('x')).toMatchObject({
    ok: false,
    reason: expect.stringContaining('hexadecimal') as unknown,
  })
})
