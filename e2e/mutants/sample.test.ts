import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { loadCatalogue } from '../../server-core/conformance/catalogue/load-catalogue.ts'
import { loadProof } from '../../server-core/conformance/catalogue/load-proof.ts'
import { loadChecks } from '../../server-core/conformance/checks/load-checks.ts'
import type { JsonObject } from '../../server-core/protocol/json.ts'
import { AREA_PROOFS } from './areas.ts'
import { checkOf, type Mutant } from './mutant.ts'
import { ODDITIES } from './oddities/oddities.ts'
import { describe, isReport } from './judge.ts'
import { proveMutant, proveOddity, runAgainst } from './prove.ts'
import { isProvedByTraffic, proveRecorded } from './prove-recorded.ts'
import { statementCoverage } from './statement-coverage.ts'
import { Traffic, TrafficRecorder } from './traffic.ts'
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

/** What a run may take on a machine that is busy with other tests. */
const RUN_MS = 60_000

/** Checks that are quick and look at every part of the engine; `npm run mutants` runs all. */
const SAMPLE = ['base.wire.', 'base.error.', 'jsonrpc.']
const only = (id: string) => SAMPLE.some((area) => id.startsWith(area))
/** The traffic of the reference pair, in which the faults of passive checks are made. */
const cells = {
  server: { side: 'server', revision: '2026-07-28', transport: 'http' },
  client: { side: 'client', revision: '2025-11-25', transport: 'stdio' },
} as const
const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-traffic-'))
const traffic = new Traffic(folder)
afterAll(() => rm(folder, { recursive: true }))

const mutantOf = (id: string): Mutant => {
  const mutant = mutants.find((each) => each.id === id)
  if (mutant === undefined) throw new Error(`there is no mutant ${id}`)
  return mutant
}

it.each(['server', 'client'] as const)(
  'finds nothing in the reference %s',
  async (side) => {
    const { revision, transport } = cells[side]
    const recorder = new TrafficRecorder()
    const options = { catalogue, checks, only, slow: false, onFrame: recorder.onFrame }
    const report = await runAgainst(side, {}, { ...options, revisions: [revision], transports: [transport] })
    expect(report.cells).toEqual([cells[side]])
    expect(report.results.filter(isReport).map(describe)).toEqual([])
    expect(report.summary.passed).toBeGreaterThan(5)
    await traffic.write(cells[side], recorder.framesOf(cells[side]))
  },
  RUN_MS,
)

it.each(['m.base.wire.response-xor/server', 'm.base.wire.jsonrpc/client'])(
  'finds %s in recorded traffic',
  async (id) => {
    const mutant = mutantOf(id)
    const { revision, transport } = cells[mutant.side]
    const options = { catalogue, checks, proof, revisions: [revision], transports: [transport] }
    expect(await isProvedByTraffic(mutant, traffic, options)).toBe(true)
    const outcome = await proveRecorded(mutant, traffic, options)
    expect(outcome.reason).toBeUndefined()
    expect(outcome.falseAlarms.map(describe)).toEqual([])
    expect(outcome.own.map(({ cell }) => cell)).toEqual([cells[mutant.side]])
    // The same check finds nothing in the traffic as it is.
    const correct = { ...mutant, fault: { outgoing: (message: JsonObject) => message } }
    expect((await proveRecorded(correct, traffic, options)).found).toBe(false)
  },
  RUN_MS,
)

/** Each kind of fault, and both sides. */
it.each([
  ['m.base.id.echo-types', 'stdio'],
  ['m.base.batch.empty', 'http'],
  ['m.http.server.priming', 'http'],
  ['m.ws.server.subprotocol', 'websocket'],
  ['m.auth.server.invalid-token', 'http'],
  ['m.icons.client.schemes', 'stdio'],
  ['m.auth.client.pkce', 'http'],
] as const)(
  'finds %s by its own check over %s',
  async (id, transport) => {
    const mutant = mutantOf(id)
    const own = checks.filter((check) => check.id === checkOf(mutant))
    const options = { catalogue, checks: own, proof, transports: [transport] }
    const outcome = await proveMutant(mutant, options)
    expect(outcome.reason).toBeUndefined()
    expect(outcome.found).toBe(true)
  },
  RUN_MS,
)

it.each(['o.json-forms', 'o.ignores-notices'])(
  'reports nothing of %s',
  async (id) => {
    const oddity = ODDITIES.find((each) => each.id === id)
    if (oddity === undefined) throw new Error(`there is no oddity ${id}`)
    const cell = { revisions: ['2025-11-25'], transports: ['stdio'] } as const
    const { report, bad } = await proveOddity(oddity, {
      catalogue,
      checks,
      ...cell,
      only,
    })
    expect(report.cells).toHaveLength(1)
    expect(bad.map(describe)).toEqual([])
  },
  RUN_MS,
)
