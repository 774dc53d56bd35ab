import { expect, it } from 'vitest'
import { loadCatalogue } from '../../server-core/conformance/catalogue/load-catalogue.ts'
import { loadProof } from '../../server-core/conformance/catalogue/load-proof.ts'
import { loadChecks } from '../../server-core/conformance/checks/load-checks.ts'
import { AREA_PROOFS } from './areas.ts'
import { checkOf } from './mutant.ts'
import { ODDITIES } from './oddities/oddities.ts'
import { describe, proveMutant, proveOddity, runAgainst } from './prove.ts'
import { statementCoverage } from './statement-coverage.ts'
import { WITHOUT_MUTANT } from './without-mutant.ts'

const [catalogue, proof, checks] = await Promise.all([loadCatalogue(), loadProof(), loadChecks()])
const mutants = AREA_PROOFS.flatMap((area) => area.mutants)

it('belongs to the catalogue: every check and every mutant', () => {
  expect(checks.filter(({ id }) => !catalogue.checks.has(id))).toEqual([])
  expect(mutants.filter((mutant) => !catalogue.checks.has(checkOf(mutant)))).toEqual([])
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
})

it('names a reason for each examination without a mutant, and for no other', () => {
  const { unproved } = statementCoverage(catalogue, checks, mutants)
  expect(unproved.toSorted()).toEqual(Object.keys(WITHOUT_MUTANT).toSorted())
})

it('covers the statements, and has a peer for each lawful oddity', () => {
  const { rows, uncovered, isReached } = statementCoverage(catalogue, checks, mutants)
  expect(isReached).toBe(true)
  expect(uncovered).toEqual([])
  expect(rows.map(({ covered, total }) => [covered, total])).toEqual([
    [608, 608],
    [215, 215],
    [407, 407],
  ])
  expect(new Set(ODDITIES.map(({ row }) => row)).size).toBe(proof.lawful.length)
})

/** What a run of the catalogue may take on a machine that is busy with other tests. */
const RUN_MS = 120_000

/** Checks that are quick and look at every part of the engine; `npm run mutants` runs all. */
const SAMPLE = ['base.', 'jsonrpc.', 'lifecycle.', 'tools.', 'auth.']
const only = (id: string) => SAMPLE.some((area) => id.startsWith(area))

it.each(['server', 'client'] as const)(
  'finds nothing in the reference %s',
  async (side) => {
    const cell = { revisions: ['2026-07-28'], transports: ['http'] } as const
    const report = await runAgainst(side, {}, { catalogue, checks, only, slow: false, ...cell })
    expect(report.cells).toHaveLength(1)
    expect(report.results.filter(({ findings }) => findings.length > 0).map(describe)).toEqual([])
    expect(report.summary.broken).toBe(0)
    expect(report.summary.passed).toBeGreaterThan(10)
  },
  RUN_MS,
)

it.each([
  'm.base.id.echo-types',
  'm.http.server.origin',
  'm.ws.server.subprotocol',
  'm.auth.server.401',
  'm.auth.client.pkce',
])(
  'finds %s by its own check',
  async (id) => {
    const mutant = mutants.find((each) => each.id === id)
    if (mutant === undefined) throw new Error(`there is no mutant ${id}`)
    const outcome = await proveMutant(mutant, { catalogue, checks, proof, ownOnly: true })
    expect(outcome.reason).toBeUndefined()
    expect(outcome.found).toBe(true)
  },
  RUN_MS,
)

it.each(['o.extra-members', 'o.json-forms', 'o.ignores-notices'])(
  'reports nothing of %s',
  async (id) => {
    const oddity = ODDITIES.find((each) => each.id === id)
    if (oddity === undefined) throw new Error(`there is no oddity ${id}`)
    const cell = { revisions: ['2025-11-25'], transports: ['stdio'] } as const
    const { report, bad } = await proveOddity(oddity, {
      catalogue,
      checks,
      ...cell,
      only: (check) => ['base.', 'tools.'].some((area) => check.startsWith(area)),
    })
    expect(report.cells).toHaveLength(1)
    expect(bad.map(describe)).toEqual([])
  },
  RUN_MS,
)
