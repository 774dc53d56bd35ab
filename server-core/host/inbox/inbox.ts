import { ProtocolError } from '../../protocol/errors.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { mayOpen } from '../../network/guarded-opener.ts'
import { declined, type QuestionBroker } from '../../responders/question-broker.ts'
import { isValidAnswer, readAnswer } from '../../responders/validate-answer.ts'
import type { Question } from '../../responders/question.ts'
import { QuestionRates } from '../../responders/rates.ts'
import { RuleError } from '../../responders/rule-error.ts'
import type { EffectiveSettings } from '../../responders/settings.ts'
import type { TrafficLog } from '../../capture/traffic-log.ts'
import { uncheckedAnswer } from '../../client/answers/unchecked-answer.ts'
import type { AnswerFinding, Answered, GivenAnswer, InboxEntry, InboxQuestion } from '../contract/inbox.ts'
import { HostError } from '../host-error.ts'
import { InboxItem } from './inbox-item.ts'
import { CallWaits, type CallWait } from './wait-clock.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Entries that are over and still kept. */
const KEPT = 100
/** Bytes of the messages of those. */
const KEPT_BYTES = 32 * 1024 * 1024
/** Entries of all servers that may be open. */
const OPEN = 500

export type InboxOptions = {
  readonly traffic: Pick<TrafficLog, 'questionIdOf' | 'exchangeIdOf' | 'giveUp' | 'masking'>
  readonly changed: () => void
  /** Opens an address that was checked in the user's browser. */
  readonly openUrl: (href: string) => Promise<void>
}

/** An error that asks to visit addresses first (2025-11-25: -32042), and the request that it answered. */
export type UrlRequired = {
  readonly server: Question['server']
  readonly revision: Revision
  readonly bytes: Uint8Array
  readonly data: unknown
  readonly callId?: string
}

/**
 * The questions of all servers: those that wait for a person, those that rules are at, and the last that are over. It
 * lives as long as the host, so pages may come and go.
 */
export class Inbox {
  readonly #options: InboxOptions
  readonly #items = new Map<string, InboxItem>()
  readonly #rates = new Map<string, QuestionRates>()
  readonly #waits = new Map<string, CallWaits>()
  /** How long each server waits for an answer, as far as one of its questions timed out. */
  readonly #timeouts = new Map<string, number>()
  /** By server: aborted when its connection ends, for entries that belong to no request. */
  readonly #ends = new Map<string, AbortController>()

  constructor(options: InboxOptions) {
    this.#options = options
  }

  /** Where questions come in. */
  readonly broker: QuestionBroker = {
    open: (question, rule, settings) => {
      const rates = this.#ratesOf(question.server.id)
      let leave: () => void
      try {
        this.#refuseTooMany()
        leave = rates.enter(settings.limits, performance.now())
      } catch (error) {
        const refused = this.#add(question, rule, settings, () => undefined)
        refused.turnAway(messageOf(error))
        throw error
      }
      const stopClock = this.#waitsOf(question.server.id).asked()
      return this.#add(question, rule, settings, () => {
        leave()
        stopClock()
      })
    },
  }

  /** Oldest first. */
  list(): InboxEntry[] {
    return [...this.#items.values()].map((item) => this.#shown(item))
  }

  openQuestionsOf(serverId: string): number {
    return this.#rates.get(serverId)?.open ?? 0
  }

  /** Starts to measure how long a call of a server waits for answers to questions. */
  measureWait(serverId: string): CallWait {
    return this.#waitsOf(serverId).measure()
  }

  /** @throws HostError `NOT_FOUND` */
  question(id: string): InboxQuestion {
    const item = this.#item(id)
    const text = (value: JsonObject): string => this.#options.traffic.masking.text(stringifyExact(value))
    return {
      entry: this.#shown(item),
      paramsText: text(item.question.params),
      ...(item.proposal !== undefined && { proposalText: text(item.proposal) }),
      ...(item.answer !== undefined && { answerText: text(item.answer) }),
    }
  }

  /** @throws HostError `NOT_FOUND` */
  check(id: string, resultText: string): AnswerFinding[] {
    const read = this.#read(this.#item(id), resultText)
    return [...read.findings]
  }

  /** @throws HostError `NOT_FOUND`, `NOT_OPEN` */
  async answer(id: string, answer: GivenAnswer, unchecked = false): Promise<Answered> {
    const item = this.#waiting(id)
    if (answer.type === 'error') {
      item.refuse(new ProtocolError(answer.code, answer.message, dataOf(answer.dataText)))
      return this.#sent(item)
    }
    const { result, given, findings } = this.#read(item, answer.resultText)
    if (unchecked && given !== undefined) {
      item.give(uncheckedAnswer(given))
      return this.#sent(item)
    }
    if (result === undefined || findings.length > 0) return { state: 'invalid', findings: [...findings] }
    item.give(result)
    return this.#sent(item)
  }

  /** Declines a question. @throws HostError `NOT_FOUND`, `NOT_OPEN` */
  async decline(id: string, action: 'decline' | 'cancel'): Promise<InboxEntry> {
    const item = this.#waiting(id)
    try {
      item.give(declined(item.question, action))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      item.refuse(error)
    }
    return this.#after(item)
  }

  /** The question of an entry that waits for a person, and where a proposal goes. @throws HostError */
  proposing(id: string): { readonly question: Question; readonly propose: (answer: JsonObject) => void } {
    const item = this.#waiting(id)
    return { question: item.question, propose: (answer) => item.propose(answer) }
  }

  /** Opens the address of an elicitation in URL mode. @throws HostError `NOT_FOUND`, `NOT_OPEN`, `INVALID_PARAMS` */
  async openUrl(
    id: string,
    accept: boolean,
  ): Promise<{ state: 'opened'; entry: InboxEntry } | { state: 'refused'; reason: string }> {
    const item = this.#waiting(id)
    const { kind, params } = item.question
    const { url } = params
    if (kind !== 'elicitation-url' || typeof url !== 'string')
      throw new HostError('INVALID_PARAMS', 'This question has no address to open.')
    const opening = mayOpen(url)
    if (!opening.ok) return { state: 'refused', reason: opening.why }
    try {
      await this.#options.openUrl(opening.href)
    } catch (error) {
      const reason = messageOf(error)
      return { state: 'refused', reason: `The browser could not be started: ${reason}` }
    }
    item.opened()
    if (accept && item.waitsForPerson && item.source !== 'url-required-error') item.give({ action: 'accept' })
    return { state: 'opened', entry: item.waitsForPerson ? this.#shown(item) : await this.#after(item) }
  }

  /**
   * Adds an entry for each address that an error asks the user to visit. No answer is sent; an entry closes when the
   * server reports completion, or when the user closes it.
   */
  urlRequired({ server, revision, bytes, data, callId }: UrlRequired, settings: EffectiveSettings): void {
    const asked = isJsonObject(data) ? data['elicitations'] : undefined
    for (const params of Array.isArray(asked) ? asked.slice(0, OPEN) : []) {
      if (!isJsonObject(params) || typeof params['url'] !== 'string') continue
      const question: Question = {
        kind: 'elicitation-url',
        method: 'elicitation/create',
        params,
        revision,
        bytes,
        server,
      }
      const item = this.#add(question, 'people', settings, () => undefined, {
        source: 'url-required-error',
        ...(callId !== undefined && { callId }),
      })
      // Nobody waits for what a person says: the call is made again.
      const { signal } = this.#endOf(server.id)
      item.ask(undefined, signal).then(
        (result) => item.close({ type: 'result', result }),
        (reason: unknown) => item.close({ type: 'withdrawn', reason }),
      )
    }
  }

  /** The server says that what was to be done at an address is done (`notifications/elicitation/complete`). */
  completed(serverId: string, elicitationId: unknown): void {
    if (typeof elicitationId !== 'string') return
    for (const item of this.#items.values()) {
      const { server, params } = item.question
      if (server.id !== serverId || params['elicitationId'] !== elicitationId) continue
      item.completed()
      if (item.source === 'url-required-error' && item.waitsForPerson) item.give({ action: 'accept' })
    }
  }

  /** The connection to a server ended: what belongs to no call ends with it. */
  connectionEnded(serverId: string, reason: unknown): void {
    this.#ends.get(serverId)?.abort(reason)
    this.#ends.delete(serverId)
  }

  /** Forgets what is over. */
  clear(): void {
    for (const [id, item] of this.#items) if (!item.isOpen) this.#items.delete(id)
    this.#options.changed()
  }

  #endOf(serverId: string): AbortController {
    const known = this.#ends.get(serverId)
    if (known !== undefined) return known
    const controller = new AbortController()
    this.#ends.set(serverId, controller)
    return controller
  }

  #add(
    question: Question,
    rule: InboxEntry['rule'],
    settings: EffectiveSettings,
    leave: () => void,
    how: { readonly source?: InboxEntry['source']; readonly callId?: string } = {},
  ): InboxItem {
    const { traffic, changed } = this.#options
    const { key, bytes } = question
    const { source = key === undefined ? 'request' : 'input-required', callId } = how
    const exchangeId = key === undefined ? traffic.exchangeIdOf(bytes) : traffic.questionIdOf(bytes, key)
    const item = new InboxItem(question, rule, settings, {
      changed,
      closed: (isAnswered) => {
        leave()
        this.#learnTimeout(item)
        if (!isAnswered && key !== undefined) traffic.giveUp(bytes)
        this.#forgetOldest()
      },
      exchangeId,
      source,
      ...(callId !== undefined && { callId }),
    })
    this.#items.set(item.id, item)
    changed()
    return item
  }

  #refuseTooMany(): void {
    let open = 0
    for (const item of this.#items.values()) if (item.isOpen) open += 1
    if (open < OPEN) return
    throw new ProtocolError(-32603, `too many questions: ${open} of all servers wait for an answer already`)
  }

  #forgetOldest(): void {
    const over = [...this.#items.values()].filter((item) => !item.isOpen)
    let bytes = over.reduce((sum, item) => sum + item.question.bytes.byteLength, 0)
    for (const [index, item] of over.entries()) {
      if (over.length - index <= KEPT && bytes <= KEPT_BYTES) return
      bytes -= item.question.bytes.byteLength
      this.#items.delete(item.id)
    }
  }

  #ratesOf(serverId: string): QuestionRates {
    const known = this.#rates.get(serverId)
    if (known !== undefined) return known
    const rates = new QuestionRates()
    this.#rates.set(serverId, rates)
    return rates
  }

  #waitsOf(serverId: string): CallWaits {
    const known = this.#waits.get(serverId)
    if (known !== undefined) return known
    const waits = new CallWaits()
    this.#waits.set(serverId, waits)
    return waits
  }

  #item(id: string): InboxItem {
    const item = this.#items.get(id)
    if (item !== undefined) return item
    throw new HostError('NOT_FOUND', 'This question is not kept any more.')
  }

  #waiting(id: string): InboxItem {
    const item = this.#item(id)
    if (item.waitsForPerson) return item
    const { state } = item.entry()
    throw new HostError(
      'NOT_OPEN',
      state.type === 'open'
        ? 'A rule is answering this question. Change the rule to answer such questions yourself.'
        : 'This question is over; nobody waits for its answer any more.',
    )
  }

  #read(
    { question }: InboxItem,
    resultText: string,
  ): { result?: JsonObject; given?: JsonObject; findings: readonly AnswerFinding[] } {
    let given: JsonObject
    try {
      given = readAnswer(resultText)
    } catch (error) {
      if (error instanceof RuleError) return { findings: [{ path: '', message: error.message }] }
      throw error
    }
    const { result, faults } = isValidAnswer(question, given)
    return { result, given, findings: faults }
  }

  async #sent(item: InboxItem): Promise<Answered> {
    return { state: 'sent', entry: await this.#after(item) }
  }

  /** An entry once what was given has become its answer. */
  async #after(item: InboxItem): Promise<InboxEntry> {
    await item.over
    return this.#shown(item)
  }

  /** A server that takes a question back because it timed out shows how long it waits for an answer. */
  #learnTimeout({ question, waitedUntilTimeout }: InboxItem): void {
    if (waitedUntilTimeout !== undefined) this.#timeouts.set(question.server.id, waitedUntilTimeout)
  }

  #shown(item: InboxItem): InboxEntry {
    const { masking } = this.#options.traffic
    const entry = item.entry()
    const serverTimeoutMs = item.isOpen ? this.#timeouts.get(entry.serverId) : undefined
    return {
      ...entry,
      ...(serverTimeoutMs !== undefined && { serverTimeoutMs }),
      title: masking.text(entry.title),
      ...(entry.failure !== undefined && { failure: masking.text(entry.failure) }),
    }
  }
}

function dataOf(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    const reason = messageOf(cause)
    throw new HostError('INVALID_PARAMS', `The data of the error is not JSON: ${reason}`, { cause })
  }
}
