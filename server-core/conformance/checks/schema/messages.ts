import type { Revision } from '../../../protocol/revisions.ts'
import type { TextFormat } from '../../../protocol/wire/shape.ts'
import { pathText, wireFault } from '../../../protocol/wire/fault.ts'
import type { Path } from '../../../protocol/wire/path.ts'
import { walkWire } from '../../../protocol/wire/walk.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { passiveCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import type { Transcript } from '../../passive/transcript.ts'
import { isWithoutEnvelope } from '../../passive/without-envelope.ts'
import { shortJson } from '../../probe/outcome.ts'
import { messageRoot, type MessageRoot } from './message-root.ts'

/** Where a message breaks the schema: the type that is broken, the way to the member, and how. */
export type SchemaFault = {
  readonly type: string
  readonly path: Path
  readonly kind: 'shape' | TextFormat
  readonly expected: string
}

/** Every place where a message does not fit the schema of its revision, each under the innermost type. */
export function schemaFaults(
  revision: Revision,
  { definition, value, path }: MessageRoot,
): readonly SchemaFault[] {
  const faults = new Map<string, SchemaFault>()
  let owner = definition
  walkWire(revision, definition, value, path, {
    definition: (name, found, at) => {
      owner = name
      const fault = wireFault(revision, name, found)
      if (fault === undefined) return
      const whole = [...at, ...fault.path]
      faults.set(JSON.stringify(whole), { type: name, path: whole, kind: 'shape', expected: fault.message })
    },
    text: (format, text, at) => {
      if (isText(format, text)) return
      faults.set(JSON.stringify(at), {
        type: owner,
        path: at,
        kind: format,
        expected: `expected ${WORDS[format]}`,
      })
    },
    stray: () => undefined,
    unknown: () => undefined,
    meta: (meta, at) => {
      const task = isJsonObject(meta) ? meta[MetaKey.relatedTask] : undefined
      const fault = task === undefined ? undefined : wireFault(revision, RELATED_TASK, task)
      if (fault === undefined) return
      const whole = [...at, MetaKey.relatedTask, ...fault.path]
      faults.set(JSON.stringify(whole), {
        type: RELATED_TASK,
        path: whole,
        kind: 'shape',
        expected: fault.message,
      })
    },
  })
  return [...faults.values()]
}

const RELATED_TASK = 'RelatedTaskMetadata'

const WORDS: Readonly<Record<TextFormat, string>> = {
  uri: 'an absolute URI',
  'uri-template': 'a URI or URI template',
  base64: 'base64 text',
}

/** Whether a text has its format. */
export function isText(format: TextFormat, text: string): boolean {
  switch (format) {
    case 'uri':
      return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]*$/.test(text)
    case 'uri-template':
      return /^[^{}]*(\{[^{}\s]+\}[^{}]*)*$/.test(text) && !/[\s<>"\\^`]/.test(text)
    case 'base64':
      return /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0
  }
}

/** Faults of messages by revision: the frames of a live timeline are read again and again. */
const known = new WeakMap<JsonObject, Map<Revision, readonly SchemaFault[]>>()

function faultsOf(
  message: JsonObject,
  answers: JsonObject | undefined,
  revision: Revision,
): readonly SchemaFault[] {
  const before = known.get(message)?.get(revision)
  if (before !== undefined) return before
  const isLegacy = answers !== undefined && revision >= '2026-07-28' && isWithoutEnvelope(answers)
  const root = isLegacy ? undefined : messageRoot(message, answers, revision)
  const faults = root === undefined ? [] : schemaFaults(revision, root)
  known.set(
    message,
    (known.get(message) ?? new Map<Revision, readonly SchemaFault[]>()).set(revision, faults),
  )
  return faults
}

function inspect(transcript: Transcript): void {
  for (const { message, frame, pointer, answers, revision } of transcript.examined()) {
    for (const fault of faultsOf(message, answers?.message, revision)) {
      const value = valueAt(message, fault.path)
      if (fault.kind !== 'shape' && isOfRequest(value, answers?.message)) continue
      if (fault.kind === 'uri' && isRepeated(transcript, frame, value)) continue
      transcript.fail({
        expected: `${fault.type}: ${fault.expected}`,
        actual: `${pathText(fault.path)} is ${shortJson(value)}`,
        statement: statementOf(transcript.entry.statements, fault, revision),
        member: `${pointer}/${fault.path.map(String).join('/')}`,
        frame,
      })
    }
  }
}

/** Whether a text repeats one of the request that it answers: a URI that was read, an argument of a prompt. */
export function isOfRequest(text: unknown, request: JsonObject | undefined): boolean {
  return request !== undefined && JSON.stringify(request['params'] ?? {}).includes(JSON.stringify(text))
}

/** Whether the other side wrote a URI first: the side that repeats it is not at fault. */
function isRepeated(
  { frames }: Transcript,
  { connection, from, index }: CapturedFrame,
  uri: unknown,
): boolean {
  const written = JSON.stringify(uri)
  return frames.some(
    (each) =>
      each.connection.number === connection.number &&
      each.from !== from &&
      each.index < index &&
      Buffer.from(each.bytes).includes(written),
  )
}

function valueAt(message: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return (value as unknown[])[Number(step)]
    return isJsonObject(value) ? value[step] : undefined
  }, message)
}

const kebab = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()

/** The row of the catalogue that a fault breaks. */
function statementOf(statements: readonly string[], fault: SchemaFault, revision: Revision): string {
  const { type, path } = fault
  const member = String(path.at(-1))
  const types = [kebab(type), `${kebab(type)}-params`]
  if (type === 'AnyResourceContents') types.push('text-resource-contents', 'blob-resource-contents')
  const isModern = revision >= '2026-07-28'
  const ids = types.flatMap((name) => [
    ...(fault.kind === 'shape' ? [] : [`schema.type.${name}-${kebab(member)}.format`]),
    ...['values', 'minimum', 'maximum'].map((rule) => `schema.type.${name}-${kebab(member)}.${rule}`),
    `schema.type.${name}.values`,
    ...(isModern ? [`schema.type.${name}.required.2026-07`] : []),
    `schema.type.${name}.required`,
  ])
  return ids.find((id) => statements.includes(id)) ?? 'base.message.jsonrpc2'
}

export const serverMessages = passiveCheck('schema.messages.server', inspect, {
  title: 'Messages of the server fit the schema of the revision',
})

export const clientMessages = passiveCheck('schema.messages.client', inspect, {
  title: 'Messages of the client fit the schema of the revision',
})
