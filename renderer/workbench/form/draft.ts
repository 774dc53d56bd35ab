/** Whether a field is in the JSON: with what was typed, left out, or as `null`. What was typed is kept either way. */
export type Presence = 'set' | 'left-out' | 'null'

/** JSON text while it is typed, and the value it last had. */
export type JsonBody = {
  readonly type: 'json'
  readonly text: string
  readonly kept?: { readonly value: unknown }
}

export type PairDraft = {
  readonly id: string
  /** Undefined until a key was typed: such a pair is not sent. */
  readonly key: string | undefined
  readonly draft: Draft
}

export type ItemDraft = { readonly id: string; readonly draft: Draft }

/** What was typed into a field, by the shape of the field. Nothing in it is ever thrown away by an edit. */
export type Body =
  | { readonly type: 'text'; readonly text: string; readonly fileName?: string }
  /** `kept` is the JSON text of the last number that was valid. */
  | { readonly type: 'number'; readonly text: string; readonly kept?: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'option'; readonly index: number | undefined }
  | { readonly type: 'fixed' }
  | { readonly type: 'choices'; readonly chosen: readonly number[] }
  | {
      readonly type: 'object'
      readonly members: ReadonlyMap<string, Draft>
      readonly pairs: readonly PairDraft[]
    }
  | { readonly type: 'list'; readonly items: readonly ItemDraft[] }
  /** Each variant keeps what was typed into it. */
  | { readonly type: 'variant'; readonly chosen: number; readonly drafts: ReadonlyMap<number, Draft> }
  | JsonBody

export type Draft = {
  readonly presence: Presence
  readonly body: Body
  /** A value that the field cannot show: it is shown, kept and sent as JSON, in place of the body. */
  readonly misfit?: JsonBody
}

/** Differs with each load of the page: drafts of the last one may come back beside new ones. */
const load = Date.now().toString(36)
let lastId = 0

/** A name for an item or a pair that stays its own when others are moved or removed. */
export function nextId(): string {
  lastId += 1
  return `${load}.${lastId.toString(36)}`
}
