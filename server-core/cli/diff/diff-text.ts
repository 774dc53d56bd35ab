import type { ComparedCall } from '../../comparison/compare-calls.ts'
import { changeText } from '../../comparison/change-text.ts'
import type { Comparison } from '../../comparison/compare-values.ts'
import { plural } from '../../protocol/plural.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import type { Paint } from '../output/paint.ts'

const LONGEST_NAME = 200

/** Writes the changes of two values, a line each. */
export function changesText({ changes, more }: Comparison, paint: Paint, indent = ''): string[] {
  const lines = changes.map((change) => `${indent}${changeText(change, paint)}`)
  return more === 0 ? lines : [...lines, `${indent}and ${more} more`]
}

/** Writes the calls that differ, a line each, with their changes below. */
export function callsText(calls: readonly ComparedCall[], paint: Paint): string[] {
  return calls.flatMap((call) => {
    if (call.type === 'before') return [paint('red', `- ${nameOf(call.before)}`)]
    if (call.type === 'after') return [paint('cyan', `+ ${nameOf(call.after)}`)]
    const changes = changesText(call.comparison, paint, '    ')
    if (changes.length === 0 && !call.moved) return []
    return [
      `${changes.length === 0 ? '>' : '~'} ${nameOf(call.after)}${call.moved ? ' (moved)' : ''}`,
      ...changes,
    ]
  })
}

/** What was left out of a comparison, in words; empty if nothing was. */
export function leftOutText(comparisons: readonly Comparison[]): string {
  const volatile = comparisons.reduce((sum, each) => sum + each.volatile.length, 0)
  const ignored = comparisons.reduce((sum, each) => sum + each.ignored, 0)
  return [
    ...(volatile > 0
      ? [`${plural(volatile, 'value')} of the run differ, as expected (--exact counts them)`]
      : []),
    ...(ignored > 0 ? [`${plural(ignored, 'difference')} left out by --ignore`] : []),
  ].join('; ')
}

function nameOf({
  direction,
  method,
  target,
}: {
  direction: string
  method: string
  target: string
}): string {
  const from = direction === 'received' ? 'server: ' : ''
  return visibleLine(`${from}${method}${target === '' ? '' : ` ${target}`}`, LONGEST_NAME)
}
