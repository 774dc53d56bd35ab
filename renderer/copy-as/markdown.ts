import { durationText } from '../../server-core/protocol/duration-text.ts'
import { callOf, prettyJson, textOf, type CopiedExchange } from './copied-exchange.ts'

/** The exchange as Markdown: what it was, its request and its answer. */
export function markdownOf(exchange: CopiedExchange): string {
  const { request, answer, serverName, at, durationMs } = exchange
  const call = callOf(exchange)
  const target = textOf(call?.params['name']) || textOf(call?.params['uri'])
  const title = call === undefined ? 'Message' : [call.method, target].filter(Boolean).join(' ')
  const facts = [
    serverName,
    new Date(at).toISOString(),
    ...(durationMs === undefined ? [] : [durationText(durationMs)]),
  ]
  return [
    `### ${inline(title)}`,
    facts.map(inline).join(', '),
    'Request:',
    fenced(prettyJson(request)),
    ...(answer === undefined ? [] : ['Response:', fenced(prettyJson(answer))]),
    '',
  ].join('\n\n')
}

/** Text as code within a line, whatever it has. */
function inline(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  if (/^[\w /.:-]*$/.test(line)) return line
  const ticks = '`'.repeat(longestRun(line) + 1)
  return `${ticks} ${line} ${ticks}`
}

/** Text as a block of code; its fence is longer than any in it. */
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}json\n${text}\n${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}
