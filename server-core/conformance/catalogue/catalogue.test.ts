import { expect, it } from 'vitest'
import { loadCatalogue, parseCatalogue } from './load-catalogue.ts'
import { loadProof } from './load-proof.ts'

it('holds every statement and check, and a fault for each check', async () => {
  const { statements, checks } = await loadCatalogue()
  expect(statements.size).toBe(979)
  expect(checks.size).toBe(441)
  const { mutants, lawful } = await loadProof()
  expect(mutants.map(({ id }) => id)).toEqual([...checks.keys()])
  expect(lawful).toHaveLength(45)
})

it('reads spans of revisions and lists of transports', async () => {
  const { statements } = await loadCatalogue()
  expect(statements.get('base.message.jsonrpc2')?.revisions).toHaveLength(5)
  expect(statements.get('http.origin.validate')?.transports).not.toContain('stdio')
})

it('names the check whose statement does not exist', () => {
  const check = {
    id: 'a.b',
    group: '',
    sides: ['server'],
    passive: false,
    severity: 'error',
    transports: ['stdio'],
    revisions: ['2025-11-25'],
    destructive: false,
    negative: false,
    needs: null,
    statements: ['missing'],
    probe: '',
    pass: '',
    fail: '',
    inconclusive: '',
  }
  expect(() => parseCatalogue([], [check])).toThrow('Check a.b names the statement missing')
  expect(() => parseCatalogue([], [{ ...check, severity: 'grave' }])).toThrow('invalid at 0.severity')
})
