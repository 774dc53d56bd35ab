import { SerialQueue } from '../../protocol/serial-queue.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { declined, expired, type QuestionBroker } from '../../responders/question-broker.ts'
import type { Question } from '../../responders/question.ts'
import { QuestionRates } from '../../responders/rates.ts'
import { askPerson, type OpenUrl } from './ask-person.ts'
import type { Person } from './person.ts'

export type TerminalBrokerOptions = {
  /** Undefined if nobody is there: what would be asked is declined. */
  readonly person: Person | undefined
  readonly openUrl: OpenUrl
  /** Prints to stderr. */
  readonly writeStderr: (text: string) => void
}

const WHAT: Readonly<Record<Question['kind'], string>> = {
  sampling: 'for the answer of a language model (sampling)',
  'elicitation-form': 'its user something (elicitation)',
  'elicitation-url': 'its user to open a page (elicitation)',
  roots: 'for folders to work in (roots)',
}

/** Where the questions of one server to one command pass. A person is asked one thing at a time. */
export function terminalBroker({
  person,
  openUrl,
  writeStderr: writeStderr,
}: TerminalBrokerOptions): QuestionBroker {
  const rates = new QuestionRates()
  const turns = new SerialQueue()
  return {
    open: (question, _rule, { limits }) => {
      let isAsked = false
      const leave = rates.enter(limits, performance.now())
      return {
        ask: async (proposal, signal) => {
          if (person === undefined) return declinedFor(question, writeStderr)
          isAsked = true
          return turns.run(() =>
            inTime(question, limits.deadlineMs, signal, (until) =>
              askPerson(person, question, proposal, openUrl, until),
            ),
          )
        },
        close: (outcome) => {
          leave()
          if (outcome.type === 'error' && outcome.failure !== undefined)
            writeStderr(
              `patchbay: ${question.server.name} asked ${WHAT[question.kind]}: ${outcome.failure.message}`,
            )
          if (outcome.type === 'withdrawn' && isAsked && person !== undefined)
            person.print(`\n${question.server.name} does not wait for that answer any more.`)
        },
      }
    },
  }
}

function declinedFor(question: Question, writeStderr: (text: string) => void): JsonObject {
  const { kind, server } = question
  writeStderr(
    `patchbay: ${server.name} asked ${WHAT[kind]}; nobody is at a terminal to answer, so it was declined. ` +
      `Say who answers with --responder ${kind}=RULE (patchbay help answering).`,
  )
  return declined(question, 'decline')
}

/** Asks until the deadline; 0 milliseconds is not a deadline. Throws as `expired` does. */
async function inTime(
  question: Question,
  deadlineMs: number,
  signal: AbortSignal,
  ask: (until: AbortSignal) => Promise<JsonObject>,
): Promise<JsonObject> {
  if (deadlineMs === 0) return ask(signal)
  const deadline = AbortSignal.timeout(deadlineMs)
  try {
    return await ask(AbortSignal.any([signal, deadline]))
  } catch (error) {
    if (deadline.aborted && !signal.aborted) return expired(question)
    throw error
  }
}
