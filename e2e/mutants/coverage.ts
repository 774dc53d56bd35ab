// `npm run coverage:statements`: how many statements of the specification have a check.
import { loadCatalogue } from '../../server-core/conformance/catalogue/load-catalogue.ts'
import { loadChecks } from '../../server-core/conformance/checks/load-checks.ts'
import { AREA_PROOFS } from './areas.ts'
import { statementCoverage } from './statement-coverage.ts'

const [catalogue, checks] = await Promise.all([loadCatalogue(), loadChecks()])
const coverage = statementCoverage(
  catalogue,
  checks,
  AREA_PROOFS.flatMap((area) => area.mutants),
)
for (const { name, covered, proved, total, suite } of coverage.rows) {
  const beside = suite === undefined ? '' : `; the official suite ${suite}`
  console.log(`${name}: ${covered} of ${total} have a check, ${proved} one with a mutant${beside}`)
}
const listed = (ids: readonly string[]) => (ids.length === 0 ? 'none' : ids.join(', '))
console.log(`testable statements without a check: ${listed(coverage.uncovered)}`)
console.log(`${coverage.unproved.length} examinations without a mutant: ${listed(coverage.unproved)}`)
process.exit(coverage.isReached ? 0 : 1)
