import type { Slot } from './name-table.ts'
import { collisionFault } from './collision.ts'
import type { Prefix } from './prefix.ts'
import {
  entryKey,
  type ComposedEntry,
  type EntryFault,
  type EntryKind,
  type Origin,
  type Source,
} from './source.ts'

type Described = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly annotations?: Readonly<Record<string, unknown>>
  readonly tags?: readonly string[]
}

/** What is known of the slots of a kind. */
type Slots<Entry> = {
  slots(source: string): readonly Slot<Entry>[]
  holder(shownName: string): Slot<Entry> | undefined
}

/** All entries of a source, with those that it would have but cannot serve. */
export function composedEntries(
  source: Source,
  prefix: Prefix | undefined,
  kinds: Readonly<Record<EntryKind, Slots<Described>>>,
  originOf: (source: string) => Origin | undefined,
): readonly ComposedEntry[] {
  const { id, origin, trouble } = source
  const failure = trouble?.failure?.()
  const entries = (['tool', 'resource', 'template', 'prompt'] as const).flatMap((kind) =>
    kinds[kind].slots(id).map((slot): ComposedEntry => {
      const holder = kinds[kind].holder(slot.shownName)
      return {
        ...describedBy(kind, slot),
        key: entryKey(kind, slot.name),
        kind,
        name: slot.name,
        shownName: slot.shownName,
        source: id,
        origin,
        ...stateOf(kind, slot, holder, origin, failure, originOf),
      }
    }),
  )
  const faulty = (trouble?.faults?.() ?? []).map(({ kind, name: own, fault }): ComposedEntry => {
    const isUri = kind === 'resource' || kind === 'template'
    const name = (isUri ? prefix?.uri(own) : prefix?.name(own)) ?? own
    return {
      key: entryKey(kind, name),
      kind,
      name,
      shownName: name,
      source: id,
      origin,
      state: 'failing',
      fault,
    }
  })
  return [...entries, ...faulty]
}

function stateOf(
  kind: EntryKind,
  slot: Slot<Described>,
  holder: Slot<Described> | undefined,
  origin: Origin,
  failure: EntryFault | undefined,
  originOf: (source: string) => Origin | undefined,
): Pick<ComposedEntry, 'state' | 'fault'> {
  if (slot.fault !== undefined) return { state: 'failing', fault: slot.fault }
  if (!slot.enabled) return { state: 'off' }
  if (holder !== slot) {
    if (holder?.overrides === true && !slot.overrides) return { state: 'overridden' }
    const other = holder === undefined ? undefined : originOf(holder.source)
    return { state: 'failing', fault: collisionFault(kind, slot.shownName, origin, other) }
  }
  return failure === undefined ? { state: 'served' } : { state: 'failing', fault: failure }
}

function describedBy(kind: EntryKind, { published, own }: Slot<Described>) {
  const { name, title, description, annotations, tags } = published ?? own
  const isResource = kind === 'resource' || kind === 'template'
  const read = title ?? (isResource ? name : undefined)
  return {
    ...(read !== undefined && { title: read }),
    ...(description !== undefined && { description }),
    ...(annotations !== undefined && { annotations }),
    ...(tags !== undefined && tags.length > 0 && { tags }),
  }
}
