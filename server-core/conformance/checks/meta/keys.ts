import { TASKS_EXTENSION } from '../../../protocol/extension-ids.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { passiveCheck } from '../../check.ts'
import { shortJson } from '../../probe/outcome.ts'

/** Members whose content is a peer's own and no part of the protocol. */
const FOREIGN = new Set(['arguments', 'structuredContent', 'inputSchema', 'outputSchema', 'data'])
const LABEL = /^[a-z]([a-z\d-]*[a-z\d])?$/i
const NAME = /^([a-z\d]([\w.-]*[a-z\d])?)?$/i
const DEFINED: ReadonlySet<string> = new Set(Object.values(MetaKey))
const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([TASKS_EXTENSION, 'io.modelcontextprotocol/ui'])

type Found = { readonly meta: JsonObject; readonly path: string }

/** Every `_meta` in a message, with the path to it. */
function* metasIn(value: unknown, path: string): Generator<Found> {
  if (Array.isArray(value)) {
    for (const [index, each] of (value as unknown[]).entries()) yield* metasIn(each, `${path}/${index}`)
    return
  }
  if (!isJsonObject(value)) return
  for (const [name, each] of Object.entries(value)) {
    if (FOREIGN.has(name)) continue
    if (name === '_meta' && isJsonObject(each)) yield { meta: each, path: `${path}/_meta` }
    else yield* metasIn(each, `${path}/${name}`)
  }
}

/** What is wrong with a key, and the statement that it breaks. */
function faultOf(key: string): { readonly statement: string; readonly expected: string } | undefined {
  const slash = key.indexOf('/')
  const prefix = slash === -1 ? undefined : key.slice(0, slash)
  const labels = prefix?.split('.') ?? []
  if (labels.some((label) => !LABEL.test(label)))
    return {
      statement: 'meta.key-prefix-grammar',
      expected: 'a prefix of labels that begin with a letter and end with a letter or digit',
    }
  if (!NAME.test(key.slice(slash + 1)))
    return {
      statement: 'meta.key-name-grammar',
      expected: 'a name that begins and ends with a letter or digit',
    }
  const isReserved = labels.some(
    (label, place) => place === Math.min(1, labels.length - 1) && /^(modelcontextprotocol|mcp)$/.test(label),
  )
  if (isReserved && !DEFINED.has(key))
    return { statement: 'meta.reserved-keys', expected: 'a key that the specification defines' }
  return undefined
}

/** The extensions that a message declares, with the path to them. */
function extensionsIn({ params, result }: JsonObject): readonly (readonly [JsonObject, string])[] {
  const holders: readonly (readonly [unknown, string])[] = [
    [isJsonObject(params) ? params['capabilities'] : undefined, '/params/capabilities'],
    [isJsonObject(result) ? result['capabilities'] : undefined, '/result/capabilities'],
    [
      isJsonObject(params) && isJsonObject(params['_meta'])
        ? params['_meta'][MetaKey.clientCapabilities]
        : undefined,
      '/params/_meta/io.modelcontextprotocol~1clientCapabilities',
    ],
  ]
  return holders.flatMap(([holder, path]) =>
    isJsonObject(holder) && isJsonObject(holder['extensions'])
      ? [[holder['extensions'], `${path}/extensions`] as const]
      : [],
  )
}

export const keys = passiveCheck(
  'meta.keys',
  (transcript) => {
    const negotiated = transcript.messages
      .flatMap(({ message }) => extensionsIn(message))
      .flatMap(([extensions]) => Object.keys(extensions))
    const isUnknown = negotiated.some((id) => !KNOWN_EXTENSIONS.has(id))
    for (const { message, frame, pointer } of transcript.examined()) {
      for (const { meta, path } of metasIn(message, pointer)) {
        for (const key of Object.keys(meta)) {
          const fault = faultOf(key)
          if (fault === undefined) continue
          const finding = {
            ...fault,
            actual: shortJson(key),
            member: `${path}/${key.replaceAll('/', '~1')}`,
            frame,
          }
          // Official extensions define keys of their own.
          if (fault.statement === 'meta.reserved-keys' && isUnknown) transcript.inform(finding)
          else transcript.fail(finding)
        }
      }
      for (const [extensions, path] of extensionsIn(message))
        for (const id of Object.keys(extensions))
          transcript.expect(
            /^[^/]+\/[^/]+$/.test(id) && faultOf(id)?.statement !== 'meta.key-prefix-grammar',
            {
              expected: 'an extension id with a prefix',
              actual: shortJson(id),
              statement: 'versioning.extension-id-grammar',
              member: `${pointer}${path}`,
              frame,
            },
          )
    }
  },
  { title: 'Keys of _meta follow the grammar' },
)

const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/
const TRACE_STATE = /^[^=,\s]+=[^=,]*(\s*,\s*[^=,\s]+=[^=,]*)*$/

export const trace = passiveCheck(
  'meta.trace',
  (transcript) => {
    for (const seen of transcript.messages) {
      if (seen.from !== transcript.side) continue
      const { message, frame, pointer } = seen
      for (const { meta, path } of metasIn(message, pointer)) {
        const { traceparent, tracestate } = meta
        const values: readonly (readonly [string, unknown, RegExp])[] = [
          ['traceparent', traceparent, TRACE_PARENT],
          ['tracestate', tracestate, TRACE_STATE],
        ]
        for (const [name, value, pattern] of values) {
          if (value === undefined) continue
          transcript.see()
          transcript.expect(typeof value === 'string' && pattern.test(value), {
            expected: `a ${name} of W3C Trace Context`,
            actual: shortJson(value),
            member: `${path}/${name}`,
            frame,
          })
        }
      }
    }
  },
  { title: 'Trace context is that of W3C' },
)
