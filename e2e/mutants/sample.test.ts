import { expect, it } from 'vitest'
import { loadCatalogue } from '../../server-core/conformance/catalogue/load-catalogue.ts'
import { loadProof } from '../../server-core/conformance/catalogue/load-proof.ts'
import { loadChecks } from '../../server-core/conformance/checks/load-checks.ts'
import { AREA_PROOFS } from './areas.ts'
import { checkOf } from './mutant.ts'
import { describe, proveMutant, runAgainst } from './prove.ts'

const [catalogue, proof, checks] = await Promise.all([loadCatalogue(), loadProof(), loadChecks()])
const mutants = AREA_PROOFS.flatMap((area) => area.mutants)

it('belongs to the catalogue: every check and every mutant', () => {
  expect(checks.filter(({ id }) => !catalogue.checks.has(id))).toEqual([])
  expect(mutants.filter((mutant) => !catalogue.checks.has(checkOf(mutant)))).toEqual([])
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
})

it('finds nothing in the reference server', async () => {
  const revisions = ['2024-11-05', '2025-11-25', '2026-07-28'] as const
  const report = await runAgainst('server', {}, { catalogue, checks, revisions })
  expect(report.cells).toHaveLength(9)
  expect(report.results.filter(({ findings }) => findings.length > 0).map(describe)).toEqual([])
  expect(report.summary.broken).toBe(0)
  expect(report.summary.passed).toBeGreaterThan(50)
})

it('finds nothing in the reference client', async () => {
  const report = await runAgainst(
    'client',
    {},
    {
      catalogue,
      checks,
      revisions: ['2026-07-28'],
      transports: ['http'],
    },
  )
  expect(report.results.filter(({ findings }) => findings.length > 0).map(describe)).toEqual([])
  expect(report.summary.broken).toBe(0)
  expect(report.summary.passed).toBeGreaterThan(5)
})

it.each([
  'm.base.id.echo-types',
  'm.base.wire.jsonrpc/server',
  'm.http.server.origin',
  'm.http26.client.headers',
  'm.ws.server.subprotocol',
  'm.auth.server.401',
  'm.auth.client.pkce',
])('finds %s by its own check alone', async (id) => {
  const mutant = mutants.find((each) => each.id === id)
  if (mutant === undefined) throw new Error(`there is no mutant ${id}`)
  const outcome = await proveMutant(mutant, { catalogue, checks, proof })
  expect(outcome.reason).toBeUndefined()
  expect(outcome.found).toBe(true)
  expect(outcome.falseAlarms.map(describe)).toEqual([])
})
