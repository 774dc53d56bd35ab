import { isJsonObject } from '../json.ts'
import { MetaKey } from '../meta-keys.ts'
import type { Path } from '../wire/path.ts'
import { nameOf, type LintReport } from './report.ts'

const LABEL = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/
const OWNERS: ReadonlySet<string> = new Set(['modelcontextprotocol', 'mcp'])
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(MetaKey),
  'io.modelcontextprotocol/model-immediate-response',
])

/** Keys that belong to one era. */
const MODERN_KEYS: ReadonlySet<string> = new Set([
  MetaKey.protocolVersion,
  MetaKey.clientCapabilities,
  MetaKey.clientInfo,
  MetaKey.serverInfo,
  MetaKey.logLevel,
  MetaKey.subscriptionId,
])

const TRACE_FORMATS: Readonly<Record<string, RegExp>> = {
  traceparent: /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/,
  tracestate: /^[\x20-\x7e\t]{0,8192}$/,
  baggage: /^[\x20-\x7e\t]{0,8192}$/,
}

/** Checks the keys of a `_meta` (Base Protocol: `_meta`). */
export function checkMeta(meta: unknown, at: Path, report: LintReport): void {
  if (!isJsonObject(meta)) return
  for (const [key, value] of Object.entries(meta)) {
    const path = [...at, key]
    const slash = key.lastIndexOf('/')
    const labels = slash === -1 ? [] : key.slice(0, slash).split('.')
    if (!NAME.test(key.slice(slash + 1)) || !labels.every((label) => LABEL.test(label))) {
      report.add(
        'meta-key',
        path,
        `${nameOf(key)} is not a key of _meta: expected a name, or labels, a slash and a name.`,
      )
    } else if (isReserved(labels, report.row.metaOn) && !KNOWN.has(key)) {
      report.add(
        'meta-reserved',
        path,
        `The prefix of ${nameOf(key)} is reserved, and the specification has no such key.`,
      )
    }
    const isForeign =
      report.row.era === 'legacy' ? MODERN_KEYS.has(key) && !report.isHandshake : key === MetaKey.relatedTask
    if (isForeign) {
      report.add('other-revision', path, `${nameOf(key)} has no meaning in ${report.row.revision}.`)
    }
    const format = Object.hasOwn(TRACE_FORMATS, key) ? TRACE_FORMATS[key] : undefined
    if (format !== undefined && (typeof value !== 'string' || !format.test(value))) {
      report.add('trace-context', path, `${nameOf(value)} has not the format of a W3C ${key}.`)
    }
  }
}

/** 2025-06-18 reserves the label anywhere before another one, later revisions as the second label. */
function isReserved(labels: readonly string[], metaOn: LintReport['row']['metaOn']): boolean {
  const isOwned = (label: string | undefined) => label !== undefined && OWNERS.has(label)
  if (metaOn === 'sampling') return isOwned(labels[1])
  return labels.slice(0, -1).some(isOwned) || isOwned(labels[1])
}
