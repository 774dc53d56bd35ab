import type { Answer } from './answers.ts'
import { answerWord, safeLabel, toolErrorText } from './labels.ts'
import type { RowStore } from './row-store.ts'
import type { Row, StoredFrame } from './row.ts'

/** How a request ends other than by a response message. */
export type Ending =
  | { readonly type: 'cancelled' }
  | { readonly type: 'lost'; readonly reason?: string }
  | { readonly type: 'http-error'; readonly status: number; readonly reason: string }
  | { readonly type: 'broken'; readonly reason: string }
  /** A question inside `input_required`: its bare result, or none. */
  | { readonly type: 'response'; readonly response: unknown }
  | { readonly type: 'unanswered' }

/** When it ended: mostly with a frame. */
type Moment = Pick<StoredFrame, 'at'>

/** Ends an open request: its own row, its questions that are still open, and its wait in the exchange around it. */
export function closeRequest(store: RowStore, row: Row, frame: Moment, answer: Answer | Ending): void {
  settle(row, frame, answer)
  const { connection } = row
  connection.open.delete(row)
  connection.waiting.delete(row)
  for (const question of row.questions?.values() ?? []) {
    settle(question, frame, answer.type === 'lost' ? answer : { type: 'unanswered' })
    store.touch(question)
  }
  row.questions = undefined
  store.touch(row)
  if (row.parent !== undefined) store.touch(row.parent)
}

/** Writes into a row how it ended, and ends its wait in the exchange around it. */
export function settle(row: Row, frame: Moment, answer: Answer | Ending): void {
  row.endedAt = frame.at
  if (row.wait !== undefined) row.wait.endedAt ??= frame.at
  for (const wait of row.waits ?? []) wait.endedAt ??= frame.at
  switch (answer.type) {
    case 'result':
      row.outcome = answer.result['isError'] === true ? 'tool-error' : 'ok'
      if (row.outcome === 'tool-error') row.errorMessage = toolErrorText(answer.result)
      else if (row.direction === 'received') addWord(row, answerWord(answer.result))
      break
    case 'response':
      row.outcome = 'ok'
      addWord(row, answerWord(answer.response))
      break
    case 'error':
      row.outcome = 'error'
      row.errorCode = answer.code
      row.errorMessage = answer.message
      break
    case 'http-error':
      row.outcome = 'error'
      row.errorCode = answer.status
      row.errorMessage = safeLabel(answer.reason)
      break
    case 'invalid':
    case 'broken':
      row.outcome = 'error'
      row.errorMessage = safeLabel(answer.reason)
      break
    case 'lost':
      row.outcome = 'lost'
      if (answer.reason !== undefined) row.errorMessage = safeLabel(answer.reason)
      break
    case 'input-required':
      row.outcome = 'error'
      row.errorMessage = 'a result with "resultType": "input_required" where nothing may be asked'
      break
    case 'cancelled':
    case 'unanswered':
      row.outcome = 'cancelled'
      break
  }
}

function addWord(row: Row, word: string): void {
  if (word !== '') row.label = safeLabel(`${row.label} ${word}`.trim())
}
