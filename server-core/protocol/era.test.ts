import { describe, expect, it } from 'vitest'
import { isModernMessage, versionClaim } from './era.ts'
import { MetaKey } from './meta-keys.ts'

function call(method: string, claim?: unknown) {
  return claim === undefined
    ? { method }
    : { method, params: { _meta: { [MetaKey.protocolVersion]: claim } } }
}

describe('the version that a message claims', () => {
  it.each([
    ['what its _meta names', call('tools/list', '2026-07-28'), '2026-07-28'],
    ['whatever its type', call('tools/list', 7), 7],
    ['nothing without parameters', call('tools/list'), undefined],
    ['nothing where _meta is a list', { method: 'tools/list', params: { _meta: ['2026-07-28'] } }, undefined],
  ])('is %s', (_what, message, claim) => {
    expect(versionClaim(message)).toBe(claim)
  })
})

describe('a message is of the modern era', () => {
  it.each([
    ['a request with a claim', call('tools/call', '2026-07-28'), undefined, true],
    ['a request with a claim of a legacy revision', call('tools/call', '2025-11-25'), undefined, true],
    ['a request with a malformed claim', call('tools/call', null), undefined, true],
    ['a request without one', call('tools/call'), undefined, false],
    ['a request with a modern header', call('tools/call'), '2026-07-28', true],
    ['a request with a legacy header', call('tools/call'), '2025-11-25', false],
    ['a request with an unknown header', call('tools/call'), '2099-01-01', false],
    ['initialize', call('initialize'), undefined, false],
    ['initialize with a modern claim', call('initialize', '2026-07-28'), undefined, true],
    ['initialize with an unknown claim', call('initialize', '2099-01-01'), undefined, true],
    ['initialize with a legacy claim', call('initialize', '2025-06-18'), undefined, false],
    ['initialize with a malformed claim', call('initialize', 7), undefined, false],
    [
      'initialize with a legacy claim and a modern header',
      call('initialize', '2025-06-18'),
      '2026-07-28',
      true,
    ],
  ])('%s', (_what, message, header, isModern) => {
    expect(isModernMessage(message, header)).toBe(isModern)
  })
})
