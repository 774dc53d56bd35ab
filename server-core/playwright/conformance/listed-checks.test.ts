import { expect, it } from 'vitest'
import type { ConformanceOptions } from './conformance-options.ts'
import { listedChecks } from './listed-checks.ts'

const ids = (options: ConformanceOptions): readonly string[] => listedChecks(options).map(({ id }) => id)

it('has the checks of a suite, passive ones last', () => {
  const usual = listedChecks({})
  expect(usual.some(({ slow, ends, destructive }) => slow ?? ends ?? destructive)).toBe(false)
  const firstPassive = usual.findIndex(({ passive }) => passive === true)
  expect(usual.slice(firstPassive).every(({ passive }) => passive === true)).toBe(true)
  expect(ids({ suite: 'all' })).toHaveLength(273)
  expect(ids({ slow: true }).length).toBeGreaterThan(usual.length)
  expect(listedChecks({ suite: 'must' }).some(({ severity }) => severity === 'warning')).toBe(false)
  expect(ids({ suite: '2026.11' }).length).toBeLessThan(273)
})

it('includes and excludes by id, by the beginning of ids and by pattern', () => {
  expect(ids({ include: 'ping.server' })).toContain('ping.server')
  expect(ids({ include: 'ping' }).every((id) => id.startsWith('ping.'))).toBe(true)
  expect(ids({ include: ['tools', /^jsonrpc\.unknown/], exclude: /names$/ })).toSatisfy(
    (all: readonly string[]) =>
      all.includes('jsonrpc.unknown-method.server') && !all.includes('tools.server.names'),
  )
})

it('leaves out checks of other revisions and transports', () => {
  const modern = listedChecks({ revisions: ['2026-07-28'], transports: ['stdio'] })
  expect(modern.every(({ revisions }) => revisions.includes('2026-07-28'))).toBe(true)
  expect(modern.every(({ transports }) => transports.includes('stdio'))).toBe(true)
  expect(modern.length).toBeLessThan(ids({}).length)
})

it('says that no check is left', () => {
  expect(() => listedChecks({ include: 'nothing' })).toThrow('conformance(): no check is left')
})
