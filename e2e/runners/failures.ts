import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** A test file in vitest's JSON report. */
export type VitestFile = {
  readonly name: string
  readonly status: string
  /** Why it did not load. */
  readonly message: string
  readonly assertionResults: readonly {
    readonly fullName: string
    readonly status: string
    readonly failureMessages: readonly string[] | null
  }[]
}

/** A file or a group of tests in Playwright's JSON report. */
export type PlaywrightSuite = {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly PlaywrightTest[]
  }[]
}

type PlaywrightTest = {
  readonly status: string
  readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[]
  readonly annotations?: readonly { readonly type: string; readonly description?: string }[]
}

const repository = path.resolve(import.meta.dirname, '../..')

const LONGEST = 300
const LONGEST_NAME = 180
const LAST_LINES = 15
/** Lines of a failed part: its own and those of its first findings. */
const PART_LINES = 9

/** Names what did not pass, each as `file > test: first words`. */
export function vitestFailures(files: readonly VitestFile[]): readonly string[] {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(repository, name)
    const failed = assertionResults
      .filter((test) => test.status !== 'passed')
      .map((test) => failure([file, test.fullName], test.failureMessages?.[0] ?? test.status))
    return failed.length === 0 && status !== 'passed' ? [failure([file], message)] : failed
  })
}

/** Names what did not pass, each as `file > group > test: first words`; errors outside of tests by their words. */
export function playwrightFailures(
  suites: readonly PlaywrightSuite[],
  errors: readonly { readonly message?: string }[],
): readonly string[] {
  return [
    ...suites.flatMap((suite) => suiteFailures(suite, [])),
    ...errors.map(({ message = 'an error without a message' }) => shortened(firstWords(message), LONGEST)),
  ]
}

function suiteFailures(suite: PlaywrightSuite, above: readonly string[]): readonly string[] {
  const names = [...above, suite.title]
  const own = (suite.specs ?? []).flatMap(({ title, tests }) =>
    tests
      .filter((test) => test.status !== 'expected' && !doesNotApply(test))
      .map(({ status, results }) => {
        // The first may say no more than that it took too long, and the next what it waited for.
        const told = results.flatMap(({ errors }) => errors.map(({ message = '' }) => firstWords(message)))
        return failure([...names, title], told.length === 0 ? status : told.join('; '))
      }),
  )
  return [...own, ...(suite.suites ?? []).flatMap((inner) => suiteFailures(inner, names))]
}

/**
 * Counts the conformance checks that `conformance()` skipped because the server has nothing that they are about. Any other
 * test that is skipped did not run.
 */
export function checksWithoutSubject(suites: readonly PlaywrightSuite[]): number {
  return suites.reduce((total, { specs = [], suites: inner = [] }) => {
    const own = specs.flatMap(({ tests }) => tests).filter(doesNotApply).length
    return total + own + checksWithoutSubject(inner)
  }, 0)
}

function doesNotApply({ status, annotations = [] }: PlaywrightTest): boolean {
  const isCheck = annotations.some(({ type }) => type === 'check')
  const hasReason = annotations.some(({ type, description = '' }) => type === 'skip' && description !== '')
  return status === 'skipped' && isCheck && hasReason
}

/** What a program that names no failures said at last. */
export function lastWords(output: string): readonly string[] {
  return linesOf(output)
    .slice(-LAST_LINES)
    .map((line) => shortened(line, LONGEST))
}

function linesOf(output: string): readonly string[] {
  return stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}

/** The line of a part of `npm run soak`, with its number of findings, or of a check of the package. */
const PART_LINE = /^(?:\S+: .*, (no|\d+) findings, [\d.]+ s$|(ok|FAILED) )/

/** Lists the parts of a run that failed, each with its first findings; the last lines if it died before. */
export function partFailures(output: string): readonly string[] {
  const parts: string[][] = []
  let isFailed = false
  for (const line of linesOf(output)) {
    const [, findings, verdict] = PART_LINE.exec(line) ?? []
    if (findings !== undefined || verdict !== undefined) {
      isFailed = findings !== 'no' && verdict !== 'ok'
      if (isFailed) parts.push([])
    }
    if (isFailed) parts.at(-1)?.push(shortened(line, LONGEST))
  }
  if (parts.length === 0) return lastWords(output)
  return parts.flatMap((lines) => {
    const left = lines.length - PART_LINES
    return left <= 0 ? lines : [...lines.slice(0, PART_LINES), `  … and ${left} more lines`]
  })
}

function failure(names: readonly string[], message: string): string {
  return shortened(`${shortened(names.join(' > '), LONGEST_NAME)}: ${firstWords(message)}`, LONGEST)
}

/** The lines of a message before its stack, as one: the first alone seldom says what was there instead. */
function firstWords(message: string): string {
  const [words = ''] = stripVTControlCharacters(message).split(/\n\s+at /)
  return words.replaceAll(/\s+/g, ' ').trim()
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
