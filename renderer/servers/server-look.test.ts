import { describe, expect, it } from 'vitest'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { stateOf, subLine, twoLetters } from './server-look.ts'

const base: ServerState = {
  id: 'a',
  name: 'everything',
  origin: 'user',
  transport: 'stdio',
  summary: 'npx server',
  approval: 'approved',
  status: 'disconnected',
  probe: [],
}
const failure = { code: 'exited', title: 'exited with code 1', explanation: '', at: 0 }

describe('how a server looks', () => {
  it('has a shape and a word for each state', () => {
    const looks = [
      base,
      { ...base, status: 'connected' as const },
      { ...base, status: 'connecting' as const },
      { ...base, approval: 'needed' as const },
      { ...base, status: 'failed' as const, failure },
      { ...base, status: 'failed' as const, failure: { ...failure, httpStatus: 401 } },
    ].map(stateOf)
    expect(new Set(looks.map((look) => look.icon)).size).toBe(looks.length)
    expect(new Set(looks.map((look) => look.word)).size).toBe(looks.length)
  })

  it('says the problem in the second line', () => {
    expect(subLine({ ...base, status: 'failed', failure })).toBe('exited with code 1')
    expect(subLine({ ...base, approval: 'changed', status: 'failed', failure })).toBe(
      'stdio · changed since approved',
    )
    expect(subLine({ ...base, status: 'connected', revision: '2026-07-28' })).toBe('stdio · 2026-07-28')
    expect(
      subLine({ ...base, status: 'connecting', probe: [{ step: 'server/discover', outcome: 'no answer' }] }),
    ).toBe('stdio · server/discover: no answer')
  })

  it('has two letters', () => {
    expect(['This app', 'everything', 'docs-search', 'x', '☃'].map(twoLetters)).toEqual([
      'Ta',
      'ev',
      'ds',
      'x',
      '··',
    ])
  })
})
