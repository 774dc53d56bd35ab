import { answerCall, type AnswerParts } from '../../mocks/answer-call.ts'
import { mocksMember } from '../../mocks/mock-document.ts'
import {
  mockEntriesSchema,
  keyOfEntry,
  overridesSchema,
  type Answer,
  type MockEntry,
  type Override,
} from '../../mocks/mock-entry.ts'
import { mockDefect } from '../../mocks/mock-registry.ts'
import type { LastResults } from '../../mocks/override-view.ts'
import { seedFor } from '../../mocks/seed.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { RegistryView } from '../../registry/entries.ts'
import type { WorkspaceDocument } from '../../workspace/server-entries.ts'
import type { AnswerPreview, MocksState, Seed } from '../contract/mocks.ts'
import { HostError } from '../host-error.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** What is known of the entries of a workspace that is open and trusted. */
export type OpenWorkspace = {
  /** `patchbay.json`; another object when it says something else. */
  readonly document: WorkspaceDocument
  readonly registry: RegistryView
  readonly lastResults: LastResults
  entries(): readonly {
    readonly key: string
    readonly shownName: string
    readonly origin: { readonly kind: string }
  }[]
  faults(): readonly { readonly code: string; readonly message: string }[]
  /** Changes `patchbay.json`, and serves what it says then. */
  update(change: (document: WorkspaceDocument) => WorkspaceDocument): Promise<void>
}

export type MocksServiceOptions = {
  /** The workspace; undefined while nothing of it is served. */
  readonly workspace: () => OpenWorkspace | undefined
  /** Runs answers that are scripts, for a preview. */
  readonly answers: () => AnswerParts
  readonly changed: () => void
}

/** The code of faults of mock entries. */
const MOCKS = 'mocks'
const NOTHING: MocksState = { entries: [], overrides: [], problems: [] }

/** mock entries and overrides of the embedded server, as the window draws them. */
export class MocksService {
  readonly #options: MocksServiceOptions
  #document: WorkspaceDocument | undefined
  #state = NOTHING

  constructor(options: MocksServiceOptions) {
    this.#options = options
  }

  state(): MocksState {
    return this.#state
  }

  /** To be called when the workspace is another, or says something else. */
  refresh(): void {
    const workspace = this.#options.workspace()
    const problems = this.#problems(workspace)
    const isSame = JSON.stringify(problems) === JSON.stringify(this.#state.problems)
    if (isSame && workspace?.document === this.#document) return
    this.#document = workspace?.document
    // What cannot be read stays as it was; the workspace says what is wrong with it.
    const entries = mockEntriesSchema.safeParse((workspace && mocksMember(workspace.document)) ?? [])
    const overrides = overridesSchema.safeParse(workspace?.document['overrides'] ?? [])
    this.#state = {
      entries: entries.success ? entries.data : this.#state.entries,
      overrides: overrides.success ? overrides.data : this.#state.overrides,
      problems,
    }
    this.#options.changed()
  }

  /** Throws a `HostError` (`INVALID_ENTRY`) that says why the entry cannot be served. */
  async save(entry: MockEntry, replaces: string | undefined): Promise<MocksState> {
    const key = keyOfEntry(entry)
    const defect = mockDefect(entry)
    if (defect !== undefined) throw new HostError('INVALID_ENTRY', defect)
    const taken =
      key === replaces
        ? undefined
        : this.#open()
            .entries()
            .find((each) => each.key === key)
    if (taken !== undefined) {
      throw new HostError(
        'ALREADY_EXISTS',
        `There is ${key} already (${taken.origin.kind}); choose another name.`,
      )
    }
    return this.#change((state) => {
      const at = state.entries.findIndex((each) => keyOfEntry(each) === replaces)
      const entries = at < 0 ? [...state.entries, entry] : state.entries.with(at, entry)
      return { ...state, entries }
    })
  }

  remove(key: string): Promise<MocksState> {
    return this.#change((state) => ({
      ...state,
      entries: state.entries.filter((entry) => keyOfEntry(entry) !== key),
    }))
  }

  /** What to begin an override of that tool with. Throws a `HostError` (`NOT_FOUND`). */
  seed(key: string): Seed {
    const workspace = this.#open()
    const entry = workspace.entries().find((each) => each.key === key)
    if (entry === undefined || !key.startsWith('tool:')) {
      throw new HostError(
        'NOT_FOUND',
        `There is no tool with the key ${key}; it may have gone since it was shown.`,
      )
    }
    const last = workspace.lastResults.of(key)
    const seed = seedFor(workspace.registry.tool(entry.shownName), last?.outcome)
    return { ...seed, ...(last !== undefined && { at: last.at }) }
  }

  saveOverride(override: Override): Promise<MocksState> {
    return this.#change((state) => ({
      ...state,
      overrides: [...state.overrides.filter(({ key }) => key !== override.key), override],
    }))
  }

  removeOverride(removed: string): Promise<MocksState> {
    return this.#change((state) => ({
      ...state,
      overrides: state.overrides.filter(({ key }) => key !== removed),
    }))
  }

  /** Answers a call that nobody made. */
  async preview(answer: Answer, call: JsonObject, signal: AbortSignal): Promise<AnswerPreview> {
    const startedAt = performance.now()
    try {
      const given = await answerCall({ ...answer, delayMs: 0 }, call, this.#options.answers(), signal)
      const resultText = stringifyExact(given, 2)
      return { state: 'answered', resultText, durationMs: performance.now() - startedAt }
    } catch (error) {
      if (error instanceof ProtocolError) return { state: 'error', code: error.code, message: error.message }
      return { state: 'failed', reason: messageOf(error) }
    }
  }

  async #change(change: (state: MocksState) => MocksState): Promise<MocksState> {
    await this.#open().update((document) => {
      const entries = mockEntriesSchema.catch([...this.#state.entries]).parse(mocksMember(document) ?? [])
      const overrides = overridesSchema.catch([...this.#state.overrides]).parse(document['overrides'] ?? [])
      const next = change({ entries, overrides, problems: [] })
      const { mocks: _, handmade: _handmade, overrides: _overrides, ...rest } = document
      return {
        ...rest,
        servers: document.servers,
        ...(next.entries.length > 0 && { mocks: next.entries }),
        ...(next.overrides.length > 0 && { overrides: next.overrides }),
      }
    })
    this.refresh()
    return this.#state
  }

  #open(): OpenWorkspace {
    const workspace = this.#options.workspace()
    if (workspace !== undefined) return workspace
    throw new HostError('NOT_TRUSTED', 'Nothing of this workspace is served yet: trust it first.')
  }

  #problems(workspace: OpenWorkspace | undefined): MocksState['problems'] {
    const faults = workspace?.faults() ?? []
    return faults
      .filter(({ code }) => code === MOCKS)
      .map(({ message }) => {
        const key = this.#state.entries.map(keyOfEntry).find((each) => message.startsWith(`${each}: `)) ?? ''
        return { key, message: key === '' ? message : message.slice(key.length + 2) }
      })
  }
}
