import type { RequestOutcome } from '../../../server-core/host/contract/inspect.ts'
import type { StateLook } from '../../controls/state-mark.tsx'
import { workbenchResultsText } from './text.ts'

/** How an outcome is told apart at a glance: a shape and a word, the colour only repeats them. */
export function outcomeLook(outcome: RequestOutcome): StateLook {
  switch (outcome.type) {
    case 'result':
      return /"isError"\s*:\s*true/.test(tailOf(outcome.messageText)) && isToolError(outcome.messageText)
        ? { icon: 'warn', tone: 'is-warn', word: workbenchResultsText.outcomeLook.toolError }
        : { icon: 'check', tone: 'is-ok', word: workbenchResultsText.outcomeLook.result }
    case 'task':
      return { icon: 'clock', tone: 'is-ok', word: workbenchResultsText.outcomeLook.task }
    case 'error':
      return { icon: 'kind-error', tone: 'is-error', word: String(outcome.code) }
    case 'failure':
      return { icon: 'st-fail', tone: 'is-error', word: outcome.code }
  }
}

/** Large answers are not parsed only to be named in a list. */
const MAX_PARSED = 1_000_000

function tailOf(text: string): string {
  return text.length > MAX_PARSED ? `${text.slice(0, 2_000)}${text.slice(-2_000)}` : text
}

function isToolError(text: string): boolean {
  if (text.length > MAX_PARSED) return true
  const message: unknown = JSON.parse(text)
  return readIsError(message)
}

function readIsError(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('result' in message)) return false
  const result: unknown = message.result
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true
}
