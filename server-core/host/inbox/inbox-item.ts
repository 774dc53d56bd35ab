import { randomUUID } from 'node:crypto'
import { ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { expired, type Outcome, type PendingQuestion } from '../../responders/question-broker.ts'
import type { Question } from '../../responders/question.ts'
import type { EffectiveSettings, RuleKind } from '../../responders/settings.ts'
import { safeLabel, labelOf } from '../../capture/labels.ts'
import type { InboxEntry, InboxState } from '../contract/inbox.ts'
import { closeReason } from './close-reason.ts'

/** What an item tells the inbox, and needs of it. */
export type ItemParts = {
  readonly changed: () => void
  /** It is over; if it was answered, then by a result. */
  readonly closed: (isAnswered: boolean) => void
  readonly exchangeId: string | undefined
  readonly source: InboxEntry['source']
  readonly callId?: string
}

/** What servers say in `notifications/cancelled` after a time-out; -32001 is the code of the official SDKs. */
const TIMED_OUT = /timed?[ -]?out|-32001/i

type Person = { readonly resolve: (result: JsonObject) => void; readonly reject: (error: Error) => void }

/** One question in the inbox, from its coming until it is forgotten. */
export class InboxItem implements PendingQuestion {
  readonly id = randomUUID()
  readonly question: Question
  /** Resolves when it is over. */
  readonly over: Promise<void>
  readonly #isOver = Promise.withResolvers<void>()
  readonly #rule: RuleKind
  readonly #settings: EffectiveSettings
  readonly #parts: ItemParts
  readonly #at = Date.now()
  #state: InboxState = { type: 'open', waitsFor: 'rule', proposed: false }
  #person: Person | undefined
  #timer: NodeJS.Timeout | undefined
  #deadline: number | undefined
  #proposal: JsonObject | undefined
  #answer:
    { readonly result: JsonObject } | { readonly error: ReturnType<ProtocolError['toBody']> } | undefined
  #byPerson = false
  #isExpired = false
  #failure: string | undefined
  readonly #title: string
  #openedAt: number | undefined
  #completedAt: number | undefined

  constructor(question: Question, rule: RuleKind, settings: EffectiveSettings, parts: ItemParts) {
    this.question = question
    this.#title = labelOf(question.method, question.params)
    this.over = this.#isOver.promise
    this.#rule = rule
    this.#settings = settings
    this.#parts = parts
  }

  get isOpen(): boolean {
    return this.#state.type === 'open'
  }

  /** A person may answer it now. */
  get waitsForPerson(): boolean {
    return this.#person !== undefined
  }

  get source(): InboxEntry['source'] {
    return this.#parts.source
  }

  get proposal(): JsonObject | undefined {
    return this.#proposal
  }

  /** What was answered: `{ result }` or `{ error }`. */
  get answer(): JsonObject | undefined {
    return this.#answer
  }

  /** How long the server waited, in milliseconds, if it took the question back because that was too long for it. */
  get waitedUntilTimeout(): number | undefined {
    const state = this.#state
    if (state.type !== 'withdrawn' || !TIMED_OUT.test(state.reason ?? '')) return undefined
    return state.at - this.#at
  }

  entry(): InboxEntry {
    const { server, kind, method, revision, bytes } = this.question
    const { exchangeId, source, callId } = this.#parts
    const isUrl = kind === 'elicitation-url'
    return {
      id: this.id,
      serverId: server.id,
      serverName: server.name,
      ...(exchangeId !== undefined && { exchangeId }),
      kind,
      method,
      revision,
      source,
      title: this.#title,
      rule: this.#rule,
      ...(callId !== undefined && { callId }),
      bytes: bytes.byteLength,
      at: this.#at,
      ...(this.#deadline !== undefined && { deadline: this.#deadline }),
      state: this.#state,
      ...(isUrl && {
        url: {
          ...(this.#openedAt !== undefined && { openedAt: this.#openedAt }),
          ...(this.#completedAt !== undefined && { completedAt: this.#completedAt }),
        },
      }),
      ...(this.#failure !== undefined && { failure: this.#failure }),
    }
  }

  ask(proposal: JsonObject | undefined, signal: AbortSignal): Promise<JsonObject> {
    return new Promise<JsonObject>((resolve, reject) => {
      const abort = (): void => this.#settle(() => reject(signal.reason as Error))
      this.#person = {
        resolve: (result) => {
          signal.removeEventListener('abort', abort)
          resolve(result)
        },
        reject: (error) => {
          signal.removeEventListener('abort', abort)
          reject(error)
        },
      }
      const { deadlineMs } = this.#settings.limits
      if (deadlineMs > 0) {
        this.#deadline = Date.now() + deadlineMs
        this.#timer = setTimeout(() => this.#expire(), deadlineMs)
      }
      this.#proposal = proposal
      this.#state = { type: 'open', waitsFor: 'person', proposed: proposal !== undefined }
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
      this.#parts.changed()
    })
  }

  /** Puts an answer beside the question, for a person to look at. */
  propose(proposal: JsonObject): void {
    this.#proposal = proposal
    if (this.#state.type === 'open') this.#state = { ...this.#state, proposed: true }
    this.#parts.changed()
  }

  /** A person answers. To be called only while it waits for one. */
  give(result: JsonObject): void {
    this.#byPerson = true
    this.#settle((person) => person.resolve(result))
  }

  /** A person answers with an error. To be called only while it waits for one. */
  refuse(error: ProtocolError): void {
    this.#byPerson = true
    this.#settle((person) => person.reject(error))
  }

  opened(): void {
    this.#openedAt = Date.now()
    this.#parts.changed()
  }

  /** The server says that what was to be done at its address is done. */
  completed(): void {
    this.#completedAt = Date.now()
    this.#parts.changed()
  }

  /** It was refused before anybody saw it. */
  turnAway(reason: string): void {
    this.#end({ type: 'refused', at: Date.now(), reason })
  }

  close(outcome: Outcome): void {
    if (!this.isOpen) return
    if (outcome.type === 'withdrawn') this.#end(closeReason(outcome.reason))
    else this.#end(this.#answered(outcome))
  }

  #answered(outcome: Exclude<Outcome, { type: 'withdrawn' }>): InboxState {
    const at = Date.now()
    if (outcome.type === 'result') this.#answer = { result: outcome.result }
    else this.#answer = { error: outcome.error.toBody() }
    if (outcome.type === 'error' && outcome.failure !== undefined) this.#failure = outcome.failure.message
    if (this.#isExpired) return { type: 'expired', at }
    return {
      type: 'answered',
      at,
      by: this.#byPerson ? 'person' : 'rule',
      outcome: outcome.type,
      summary: outcome.type === 'result' ? summaryOf(outcome.result) : errorSummary(outcome.error),
    }
  }

  #expire(): void {
    this.#isExpired = true
    this.#settle((person) => {
      try {
        person.resolve(expired(this.question))
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        person.reject(error)
      }
    })
  }

  #settle(how: (person: Person) => void): void {
    const person = this.#person
    if (person === undefined) return
    this.#person = undefined
    clearTimeout(this.#timer)
    how(person)
  }

  #end(state: InboxState): void {
    this.#person = undefined
    clearTimeout(this.#timer)
    this.#state = state
    this.#isOver.resolve()
    this.#parts.closed(this.#answer !== undefined && 'result' in this.#answer)
    this.#parts.changed()
  }
}

function summaryOf(result: JsonObject): string {
  const { action, model, roots, content } = result
  if (typeof action === 'string') return safeLabel(action)
  if (Array.isArray(roots)) return `${roots.length} ${roots.length === 1 ? 'root' : 'roots'}`
  const blocks = (Array.isArray(content) ? content : [content]).filter(isJsonObject)
  const said = blocks.map(({ type, text, name }) =>
    typeof text === 'string'
      ? `${text.length} characters`
      : `${String(type)}${typeof name === 'string' ? ` of ${name}` : ''}`,
  )
  return safeLabel(`${said.join(', ')}${typeof model === 'string' ? ` from ${model}` : ''}`)
}

function errorSummary({ code, message }: ProtocolError): string {
  return safeLabel(`error ${code}: ${message}`)
}
