import path from 'node:path'
import { QuestionWithdrawn } from '../../client/answers/question-withdrawn.ts'
import { capabilitiesOf, type Responders } from '../../client/responders.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { JsonRpcNotification } from '../../protocol/messages.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { answerByRule, type RuleParts } from '../../responders/answer-by-rule.ts'
import { TokenBudget } from '../../responders/models/token-budget.ts'
import type { Question } from '../../responders/question.ts'
import { respondersFor } from '../../responders/responders-for.ts'
import { RuleError } from '../../responders/rule-error.ts'
import { approvable, refusal } from '../../responders/scripts/approval-hash.ts'
import type { ResponderRule, ResponderSettings } from '../../responders/settings.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { bundleModule } from '../../scripts/bundle-module.ts'
import type { EndpointTest, ResponderUsage, ResponderView, ScriptView } from '../contract/responders.ts'
import { HostError } from '../host-error.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { ProcessStarter } from '../../processes/process-starter.ts'
import type { ResponderStore } from './responder-store.ts'
import type { TokenFile } from './token-file.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type RespondersServiceOptions = {
  readonly store: ResponderStore
  readonly tokens: TokenFile
  readonly inbox: Inbox
  readonly starter: ProcessStarter
  /** Absolute path of the module that runs scripts of rules. */
  readonly scriptEntry: string
  /** The key under which a server's settings are kept. */
  readonly keyOf: (serverId: string) => string
  /** Called when the roots of a server, or of all, changed: servers must be notified. */
  readonly rootsChanged: (serverId: string | undefined) => void
}

/** What answers one connection. To be ended with it. */
export type ConnectionResponders = {
  readonly responders: Responders
  readonly notification: (message: JsonRpcNotification) => void
  readonly end: () => void
}

/** What answers the servers' questions, as the user set it, and what is left to set. */
export class RespondersService {
  readonly #options: RespondersServiceOptions
  /** Of the present or last connection of each server. */
  readonly #budgets = new Map<string, TokenBudget>()

  constructor(options: RespondersServiceOptions) {
    this.#options = options
  }

  /** What is declared to a server for which nothing else was chosen: everything that is answered. */
  get capabilities(): JsonObject {
    const responders = this.#respondersFor({ id: '', name: '' }, new AbortController().signal)
    return { ...capabilitiesOf(responders), roots: { listChanged: true } }
  }

  /** Begins to answer a new connection of a server. */
  connect(server: Question['server']): ConnectionResponders {
    const { inbox, keyOf, tokens } = this.#options
    const ended = new AbortController()
    this.#budgets.set(server.id, new TokenBudget(keyOf(server.id), tokens))
    return {
      responders: this.#respondersFor(server, ended.signal),
      notification: ({ method, params }) => {
        if (method === 'notifications/elicitation/complete')
          inbox.completed(server.id, params?.['elicitationId'])
      },
      end: () => {
        const reason = new QuestionWithdrawn('connection')
        ended.abort(reason)
        inbox.connectionEnded(server.id, reason)
      },
    }
  }

  /** A request failed because addresses are to be visited first (2025-11-25: -32042). */
  async urlRequired(
    server: Question['server'],
    failed: {
      readonly revision: Revision
      readonly bytes: Uint8Array
      readonly data: unknown
      readonly callId?: string
    },
  ): Promise<void> {
    const { store: store, inbox, keyOf } = this.#options
    inbox.urlRequired({ server, ...failed }, await store.effective(keyOf(server.id)))
  }

  settings(serverId: string | undefined): Promise<ResponderView> {
    return this.#options.store.view(this.#keyOf(serverId))
  }

  async save(serverId: string | undefined, settings: ResponderSettings): Promise<ResponderView> {
    const { store: store, rootsChanged } = this.#options
    const key = this.#keyOf(serverId)
    const before = stringifyExact((await store.view(key)).effective.rules.roots)
    const view = await store.save(key, settings)
    if (stringifyExact(view.effective.rules.roots) !== before) rootsChanged(serverId)
    return view
  }

  usage(serverId: string): ResponderUsage {
    const { inbox, keyOf, tokens } = this.#options
    const budget = this.#budgets.get(serverId) ?? new TokenBudget(keyOf(serverId), tokens)
    return {
      tokensToday: budget.usedToday,
      tokensOfConnection: budget.usedByConnection,
      openQuestions: inbox.openQuestionsOf(serverId),
    }
  }

  /** Lets a rule make an answer to an open question, for a person to look at. @throws HostError */
  async propose(
    id: string,
    rule: ResponderRule,
    signal: AbortSignal | undefined,
  ): Promise<{ state: 'proposed'; proposalText: string } | { state: 'failed'; reason: string }> {
    const { store: store, inbox, keyOf } = this.#options
    const { question, propose } = inbox.proposing(id)
    if (rule.kind === 'people' || rule.kind === 'never' || rule.kind === 'wait')
      throw new HostError('INVALID_PARAMS', `A rule of the kind "${rule.kind}" makes no answer.`)
    const { limits } = await store.effective(keyOf(question.server.id))
    const parts: RuleParts = {
      ...this.#partsFor(question.server.id),
      // The proposal is what a person is asked about.
      people: (proposal) => Promise.resolve(proposal ?? {}),
    }
    try {
      const answer = await answerByRule(rule, question, limits, parts, signal ?? new AbortController().signal)
      propose(answer)
      return { state: 'proposed', proposalText: stringifyExact(answer, 2) }
    } catch (error) {
      if (signal?.aborted === true) throw error
      return { state: 'failed', reason: messageOf(error) }
    }
  }

  /** @throws HostError `NOT_FOUND` */
  async testEndpoint(
    id: string,
    model: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<EndpointTest> {
    const open = await this.#options.store.known(id)
    const { askModel } = await import('../../responders/models/ask-model.ts')
    const messages = [{ role: 'user', content: { type: 'text', text: 'Say "ready" and nothing else.' } }]
    const startedAt = performance.now()
    try {
      const reply = await askModel(
        open,
        { params: { messages }, model: model ?? open.endpoint.models[0]?.name ?? '', maxTokens: 64 },
        signal,
      )
      const text = reply.content
        .map((block) => (typeof block['text'] === 'string' ? block['text'] : ''))
        .join('')
      const durationMs = performance.now() - startedAt
      return { state: 'answered', text, model: reply.model, durationMs, tokens: reply.tokens }
    } catch (error) {
      if (!(error instanceof RuleError)) throw error
      const { message: reason, httpStatus } = error
      return { state: 'failed', reason, ...(httpStatus !== undefined && { httpStatus }) }
    }
  }

  /** @throws HostError `NOT_FOUND` */
  async models(
    id: string,
    signal: AbortSignal | undefined,
  ): Promise<{ state: 'listed'; models: string[] } | { state: 'failed'; reason: string }> {
    const open = await this.#options.store.known(id)
    const { listModels } = await import('../../responders/models/ask-model.ts')
    try {
      return { state: 'listed', models: await listModels(open, signal) }
    } catch (error) {
      if (error instanceof RuleError) return { state: 'failed', reason: error.message }
      throw error
    }
  }

  /** A script as it would run now. */
  async script(given: string): Promise<ScriptView> {
    const file = path.resolve(given)
    try {
      return (await this.#lookAt(file)).view
    } catch (error) {
      const reason = messageOf(error)
      return { state: 'unreadable', file, reason }
    }
  }

  /** @throws HostError `APPROVAL_OUTDATED`, `NOT_FOUND` */
  async approveScript(given: string, hash: string): Promise<ScriptView> {
    const file = path.resolve(given)
    const { view, now } = await this.#lookAt(file).catch((cause: unknown) => {
      const reason = messageOf(cause)
      throw new HostError('NOT_FOUND', `The script cannot be read: ${reason}`, { cause })
    })
    if (now.hash !== hash) {
      const message = `${file}, or a file that it imports, was changed after it was shown. Review it again and approve what it is now.`
      throw new HostError('APPROVAL_OUTDATED', message)
    }
    await this.#options.store.approve(file, now)
    return { ...view, approval: 'approved', reason: undefined }
  }

  /** Bundles a script, and compares it with its approval. @throws ScriptError */
  async #lookAt(file: string) {
    const bundle = await bundleModule(file)
    const now = approvable(file, bundle)
    const approval = await this.#options.store.approvalOf(file, now)
    const [own, ...imports] = bundle.files.map((each) => ({
      file: each.file,
      text: Buffer.from(each.content).toString('utf8'),
    }))
    const view: Extract<ScriptView, { state: 'readable' }> = {
      state: 'readable',
      file,
      text: own?.text ?? '',
      imports,
      packages: bundle.packages.map((each) => ({ ...each })),
      hash: now.hash,
      approval: approval.state,
      ...(approval.state === 'approved' ? {} : { reason: refusal(file, approval) }),
    }
    return { view, now }
  }

  #respondersFor(server: Question['server'], ended: AbortSignal): Responders {
    const { store: store, inbox, keyOf } = this.#options
    const settings = () => store.effective(keyOf(server.id))
    return respondersFor(settings, { ...this.#partsFor(server.id), server, broker: inbox.broker, ended })
  }

  #partsFor(serverId: string): Omit<RuleParts, 'people'> {
    const { store: store, starter, scriptEntry, keyOf, tokens } = this.#options
    const budget = this.#budgets.get(serverId) ?? new TokenBudget(keyOf(serverId), tokens)
    this.#budgets.set(serverId, budget)
    return {
      scripts: {
        starter,
        entry: scriptEntry,
        approval: (file, now) => store.approvalOf(file, now),
      },
      models: { endpoint: (id) => store.open(id), budget },
    }
  }

  #keyOf(serverId: string | undefined): string | undefined {
    return serverId === undefined ? undefined : this.#options.keyOf(serverId)
  }
}
