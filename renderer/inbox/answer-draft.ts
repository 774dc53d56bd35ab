import { z } from 'zod'
import { Observable, useSelected } from '../state/observable.ts'
import { Persisted } from '../state/persisted.ts'
import { inboxText } from './text.ts'

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
const draftSchema: z.ZodType<AnswerDraft> = z.object({
  way: z.enum(['usual', 'raw']),
  raw: z
    .object({ as: z.enum(['result', 'error']), text: z.string(), unchecked: z.boolean() })
    .exactOptional(),
  error: z.object({ code: z.string(), message: z.string(), dataText: z.string() }).exactOptional(),
  sampling: z.object({ text: z.string(), model: z.string(), stopReason: z.string() }).exactOptional(),
  proposed: z.string().exactOptional(),
  roots: z.array(z.object({ uri: z.string(), name: z.string() })).exactOptional(),
})

const stored = new Persisted<[string, AnswerDraft][]>({
  key: 'patchbay.inbox',
  name: inboxText.answerDraft.answersInTheInbox,
  schema: z.array(z.tuple([z.string(), draftSchema])),
  maxLength: 1_000_000,
})

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
export function keepAnswerDrafts(): void {
  const kept = stored.load()
  if (kept !== undefined) drafts.set(new Map(kept))
  drafts.subscribe(() => stored.saveSoon(() => [...drafts.get()]))
}
