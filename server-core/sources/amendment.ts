import type { JsonObject } from '../protocol/json.ts'

/** What a user changed of an entry without touching its source. */
export type Amendment = {
  /** False: neither listed nor callable. */
  readonly enabled?: boolean | undefined
  /** Of tools and prompts what they are called by; of resources and templates what people read. */
  readonly name?: string | undefined
  /** An empty text takes it away. */
  readonly title?: string | undefined
  /** An empty text takes it away. */
  readonly description?: string | undefined
  /** Stand over those that it has; null takes one away. */
  readonly annotations?: Readonly<Record<string, unknown>> | undefined
}

/** By the key of the entry. */
export type Amendments = Readonly<Record<string, Amendment>>

type Amendable = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly annotations?: JsonObject
}

/** An entry with what was changed of it; the very same where nothing was. */
export function amended<Entry extends Amendable>(entry: Entry, amendment: Amendment | undefined): Entry {
  if (amendment === undefined) return entry
  const { name, title, description, annotations } = amendment
  if (name === undefined && title === undefined && description === undefined && annotations === undefined) {
    return entry
  }
  return {
    ...without(entry, [...(title === '' ? ['title'] : []), ...(description === '' ? ['description'] : [])]),
    ...(name !== undefined && { name }),
    ...(title !== undefined && title !== '' && { title }),
    ...(description !== undefined && description !== '' && { description }),
    ...(annotations !== undefined && { annotations: merged(entry.annotations, annotations) }),
  }
}

function merged(own: JsonObject | undefined, given: Readonly<Record<string, unknown>>): JsonObject {
  const all = Object.entries({ ...own, ...given })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}

function without<Entry extends object>(entry: Entry, members: readonly string[]): Entry {
  if (members.length === 0) return entry
  return Object.fromEntries(Object.entries(entry).filter(([member]) => !members.includes(member))) as Entry
}
