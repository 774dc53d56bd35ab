import { describe, expect, it } from 'vitest'
import {
  ASSUMED,
  handshakeRow,
  LATEST,
  REVISIONS,
  revisionRow,
  revisionsOf,
  STABLE,
  SUPPORTED,
} from './revisions.ts'

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

  it('name those that open with a handshake, and the pre-release by its twin', () => {
    for (const row of REVISIONS) {
      expect(handshakeRow(row.revision)).toBe(row.era === 'legacy' ? row : undefined)
    }
    expect(handshakeRow('2024-10-07')?.revision).toBe('2024-11-05')
    expect(revisionRow('2024-10-07')).toBeUndefined()
    expect(handshakeRow('1999-01-01')).toBeUndefined()
  })

  it('let only legacy servers send requests, and embed them in the modern era', () => {
    for (const { revision, era, requests } of REVISIONS) {
      const methods = ['sampling/createMessage', 'roots/list', 'elicitation/create']
      const asked = methods.map((method) => requests[method])
      const hasElicitation = revision >= '2025-06-18'
      const way = era === 'legacy' ? 'server-to-client' : 'embedded'
      expect(asked).toEqual([way, way, hasElicitation ? way : undefined])
    }
  })

  it('take requests that name no revision for the newest whose requests never do', () => {
    const unnamed = REVISIONS.findLast(({ versionHeader }) => versionHeader === 'none')
    expect(ASSUMED).toBe(unnamed?.revision)
  })

  it('read batches in one revision only', () => {
    expect(REVISIONS.filter(({ batches }) => batches).map(({ revision }) => revision)).toEqual(['2025-03-26'])
  })

  it('declare the parent of each capability, and each capability once', () => {
    for (const { clientCapabilities, serverCapabilities } of REVISIONS) {
      for (const paths of [clientCapabilities, serverCapabilities]) {
        expect(new Set(paths).size).toBe(paths.length)
        for (const path of paths) {
          const parent = path.split('.').slice(0, -1).join('.')
          if (parent !== '') expect(paths).toContain(parent)
        }
      }
    }
  })

  it('give a meaning to the code of a missing resource', () => {
    for (const { errorCodes, resourceNotFoundCode } of REVISIONS) {
      expect(errorCodes).toContain(resourceNotFoundCode)
    }
  })
})
