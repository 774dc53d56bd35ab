import { ExactNumber, parseExact } from '../exact-json.ts'
import { DEFAULT_LIMITS, type Limits } from '../limits.ts'
import { parseMessage } from '../parse.ts'
import type { Path } from '../wire/path.ts'
import { lintMessage } from './lint-message.ts'
import { LintReport, nameOf, type Finding, type LintOptions } from './report.ts'

/**
 * Lints a message as it was on the wire, text or bytes: beside what `lintMessage` finds, what parsing hides, such as
 * keys given twice, numbers that change, and line breaks on stdio. Text that is not a message comes back as that one
 * finding. Never throws for a text, whatever it is.
 */
export function lintText(
  source: string | Uint8Array,
  options: LintOptions,
  limits: Pick<Limits, 'messageBytes' | 'depth' | 'members'> = DEFAULT_LIMITS,
): readonly Finding[] {
  const report = new LintReport(options)
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const parsed = parseMessage(bytes, limits)
  if (!parsed.ok) {
    report.add('json-text', [], `${parsed.error.message}.`)
    return report.findings
  }
  const text = (typeof source === 'string' ? source : new TextDecoder().decode(source)).replace(/^\ufeff/, '')
  if (options.transport === 'stdio' && /[\r\n]/.test(text.replace(/\r?\n$/, ''))) {
    report.add('line-break', [], 'The text goes over several lines.')
  }
  scan(text, report)
  return [...report.findings, ...lintMessage(parsed.value, options)]
}

type Frame =
  | { readonly type: 'list'; index: number }
  | { readonly type: 'object'; readonly keys: Set<string>; key: string | undefined }

/** Strings, numbers and structure; white space, literals, commas and colons are passed over. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{},]/gs

/** Looks at the tokens of a text that is JSON. */
function scan(text: string, report: LintReport): void {
  const frames: Frame[] = []
  for (const [token] of text.matchAll(TOKENS)) {
    const top = frames.at(-1)
    switch (token) {
      case '{':
        frames.push({ type: 'object', keys: new Set(), key: undefined })
        break
      case '[':
        frames.push({ type: 'list', index: 0 })
        break
      case '}':
      case ']':
        frames.pop()
        break
      case ',':
        if (top?.type === 'list') top.index += 1
        else if (top !== undefined) top.key = undefined
        break
      default:
        if (token.startsWith('"')) inspectText(token, frames, report)
        else inspectNumber(token, frames, report)
    }
  }
}

function inspectText(token: string, frames: readonly Frame[], report: LintReport): void {
  const text: unknown = JSON.parse(token)
  if (typeof text !== 'string') return
  const top = frames.at(-1)
  if (top?.type === 'object' && top.key === undefined) {
    top.key = text
    if (top.keys.has(text))
      report.add('duplicate-key', pathOf(frames), `The key ${nameOf(text)} is there already.`)
    top.keys.add(text)
  }
  if (text.includes('\0')) report.add('text-character', pathOf(frames), 'The text holds the character NUL.')
  else if (!text.isWellFormed()) {
    report.add('text-character', pathOf(frames), 'The text holds half of a surrogate pair.')
  }
}

function inspectNumber(token: string, frames: readonly Frame[], report: LintReport): void {
  if (parseExact(token) instanceof ExactNumber) {
    report.add('inexact-number', pathOf(frames), `${token.slice(0, 60)} reads as ${Number(token)}.`)
  }
}

function pathOf(frames: readonly Frame[]): Path {
  return frames.map((frame) => (frame.type === 'list' ? frame.index : (frame.key ?? '')))
}
