import { describe, expect, it } from 'vitest'
import { LATEST, REVISIONS, revisionRow, revisionsOf, STABLE, SUPPORTED } from './revisions.ts'

describe('revisions', () => {
  it('stand oldest first, each once', () => {
    expect([...SUPPORTED].sort()).toEqual(SUPPORTED)
    expect(new Set(SUPPORTED).size).toBe(SUPPORTED.length)
  })

  it('name the newest of all and the newest that opens with a handshake', () => {
    expect(SUPPORTED.at(-1)).toBe(LATEST)
    expect(revisionsOf('legacy').at(-1)).toBe(STABLE)
  })

  it('are found by their version string, and nothing else is', () => {
    for (const row of REVISIONS) expect(revisionRow(row.revision)).toBe(row)
    for (const version of ['', '1999-01-01', '__proto__', 'constructor'])
      expect(revisionRow(version)).toBeUndefined()
  })

  it('let only legacy servers send requests, and embed them in the modern era', () => {
    for (const { era, requests } of REVISIONS) {
      const asked = ['sampling/createMessage', 'roots/list', 'elicitation/create'].map(
        (method) => requests[method],
      )
      expect(new Set(asked)).toEqual(new Set([era === 'legacy' ? 'server-to-client' : 'embedded']))
    }
  })
})
