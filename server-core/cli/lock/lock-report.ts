import { ENTRY_NAMES } from '../../contract-lock/drift-text.ts'
import type { Drift } from '../../contract-lock/compare-locks.ts'
import { contextSizes, type ContextSize } from '../../contract-lock/context-size.ts'
import type { ContractLock } from '../../contract-lock/lock-schema.ts'
import { plural } from '../../protocol/plural.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import type { Paint } from '../output/paint.ts'
import { table } from '../output/table.ts'

/** What `patchbay lock` found, as `--json` prints it. */
export type LockReport = {
  readonly file: string
  /** What was done with the file. */
  readonly state: 'created' | 'unchanged' | 'updated' | 'kept'
  readonly passed: boolean
  readonly breaking: number
  readonly drift: readonly Drift[]
  readonly context: ContextReport
}

type ContextReport = {
  readonly bytes: number
  readonly tokens: number
  /** Tokens of the tools in the lock. */
  readonly tokensBefore?: number
  readonly budget?: number
  readonly tools: readonly ContextSize[]
}

const LONGEST = 160
/** Tools whose size is listed for people. */
const LISTED = 10
const number = new Intl.NumberFormat('en-US')

/** The context that the tools of a lock take. */
export function contextReport(
  now: ContractLock,
  before: ContractLock | undefined,
  budget: number | undefined,
): ContextReport {
  const tools = sizesOf(now)
  return {
    bytes: sum(tools.map(({ bytes }) => bytes)),
    tokens: tokensOf(tools),
    ...(before !== undefined && { tokensBefore: tokensOf(sizesOf(before)) }),
    ...(budget !== undefined && { budget }),
    tools,
  }
}

/** A report for people. */
export function describeLock(report: LockReport, paint: Paint): string {
  const { drift, breaking, context } = report
  const head =
    drift.length === 0
      ? stateText(report)
      : `${stateText(report)}: ${plural(drift.length, 'difference')}, ${breaking === 0 ? 'none breaks' : `${breaking} ${breaking === 1 ? 'breaks' : 'break'}`} callers`
  const worstFirst = drift.toSorted((one, other) => Number(other.breaking) - Number(one.breaking))
  return [
    head,
    ...worstFirst.flatMap((each) => driftLines(each, paint)),
    '',
    ...contextLines(context, paint),
  ].join('\n')
}

function stateText({ state, file, drift }: LockReport): string {
  switch (state) {
    case 'created':
      return `wrote ${file}`
    case 'updated':
      return `updated ${file}`
    case 'unchanged':
      return `the server offers what ${file} says`
    case 'kept':
      return drift.length === 0 ? file : `the server differs from ${file}`
  }
}

function driftLines({ type, kind, name, renamedTo, breaking, differences }: Drift, paint: Paint): string[] {
  const to = renamedTo === undefined ? '' : ` to ${visibleLine(renamedTo, LONGEST)}`
  const line = `${breaking ? '!' : ' '} ${type.padEnd(9)}  ${ENTRY_NAMES[kind]} ${visibleLine(name, LONGEST)}${to}`
  return [
    breaking ? paint('red', line) : line,
    ...differences.map((each) => {
      const text = `    ${each.breaking ? '!' : ' '} ${each.part === 'definition' ? '' : `${each.part}: `}${visibleLine(each.what, LONGEST)}`
      return each.breaking ? paint('red', text) : paint('dim', text)
    }),
  ]
}

function contextLines({ bytes, tokens, tokensBefore, budget, tools }: ContextReport, paint: Paint): string[] {
  if (tools.length === 0) return ['no tools']
  const was =
    tokensBefore === undefined || tokensBefore === tokens ? '' : ` (was ${number.format(tokensBefore)})`
  const limit = budget === undefined ? '' : `, budget ${number.format(budget)}`
  const total = `${plural(tools.length, 'tool')}: about ${number.format(tokens)} tokens${was}, ${number.format(bytes)} bytes of a model's context${limit}`
  const isOver = budget !== undefined && tokens > budget
  const rows = tools
    .slice(0, LISTED)
    .map((tool) => [tool.name, number.format(tool.tokens), `${number.format(tool.bytes)} bytes`])
  const more = tools.length - LISTED
  return [
    isOver ? paint('red', `! ${total}`) : total,
    table(rows).replaceAll(/^/gm, '  '),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function sizesOf(lock: ContractLock): readonly ContextSize[] {
  return contextSizes(Object.values(lock.tools).map(({ definition }) => definition))
}

function tokensOf(sizes: readonly ContextSize[]): number {
  return sum(sizes.map(({ tokens }) => tokens))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
