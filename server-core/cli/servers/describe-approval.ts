import type { Approval, Pair } from '../../host/contract/servers.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { visibleLine } from '../../protocol/visible-text.ts'

/** Everything that an approval covers, in lines: nothing is cut, and only the values of secrets are hidden. */
export function describeApproval(details: Approval): string {
  const { name, target, resolvesTo, inherited, warnings = [], hash, approvedBefore } = details
  const title = `"${visibleLine(name, 200)}"`
  const lines =
    target.transport === 'stdio'
      ? [
          `${title} starts a program:`,
          `    ${[target.command, ...target.args].map(quoted).join(' ')}`,
          ...(resolvesTo === undefined || resolvesTo === target.command
            ? []
            : [`  which is ${quoted(resolvesTo)}`]),
          `  in the folder ${quoted(target.cwd ?? '')}`,
          ...pairLines('with the environment', target.env, '='),
          ...(inherited.length === 0 ? [] : [`  and of your environment: ${inherited.join(', ')}`]),
        ]
      : [
          `${title} connects to ${quoted(target.url)}`,
          `  over ${TRANSPORTS[target.transport]}`,
          ...pairLines('and sends with each request', target.headers, ': '),
        ]
  const { protocol, declaration } = target
  return [
    ...lines,
    ...(protocol === undefined || protocol === 'auto' ? [] : [`  speaking only ${protocol}`]),
    ...(declaration === undefined ? [] : [`  declaring ${stringifyExact(declaration)}`]),
    ...warnings.map((warning) => `  Warning: ${visibleLine(warning, 1_000)}`),
    ...(approvedBefore === undefined
      ? []
      : [`  An earlier version was approved on ${new Date(approvedBefore).toISOString().slice(0, 10)}.`]),
    `  hash ${hash}`,
  ].join('\n')
}

const TRANSPORTS = {
  auto: 'Streamable HTTP or HTTP+SSE, whichever it speaks',
  http: 'Streamable HTTP',
  sse: 'HTTP+SSE',
  websocket: 'WebSocket',
} as const

function pairLines(title: string, pairs: readonly Pair[], between: string): readonly string[] {
  if (pairs.length === 0) return []
  const shown = pairs.map(({ name, value, kept }) =>
    kept === true
      ? `    ${quoted(name)}${between}${value} (secret)`
      : `    ${quoted(name)}${between}${quoted(value)}`,
  )
  return [`  ${title}`, ...shown]
}

/** So that one word cannot be taken for two. */
function quoted(word: string): string {
  return /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word)
}
