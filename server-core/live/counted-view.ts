import type {
  PromptEntry,
  RegistryView,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from '../registry/entries.ts'
import { ForwardedView } from '../registry/forwarded-view.ts'
import type { Invocation } from '../registry/invocation.ts'
import { findResource } from '../registry/view.ts'
import type { LiveEntryKind } from './live-state.ts'
import { messageOf } from '../protocol/error-message.ts'

/** One call of an entry that has begun. */
export type Observed = {
  /** It ended; with an error, or with a result that says so, if `failure` is there. */
  ended(failure: string | undefined): void
}

/** Learns of each call of an entry; `name` as the view has it. */
export type Observe = (kind: LiveEntryKind, name: string, args: unknown, invocation: Invocation) => Observed

/** A view whose calls are heard of. Entries are those of the view but for that, and the same until it changes. */
export class CountedView extends ForwardedView {
  readonly #tools: Mapped<ToolEntry>
  readonly #resources: Mapped<ResourceEntry>
  readonly #templates: Mapped<ResourceTemplateEntry>
  readonly #prompts: Mapped<PromptEntry>

  constructor(view: RegistryView, observe: Observe) {
    super(view)
    this.#tools = new Mapped<ToolEntry>(nameOf, (entry) => ({
      ...entry,
      invoke: (args, invocation) => {
        const observed = observe('tool', entry.name, args, invocation)
        const outcome = entry.invoke(args, invocation)
        return outcome instanceof Promise
          ? onEvent(outcome, observed, failureOfTool)
          : told(outcome, observed, failureOfTool)
      },
    }))
    this.#resources = new Mapped<ResourceEntry>(
      ({ uri }) => uri,
      (entry) => ({
        ...entry,
        read: (uri, invocation) =>
          onEvent(entry.read(uri, invocation), observe('resource', entry.uri, { uri }, invocation)),
      }),
    )
    this.#templates = new Mapped<ResourceTemplateEntry>(
      ({ uriTemplate }) => uriTemplate,
      (entry) => ({
        ...entry,
        read: (uri, variables, invocation) =>
          onEvent(
            entry.read(uri, variables, invocation),
            observe('template', entry.uriTemplate, { uri }, invocation),
          ),
      }),
    )
    this.#prompts = new Mapped<PromptEntry>(nameOf, (entry) => ({
      ...entry,
      get: (args, invocation) =>
        onEvent(entry.get(args, invocation), observe('prompt', entry.name, args, invocation)),
    }))
  }

  override tools(): readonly ToolEntry[] {
    return this.#tools.of(this.view.tools())
  }
  override tool(name: string): ToolEntry | undefined {
    return this.#tools.find(this.view.tools(), name)
  }
  override resources(): readonly ResourceEntry[] {
    return this.#resources.of(this.view.resources())
  }
  override resourceTemplates(): readonly ResourceTemplateEntry[] {
    return this.#templates.of(this.view.resourceTemplates())
  }
  override resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    const listed = this.#resources.find(this.view.resources(), uri)
    // What is behind may know more than it lists.
    return findResource(uri, listed, this.resourceTemplates()) ?? this.view.resourceFor(uri)
  }
  override prompts(): readonly PromptEntry[] {
    return this.#prompts.of(this.view.prompts())
  }
  override prompt(name: string): PromptEntry | undefined {
    return this.#prompts.find(this.view.prompts(), name)
  }
}

/** A list of entries made of another, once for as long as that is the same. */
class Mapped<Entry> {
  readonly #keyOf: (entry: Entry) => string
  readonly #map: (entry: Entry) => Entry
  #from: readonly Entry[] | undefined
  #to: readonly Entry[] = []
  #byKey: ReadonlyMap<string, Entry> = new Map()

  constructor(keyOf: (entry: Entry) => string, map: (entry: Entry) => Entry) {
    this.#keyOf = keyOf
    this.#map = map
  }

  of(entries: readonly Entry[]): readonly Entry[] {
    if (this.#from !== entries) {
      this.#from = entries
      this.#to = entries.map(this.#map)
      this.#byKey = new Map(this.#to.map((entry) => [this.#keyOf(entry), entry]))
    }
    return this.#to
  }

  /** The one with that key: every call looks for its entry, among thousands too. */
  find(entries: readonly Entry[], key: string): Entry | undefined {
    this.of(entries)
    return this.#byKey.get(key)
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name

type FailureOf<Outcome> = (outcome: Outcome) => string | undefined

function told<Outcome>(outcome: Outcome, observed: Observed, failureOf: FailureOf<Outcome>): Outcome {
  observed.ended(failureOf(outcome))
  return outcome
}

async function onEvent<Outcome>(
  outcome: Promise<Outcome>,
  observed: Observed,
  failureOf: FailureOf<Outcome> = () => undefined,
): Promise<Outcome> {
  try {
    return told(await outcome, observed, failureOf)
  } catch (error) {
    observed.ended(messageOf(error))
    throw error
  }
}

function failureOfTool({ isError, content }: Awaited<ReturnType<ToolEntry['invoke']>>): string | undefined {
  if (isError !== true) return undefined
  const text = content.find((block) => typeof block['text'] === 'string')?.['text']
  return typeof text === 'string' ? text : 'the result says that it failed'
}
