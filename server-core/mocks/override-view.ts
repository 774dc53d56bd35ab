import { Emitter } from '../protocol/emitter.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { RegistryChange, RegistryView, ToolEntry, ToolOutcome } from '../registry/entries.ts'
import { ForwardedView } from '../registry/forwarded-view.ts'
import { isAnswerError, handlerErrorText } from '../registry/handler-errors.ts'
import type { Invocation } from '../registry/invocation.ts'
import { errorOutcome, toToolOutcome } from '../registry/tool-result.ts'
import { answerCall, type AnswerParts } from './answer-call.ts'
import { toolCall } from './definitions.ts'
import type { Answer, Override } from './mock-entry.ts'

/** The overrides that hold, by key; views over several sources share them. */
export class Overrides {
  #byKey: ReadonlyMap<string, Override> = new Map()
  #version = 0
  readonly #changes = new Emitter()

  /** Puts these in place of those before; calls that are answered already go on as they began. */
  set(overrides: readonly Override[]): void {
    this.#byKey = new Map(overrides.map((override) => [override.key, override]))
    this.#version += 1
    this.#changes.emit()
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version
  }

  /** The override of a key that is switched on. */
  active(key: string): Override | undefined {
    const override = this.#byKey.get(key)
    return override?.enabled === true ? override : undefined
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener)
  }
}

/** Characters of a result beyond which nobody begins an answer with it, and it is not held in memory. */
const LONGEST = 1_000_000

/** What a tool really gave last, kept for who wants to answer in its place. */
export class LastResults {
  readonly #outcomes = new Map<string, { readonly outcome: ToolOutcome; readonly at: number }>()

  note(key: string, outcome: ToolOutcome): void {
    if (lengthOf(outcome) > LONGEST) this.#outcomes.delete(key)
    else this.#outcomes.set(key, { outcome, at: Date.now() })
  }

  of(key: string): { readonly outcome: ToolOutcome; readonly at: number } | undefined {
    return this.#outcomes.get(key)
  }
}

/** Of its texts and data; structured values are in them as text. */
function lengthOf({ content }: ToolOutcome): number {
  const texts = content.flatMap(({ resource, ...block }) =>
    Object.values(isJsonObject(resource) ? { ...block, ...resource } : block),
  )
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
}

export type OverrideOptions = {
  readonly view: RegistryView
  /** The key of a tool by its name in the view. */
  readonly keyOf: (name: string) => string
  readonly overrides: Overrides
  readonly parts: AnswerParts
  /** Receives what the tools themselves give. */
  readonly last?: LastResults
}

/**
 * Another source's view whose overridden tools we answer ourselves. They keep what they say of themselves, so that
 * clients see no change; their arguments and results are checked here while we answer, whoever does it otherwise.
 */
export function overridden(options: OverrideOptions): RegistryView {
  return new OverriddenView(options)
}

class OverriddenView extends ForwardedView {
  readonly #overrides: Overrides
  readonly #tools: OverriddenTools

  constructor(options: OverrideOptions) {
    super(options.view)
    this.#overrides = options.overrides
    this.#tools = new OverriddenTools(options)
  }

  override tools(): readonly ToolEntry[] {
    return this.#tools.list()
  }

  override tool(name: string): ToolEntry | undefined {
    const entry = this.view.tool(name)
    return entry === undefined ? undefined : this.#tools.of(entry)
  }

  override onChange(listener: (change: RegistryChange) => void): () => void {
    let before = this.tools()
    const stopView = this.view.onChange((change) => {
      before = this.tools()
      listener(change)
    })
    const stopOverrides = this.#overrides.onChange(() => {
      const now = this.tools()
      if (now === before) return
      before = now
      listener({ type: 'list', kind: 'tools' })
    })
    return () => {
      stopView()
      stopOverrides()
    }
  }
}

type Wrapped = { readonly isActive: boolean; readonly entry: ToolEntry }

/** The entries of a view's tools, the same objects for as long as they are answered in the same way. */
class OverriddenTools {
  readonly #options: OverrideOptions
  readonly #wrapped = new WeakMap<ToolEntry, Wrapped>()
  #of: readonly ToolEntry[] | undefined
  #version = -1
  #tools: readonly ToolEntry[] = []

  constructor(options: OverrideOptions) {
    this.#options = options
  }

  list(): readonly ToolEntry[] {
    const { view, overrides } = this.#options
    const of = view.tools()
    if (this.#of === of && this.#version === overrides.version) return this.#tools
    const tools = of.map((entry) => this.of(entry))
    const isSame = tools.length === this.#tools.length && tools.every((tool, at) => tool === this.#tools[at])
    if (!isSame) this.#tools = tools
    this.#of = of
    this.#version = overrides.version
    return this.#tools
  }

  of(entry: ToolEntry): ToolEntry {
    const { overrides, keyOf } = this.#options
    const isActive = overrides.active(keyOf(entry.name)) !== undefined
    const known = this.#wrapped.get(entry)
    if (known?.isActive === isActive) return known.entry
    const wrapped = wrap(entry, isActive, this.#options)
    this.#wrapped.set(entry, { isActive, entry: wrapped })
    return wrapped
  }
}

function wrap(
  real: ToolEntry,
  isActive: boolean,
  { keyOf, overrides, parts, last }: OverrideOptions,
): ToolEntry {
  const key = keyOf(real.name)
  const { isCheckedElsewhere, validation, ...shown } = real
  return {
    ...(isActive ? shown : real),
    // Looked up at the call: who holds an entry from before the switch gets what holds now.
    invoke: (args, invocation) => {
      const override = overrides.active(key)
      if (override !== undefined) return answered(override.answer, real, args, invocation, parts)
      const outcome = real.invoke(args, invocation)
      if (last === undefined) return outcome
      if (!(outcome instanceof Promise)) return recorded(last, key, outcome)
      return outcome.then((given) => recorded(last, key, given))
    },
  }
}

function recorded(last: LastResults, key: string, outcome: ToolOutcome): ToolOutcome {
  last.note(key, outcome)
  return outcome
}

async function answered(
  answer: Answer,
  { name, outputSchema }: ToolEntry,
  args: JsonObject,
  invocation: Invocation,
  parts: AnswerParts,
): Promise<ToolOutcome> {
  const { revision, clientInfo } = invocation.facts
  try {
    const call = toolCall(name, args, { revision, clientInfo })
    const given = await answerCall(answer, call, parts, invocation.signal)
    return await toToolOutcome(given, outputSchema === undefined ? undefined : { wire: outputSchema }, name)
  } catch (error) {
    if (isAnswerError(error)) throw error
    return errorOutcome(handlerErrorText(error))
  }
}
