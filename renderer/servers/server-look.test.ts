import { describe, expect, it } from 'vitest'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { marksOf, restartWord, stateOf, subLine } from './server-look.ts'

const base: ServerState = {
  id: 'a',
  name: 'everything',
  origin: 'user',
  transport: 'stdio',
  chosen: { transport: 'stdio', protocol: 'auto' },
  declaration: { identity: { name: 'patchbay', version: '0' }, capabilities: {}, isChosen: false },
  summary: 'npx server',
  approval: 'approved',
  status: 'disconnected',
  probe: [],
}
const failure = { code: 'exited', title: 'exited with code 1', explanation: '', at: 0 }

describe('how a server looks', () => {
  it('has an icon and a word for each state', () => {
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

  it('shows the problem in the second line', () => {
    expect(subLine({ ...base, status: 'failed', failure })).toBe('exited with code 1')
    expect(subLine({ ...base, approval: 'changed', status: 'failed', failure })).toBe(
      'stdio · changed since approved',
    )
    expect(subLine({ ...base, status: 'connected', revision: '2026-07-28' })).toBe('stdio · 2026-07-28')
    expect(
      subLine({ ...base, status: 'connecting', probe: [{ step: 'server/discover', outcome: 'no answer' }] }),
    ).toBe('stdio · server/discover: no answer')
    expect(subLine({ ...base, status: 'connecting', waiting: { since: 0 } })).toBe('stdio · no response yet')
  })

  it('abbreviates names to two unique letters', () => {
    expect(marksOf(['This app', 'everything', 'docs-search', 'x', '☃'])).toEqual([
      'Ta',
      'ev',
      'ds',
      'x',
      '··',
    ])
    expect(marksOf(['10k-tools', '10000', '1000', '100'])).toEqual(['1t', '10', '12', '13'])
    expect(marksOf(['everything', 'everything', 'Everything', 'ev'])).toEqual(['ev', 'ee', 'Er', 'e2'])
    expect(
      marksOf(['127.0.0.1:8123', 'localhost:3001', 'localhost:3002', '127.0.0.1:9123', '10.0.0.5']),
    ).toEqual(['23', '01', '02', '10', '05'])
    expect(new Set(marksOf(Array.from({ length: 40 }, () => 'a'))).size).toBe(40)
  })

  it('names the action Restart for a stdio server and Reconnect for others', () => {
    expect(restartWord(base)).toBe('Restart')
    expect(restartWord({ transport: 'http' }, 'docs')).toBe('Reconnect docs')
  })
})
