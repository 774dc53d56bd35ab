import statements from '../../../server-core/conformance/catalogue/statements.json' with { type: 'json' }
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { SUPPORTED, type Revision } from '../../../server-core/protocol/revisions.ts'
import { messageRoot } from '../../../server-core/conformance/checks/schema/message-root.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { Path } from '../../../server-core/protocol/wire/path.ts'
import { walkWire } from '../../../server-core/protocol/wire/walk.ts'
import type { ChangeMessage, Mutant } from '../mutant.ts'

/** A row of the catalogue about one type of the schema. */
type Row = {
  readonly id: string
  readonly text: string
  readonly binds: string
  readonly revisions: readonly Revision[]
}

/** One member that a mutant breaks. `undefined` as the value drops it. */
type Break = { readonly type: string; readonly member: string; readonly value: unknown }

/** One mutant for each member of each row `schema.type.*`. */
export function schemaTypeMutants(): readonly Mutant[] {
  const rows = (statements as readonly JsonObject[]).flatMap((row) => rowOf(row) ?? [])
  return rows.flatMap((row) =>
    breaksOf(row).flatMap((each): readonly Mutant[] => {
      if (FORM_CHOICES[each.type] === each.member) return []
      const side = row.binds === 'client' ? 'client' : 'server'
      const revision = SEEN_IN[each.type] ?? row.revisions.at(-1) ?? '2025-11-25'
      const name = row.id.replace(/^schema\.type\./, '')
      return [
        {
          id: `m.schema.messages.${side}:${name}.${each.member}`,
          side,
          revisions: [revision],
          fault: { outgoing: breaking(each, revision) },
          alsoBreaks: alsoBroken(each, side),
        },
      ]
    }),
  )
}

/** Revisions of types that the reference pair does not send in the newest one. */
const SEEN_IN: Readonly<Record<string, Revision>> = { ResourceUpdatedNotificationParams: '2025-11-25' }

/** Choices of forms by the member that makes them so: without it they are texts of any kind, which are correct. */
const FORM_CHOICES: Readonly<Record<string, string>> = {
  EnumSchema: 'enum',
  UntitledSingleSelectEnumSchema: 'enum',
  TitledSingleSelectEnumSchema: 'oneOf',
  LegacyTitledEnumSchema: 'enum',
}

const BLOCKS =
  /^(CallToolResult|EmbeddedResource|ResourceLink|(Text|Image|Audio)Content|(Text|Blob)ResourceContents)$/

/** Checks that judge the same member for themselves. */
function alsoBroken({ type, member, value }: Break, side: string): Readonly<Record<string, string>> {
  const reason = `It judges ${type}.${member} too.`
  const checks = [
    ...(member === 'resultType' ? [`resulttype.${side}`] : []),
    ...(value === undefined ? [] : ['schema.values']),
    ...(BLOCKS.test(type) ? ['tools.server.content-blocks', 'tools.server.structured-text'] : []),
    ...(type === 'Task' || type === 'RelatedTaskMetadata' ? [`tasks.${side}.meta`] : []),
    ...(type.startsWith('SubscriptionsListenResult')
      ? ['meta.server-info', 'subscriptions.server.tags']
      : []),
    ...(member === '_meta' || type === 'RequestMetaObject' ? ['meta.required.client'] : []),
    ...(type === 'InitializeRequestParams' ? ['lifecycle.client.first-message'] : []),
    ...(type === 'Implementation' ? ['meta.server-info'] : []),
    ...(type === 'ProgressNotificationParams' || type === 'CreateTaskResult'
      ? [`progress.${side}.increasing`, `progress.${side}.active-only`, `progress.${side}.own-stream`]
      : []),
  ]
  return Object.fromEntries(checks.map((id) => [id, reason]))
}

function rowOf({ id, text, binds, revisions }: JsonObject): Row | undefined {
  if (typeof id !== 'string' || !id.startsWith('schema.type.')) return undefined
  return { id, text: String(text), binds: String(binds), revisions: revisionsOf(String(revisions)) }
}

/** `2024-11-05..2025-06-18,2026-07-28` as a list. */
function revisionsOf(text: string): readonly Revision[] {
  const ranges = text.split(',').map((range) => range.split('..'))
  return SUPPORTED.filter((revision) =>
    ranges.some(([first = '', last = first]) => first <= revision && revision <= last),
  )
}

const WRONG_FORMATS: Readonly<Record<string, string>> = {
  'base64 text': 'no base64!',
  'an absolute URI': 'no uri',
  'a URI or URI template': 'no uri {template',
}

/** The faults of a row, as its sentence says them. */
function breaksOf({ text }: Row): readonly Break[] {
  const holds = /^(\w+) objects hold (.+)\.$/.exec(text)
  if (holds?.[1] !== undefined && holds[2] !== undefined) {
    const type = holds[1]
    return [...holds[2].matchAll(/`([^`]+)`/g)].map(([, member = '']) => ({ type, member, value: undefined }))
  }
  const [, type = '', member = '', rule = ''] = /^(\w+)(?:\.(\w+))? (?:is|has) (.+)\.$/.exec(text) ?? []
  if (rule.startsWith('one of')) return [{ type, member, value: 'patchbay-none' }]
  if (rule === 'minimum 0') return [{ type, member, value: -1 }]
  if (rule === 'maximum 1') return [{ type, member, value: 2 }]
  return [{ type, member, value: WRONG_FORMATS[rule] ?? 'patchbay none' }]
}

/** Changes every value of the type in each message. */
function breaking({ type, member, value }: Break, revision: Revision): ChangeMessage {
  return (message, { answers }) => {
    const places = placesOf(type, typesIn(message, answers, revision))
    if (places.length === 0) return message
    const changed = structuredClone(message)
    const wasBroken = places.filter((path) =>
      breakAt(changed, member === '' ? path : [...path, member], value),
    )
    return wasBroken.length === 0 ? message : changed
  }
}

/** Where values of each type are in a message. */
type Types = ReadonlyMap<string, readonly Path[]>

/** Kept, because many mutants read the same recorded messages. */
const typesOf = new WeakMap<JsonObject, Types>()

function typesIn(message: JsonObject, answers: JsonObject | undefined, revision: Revision): Types {
  const known = typesOf.get(message)
  if (known !== undefined) return known
  const types = new Map<string, Path[]>()
  typesOf.set(message, types)
  const add = (name: string, path: Path) => {
    types.set(name, [...(types.get(name) ?? []), path])
  }
  const root = messageRoot(message, answers, revision)
  if (root === undefined) return types
  walkWire(revision, root.definition, root.value, root.path, {
    definition: (name, value, path) => {
      add(name, path)
      // A choice of a form fits the type of texts, too.
      if (name !== 'StringSchema' || !isJsonObject(value)) return
      const members = Object.entries(FORM_CHOICES).filter(([, member]) => member in value)
      for (const [choice] of members) add(choice, path)
    },
    text: () => undefined,
    stray: () => undefined,
    unknown: () => undefined,
    meta: (meta, path) => {
      if (isJsonObject(meta) && MetaKey.relatedTask in meta)
        add('RelatedTaskMetadata', [...path, MetaKey.relatedTask])
    },
  })
  return types
}

function placesOf(type: string, types: Types): readonly Path[] {
  const params = type.endsWith('Params') ? (types.get(type.slice(0, -'Params'.length)) ?? []) : []
  const contents = type.endsWith('ResourceContents') ? (types.get('AnyResourceContents') ?? []) : []
  return [...(types.get(type) ?? []), ...params.map((path): Path => [...path, 'params']), ...contents]
}

/** Sets or drops one member; false if it is not there. */
function breakAt(message: JsonObject, path: Path, value: unknown): boolean {
  const parent = path.slice(0, -1).reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return (at as unknown[])[Number(step)]
    return isJsonObject(at) ? at[step] : undefined
  }, message)
  const last = path.at(-1)
  if (last === undefined || typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last))
    return false
  if (value === undefined) Reflect.deleteProperty(parent, last)
  else Reflect.set(parent, last, value)
  return true
}
