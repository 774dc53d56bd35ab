import serverChecks from '../../conformance/catalogue/server-checks.json' with { type: 'json' }
import { parseCheckList, type ListedCheck } from '../../conformance/catalogue/check-list.ts'
import { TestSetupError } from '../test-error.ts'
import type { CheckPattern, ConformanceOptions } from './conformance-options.ts'

/** The checks that a call of `conformance()` registers: active ones first, for passive ones read what those caused. */
export function listedChecks(options: ConformanceOptions): readonly ListedCheck[] {
  const { include, exclude, revisions, transports } = options
  const wanted = patterns(include)
  const unwanted = patterns(exclude)
  const chosen = parseCheckList(serverChecks).filter(
    (check) =>
      isInSuite(check, options) &&
      (wanted.length === 0 || wanted.some((pattern) => matches(check.id, pattern))) &&
      !unwanted.some((pattern) => matches(check.id, pattern)) &&
      (revisions?.some((revision) => check.revisions.includes(revision)) ?? true) &&
      (transports?.some((transport) => check.transports.includes(transport)) ?? true),
  )
  if (chosen.length === 0)
    throw new TestSetupError(
      'option',
      'conformance(): no check is left; see suite, include, exclude, revisions and transports, and docs/checks for the ids',
    )
  return [...chosen.filter(({ passive }) => passive !== true), ...chosen.filter(({ passive }) => passive)]
}

function isInSuite(check: ListedCheck, options: ConformanceOptions): boolean {
  const { suite = 'ci', slow, ends, destructive } = options
  const isAll = suite === 'all'
  if (suite === '2026.11' && check.frozen !== true) return false
  if (suite === 'must' && check.severity !== 'error' && check.severity !== 'critical') return false
  return (
    (check.slow !== true || isAll || slow === true) &&
    (check.ends !== true || isAll || ends === true) &&
    (check.destructive !== true || isAll || destructive === true)
  )
}

function patterns(given: CheckPattern | readonly CheckPattern[] | undefined): readonly CheckPattern[] {
  if (given === undefined) return []
  return typeof given === 'string' || given instanceof RegExp ? [given] : given
}

function matches(id: string, pattern: CheckPattern): boolean {
  return typeof pattern === 'string' ? id === pattern || id.startsWith(`${pattern}.`) : pattern.test(id)
}
