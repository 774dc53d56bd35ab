import { SessionsBehind } from '../composition/sessions-behind.ts'
import { SubscriptionsBehind } from '../composition/subscriptions-behind.ts'
import { Registry } from '../registry/registry.ts'
import type {
  CompletionOutcome,
  CompletionRef,
  Outlook,
  PromptEntry,
  RegistryChange,
  RegistryView,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from '../registry/entries.ts'
import type { Behind } from '../registry/behind.ts'
import type { Invocation } from '../registry/invocation.ts'
import { RegistryChanges } from '../registry/registry-changes.ts'

const NOTHING: RegistryView = new Registry()

/**
 * A registry in whose place another one can be put while it is served, or none. Its clients stay, and are told what
 * changed for them.
 */
export class SwitchedRegistry implements RegistryView {
  readonly behind: Behind
  readonly #changes = new RegistryChanges({
    tools: () => [this.tools()],
    resources: () => [this.resources(), this.resourceTemplates()],
    prompts: () => [this.prompts()],
  })
  readonly #sessions = new SessionsBehind()
  readonly #subscriptions = new SubscriptionsBehind((uri) => ({ view: this.#shown, uri }))
  #chosen: RegistryView | undefined
  #shown: RegistryView = NOTHING
  #isOn = true
  #stop: (() => void) | undefined

  constructor() {
    this.behind = {
      offers: (feature) => this.#shown.behind?.offers(feature) ?? true,
      subscribe: (uri) => this.#subscriptions.subscribe(uri),
      session: (end) => this.#sessions.open(end),
    }
  }

  /** Whether anything is shown at all. */
  get isOn(): boolean {
    return this.#isOn
  }

  /** Shows what was put in its place, or nothing. */
  switch(isOn: boolean): void {
    if (this.#isOn === isOn) return
    this.#isOn = isOn
    this.#show()
  }

  /** Puts a registry in its place; undefined: nothing is offered. */
  put(view: RegistryView | undefined): void {
    this.#chosen = view
    this.#show()
  }

  tools(): readonly ToolEntry[] {
    return this.#shown.tools()
  }
  tool(name: string): ToolEntry | undefined {
    return this.#shown.tool(name)
  }
  resources(): readonly ResourceEntry[] {
    return this.#shown.resources()
  }
  resourceTemplates(): readonly ResourceTemplateEntry[] {
    return this.#shown.resourceTemplates()
  }
  resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    return this.#shown.resourceFor(uri)
  }
  prompts(): readonly PromptEntry[] {
    return this.#shown.prompts()
  }
  prompt(name: string): PromptEntry | undefined {
    return this.#shown.prompt(name)
  }
  complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined> {
    return this.#shown.complete(ref, argument, context, invocation)
  }
  /** Anything may come, with another registry. */
  outlook(): Outlook {
    return 'may-appear'
  }
  onChange(listener: (change: RegistryChange) => void): () => void {
    return this.#changes.listen(listener)
  }

  #show(): void {
    const shown = (this.#isOn ? this.#chosen : undefined) ?? NOTHING
    if (shown === this.#shown) return
    this.#changes.batch(() => {
      this.#stop?.()
      this.#sessions.remove(this.#shown)
      this.#shown = shown
      this.#sessions.add(shown)
      this.#stop = shown.onChange((change) => {
        this.#changes.tell(change)
      })
    })
    this.#subscriptions.rebind()
  }
}
