import type { Catalogue, Side, Statement } from '../../server-core/conformance/catalogue/catalogue.ts'
import { examines, type Check } from '../../server-core/conformance/check.ts'
import { checkOf, type Mutant } from './mutant.ts'

/** How many statements of one kind have a check. */
type CoverageRow = {
  readonly name: string
  readonly total: number
  readonly covered: number
  /** Those with a check that a mutant proves. */
  readonly proved: number
  /** Those that the official suite covers. */
  readonly suite?: number
}

type Coverage = {
  readonly rows: readonly CoverageRow[]
  /** Testable statements without a check. */
  readonly uncovered: readonly string[]
  /** Checks with their side that no mutant proves. */
  readonly unproved: readonly string[]
  /** Every MUST and 95 % of the SHOULDs have a check. */
  readonly isReached: boolean
}

/** Sources of sentences of the text, against which the official suite was counted. */
const SENTENCES: ReadonlySet<string> = new Set([
  'specification',
  'specification (no keyword)',
  'json-rpc/sse-format',
])
const PARTIES: ReadonlySet<string> = new Set(['server', 'client', 'both', 'transport'])
const SHARE_OF_SHOULDS = 0.95

/** Counts statements by their checks. A check counts if its code exists for a side that it examines. */
export function statementCoverage(
  catalogue: Catalogue,
  checks: readonly Check[],
  mutants: readonly Mutant[],
): Coverage {
  const byMutant = new Set(mutants.map((mutant) => examinationName(checkOf(mutant), mutant.side)))
  const examinations = [...catalogue.checks.values()].flatMap((entry) =>
    entry.sides
      .filter((side) => checks.some((check) => check.id === entry.id && examines(check, side)))
      .map((side) => ({ entry, isProved: byMutant.has(examinationName(entry.id, side)), side })),
  )
  const covered = new Set(examinations.flatMap(({ entry }) => entry.statements))
  const proved = new Set(
    examinations.filter(({ isProved }) => isProved).flatMap(({ entry }) => entry.statements),
  )
  const testable = [...catalogue.statements.values()].filter(({ testable: how }) => !how.startsWith('no'))
  const musts = testable.filter(({ level }) => level === 'MUST' || level === 'MUST NOT')
  const shoulds = testable.filter(({ level }) => level === 'SHOULD' || level === 'SHOULD NOT')
  const base = musts.filter(({ source, binds }) => SENTENCES.has(source) && PARTIES.has(binds))
  const row = (name: string, statements: readonly Statement[]): CoverageRow => ({
    name,
    total: statements.length,
    covered: statements.filter(({ id }) => covered.has(id)).length,
    proved: statements.filter(({ id }) => proved.has(id)).length,
  })
  const [must, should] = [row('MUST and MUST NOT', musts), row('SHOULD and SHOULD NOT', shoulds)]
  const suite = base.filter(({ suite: scenario }) => scenario !== '-' && !scenario.startsWith('~')).length
  return {
    rows: [must, should, { ...row('MUST and MUST NOT of the text', base), suite }],
    uncovered: [...musts, ...shoulds].filter(({ id }) => !covered.has(id)).map(({ id }) => id),
    unproved: examinations
      .filter(({ isProved }) => !isProved)
      .map(({ entry, side }) => examinationName(entry.id, side)),
    isReached: must.covered === must.total && should.covered >= should.total * SHARE_OF_SHOULDS,
  }
}

function examinationName(id: string, side: Side): string {
  return `${id}/${side}`
}
