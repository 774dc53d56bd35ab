import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import type { RuleKind } from '../../server-core/host/contract/responders.ts'
import type { IconName } from '../controls/icon.tsx'
import { inboxText } from './text.ts'

export type QuestionKind = InboxEntry['kind']

/** What the specification calls each kind of question, and its drawing. */
export const KINDS: Readonly<Record<QuestionKind, { readonly name: string; readonly icon: IconName }>> = {
  sampling: { name: 'Sampling', icon: 'sampling' },
  'elicitation-form': { name: 'Elicitation', icon: 'elicit' },
  'elicitation-url': { name: inboxText.entryWords.elicitationUrl, icon: 'link' },
  roots: { name: 'Roots', icon: 'folder' },
}

/** What each rule does, in the words of a button. */
export const RULE_NAMES: Readonly<Record<RuleKind, string>> = {
  people: 'Ask me',
  fixed: inboxText.entryWords.fixedAnswer,
  template: 'Template',
  script: 'Script',
  model: 'Model',
  decline: 'Decline',
  wait: inboxText.entryWords.waitThen,
  never: inboxText.entryWords.neverAnswer,
}

/** What became of a question that is over; empty while it is open. */
export function endOf({ state }: InboxEntry): string {
  switch (state.type) {
    case 'open':
      return ''
    case 'answered':
      return `${state.by === 'rule' ? 'by rule: ' : ''}${state.summary}`
    case 'refused':
      return `refused: ${state.reason}`
    case 'withdrawn':
      return state.reason === undefined
        ? 'cancelled by the server'
        : `cancelled by the server: ${state.reason}`
    case 'expired':
      return 'nobody answered in time'
    case 'connection-ended':
      return 'the connection ended'
  }
}

/** The text between the name of its kind and its end: who asks, and for what. */
export function sourceOf(entry: InboxEntry, call: string | undefined): string {
  return [entry.serverName, ...(call === undefined ? [] : [call])].join(' · ')
}

/** The ones that wait for an answer, oldest first, and those that are over, newest first. */
export function arranged(entries: readonly InboxEntry[]): {
  readonly open: readonly InboxEntry[]
  readonly over: readonly InboxEntry[]
} {
  const open = entries.filter(({ state }) => state.type === 'open')
  const over = entries.flatMap((entry) =>
    entry.state.type === 'open' ? [] : [{ entry, endedAt: entry.state.at }],
  )
  return {
    open: open.toSorted((a, b) => a.at - b.at),
    over: over.toSorted((a, b) => b.endedAt - a.endedAt).map(({ entry }) => entry),
  }
}

/** How many wait for a person. */
export function waitingForPeople(entries: readonly InboxEntry[]): number {
  return entries.filter(
    ({ state }) => state.type === 'open' && (state.waitsFor === 'person' || state.proposed),
  ).length
}
