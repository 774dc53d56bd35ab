import type { AnswerFinding, GivenAnswer, InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { showFailure, showToast } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { GivenAnswers } from './given-answers.ts'
import { inboxText } from './text.ts'

const givenAnswers = new GivenAnswers()

/** Lets go of what is known of questions that are not open. */
export function keepAnswersOf(open: ReadonlySet<string>): void {
  givenAnswers.keepOnly(open)
}

/** Why an answer was not sent: it does not fit the question. Empty if it was sent, or its failure shown. */
export type Faults = readonly AnswerFinding[]

/** Sends an answer. Never rejects: a failure is shown as a notice. `unchecked`: whether it fits or not. */
export async function answerEntry(
  entry: InboxEntry,
  answer: GivenAnswer,
  unchecked = false,
): Promise<Faults> {
  try {
    const answered = await givenAnswers.give(
      entry.id,
      () => api.inbox.answer({ id: entry.id, answer, unchecked }),
      ({ state }) => state === 'sent',
    )
    return answered?.state === 'invalid' ? answered.findings : []
  } catch (error) {
    showFailure(inboxText.inboxActions.answerFailed, error)
    return []
  }
}

/** A no, in the words of the kind of question. Never rejects. */
export function declineEntry(entry: InboxEntry): Promise<void> {
  return runAction(inboxText.inboxActions.couldNotDecline, () =>
    givenAnswers.give(
      entry.id,
      () => api.inbox.decline({ id: entry.id }),
      () => true,
    ),
  )
}

/** Neither yes nor no. Never rejects. */
export function cancelEntry(entry: InboxEntry): Promise<void> {
  return runAction(inboxText.inboxActions.couldNotCancel, () =>
    givenAnswers.give(
      entry.id,
      () => api.inbox.cancel({ id: entry.id }),
      () => true,
    ),
  )
}

/** Has the address of a question opened in the browser, if it may be. Never rejects: a refusal is shown. */
export function openAddress(entry: InboxEntry, accept: boolean): Promise<void> {
  return runAction(inboxText.inboxActions.openFailed, async () => {
    const opened = await givenAnswers.give(
      entry.id,
      () => api.inbox.openUrl({ id: entry.id, accept }),
      ({ state }) => accept && state === 'opened',
    )
    if (opened?.state === 'refused')
      showToast({ title: inboxText.inboxActions.addressNotOpened, detail: opened.reason, tone: 'warn' })
  })
}

/** Forgets the questions that are over. Never rejects. */
export function clearHistory(): Promise<void> {
  return runAction(inboxText.inboxActions.clearFailed, () => api.inbox.clear())
}

async function runAction(title: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    showFailure(title, error)
  }
}
