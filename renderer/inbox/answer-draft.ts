import { Observable, useSelected } from '../state/observable.ts'

/** What was typed as the answer to one question, beside a form, which keeps its own. */
export type AnswerDraft = {
  /** Raw: a result or an error as JSON, instead of what the kind of question has for it. */
  readonly way: 'usual' | 'raw'
  readonly raw?: { readonly as: 'result' | 'error'; readonly text: string; readonly unchecked: boolean }
  readonly error?: { readonly code: string; readonly message: string; readonly dataText: string }
  readonly sampling?: { readonly text: string; readonly model: string; readonly stopReason: string }
  /** What was proposed last: it is filled in where nothing is typed, once; what was changed back is not changed again. */
  readonly proposed?: string
  readonly roots?: readonly { readonly uri: string; readonly name: string }[]
}

const EMPTY: AnswerDraft = { way: 'usual' }
const KEY = 'patchbay.inbox'
/** Characters; a browser keeps about five million for a page. */
const MAX_LENGTH = 1_000_000

const drafts = new Observable<ReadonlyMap<string, AnswerDraft>>(new Map())

/** What was typed so far; the same object until it changes. */
export function useAnswerDraft(id: string): AnswerDraft {
  return useSelected(drafts, (all) => all.get(id) ?? EMPTY)
}

/** The same at one moment. */
export function answerDraftOf(id: string): AnswerDraft {
  return drafts.get().get(id) ?? EMPTY
}

/** Replaces the given members of a draft. */
export function changeDraft(id: string, change: Partial<AnswerDraft>): void {
  const before = answerDraftOf(id)
  drafts.set(new Map(drafts.get()).set(id, { ...before, ...change }))
}

/** Forgets the drafts of questions that are not open. */
export function keepDraftsOf(open: ReadonlySet<string>): void {
  const kept = [...drafts.get()].filter(([id]) => open.has(id))
  if (kept.length < drafts.get().size) drafts.set(new Map(kept))
}

/** Brings back what was typed before the page was loaded again, and keeps it from now on. */
export function keepAnswerDrafts(storage: Pick<Storage, 'getItem' | 'setItem'>): void {
  const text = storage.getItem(KEY)
  if (text !== null) drafts.set(new Map(JSON.parse(text) as [string, AnswerDraft][]))
  drafts.subscribe(() => {
    const written = JSON.stringify([...drafts.get()])
    if (written.length <= MAX_LENGTH) storage.setItem(KEY, written)
  })
}
