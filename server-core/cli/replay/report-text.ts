import { plural } from '../../protocol/plural.ts'
import { durationText } from '../../protocol/duration-text.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import { countsText } from '../diff/compared-calls.ts'
import { callsText, leftOutText } from '../diff/diff-text.ts'
import type { Paint } from '../output/paint.ts'
import type { CallTimes } from './call-times.ts'
import type { ReplayReport } from './replay-report.ts'

const LONGEST_NAME = 120
/** Lines of each list. */
const MOST_LINES = 20

/** Writes the report of a replay for a person. */
export function reportText(report: ReplayReport, paint: Paint): string {
  const { counts, calls, replays, revision, transport, skipped, failed, unexpected, replaced, varying } =
    report
  const compared = calls.flatMap((call) => (call.type === 'both' ? [call.comparison] : []))
  return [
    `${replays > 1 ? `${plural(replays, 'replay')} over` : 'replayed over'} ${transport}, ${revision}: ${countsText(counts)}`,
    ...callsText(calls, paint),
    leftOutText(compared),
    ...list('did not answer', failed, ({ call, reason }) =>
      paint('red', `! ${nameOf(call)}: ${visibleLine(reason, LONGEST_NAME)}`),
    ),
    ...list('asked, without an answer in the recording', unexpected, ({ method, params }) =>
      paint('red', `? ${method} ${visibleLine(stringifyExact(params), LONGEST_NAME)}`),
    ),
    ...list('not sent', skipped, ({ call, reason }) => `- ${nameOf(call)}: ${reason}`),
    ...list('replaced by what the server returned this time', replaced, ({ recorded, received }) =>
      visibleLine(`  ${recorded} → ${received}`, LONGEST_NAME),
    ),
    ...list(
      'differ from replay to replay and do not count',
      varying,
      ({ method, target, pointer }) =>
        `  ${nameOf({ method, target })}  --ignore ${visibleLine(pointer, LONGEST_NAME)}`,
    ),
    ...list('times', report.times, timesLine),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function list<Item>(title: string, items: readonly Item[], line: (item: Item) => string): string[] {
  if (items.length === 0) return []
  const more = items.length - MOST_LINES
  return [`\n${title}:`, ...items.slice(0, MOST_LINES).map(line), ...(more > 0 ? [`and ${more} more`] : [])]
}

function nameOf({ method, target }: { readonly method: string; readonly target: string }): string {
  return visibleLine(target === '' ? method : `${method} ${target}`, LONGEST_NAME)
}

function timesLine({ method, target, calls, recordedMs, p50Ms, p95Ms }: CallTimes): string {
  const recorded = recordedMs === undefined ? '' : `, recorded ${durationText(recordedMs)}`
  const spread = calls > 1 ? ` (p95 ${durationText(p95Ms)}, ${plural(calls, 'call')})` : ''
  return `  ${nameOf({ method, target })}  ${durationText(p50Ms)}${spread}${recorded}`
}
