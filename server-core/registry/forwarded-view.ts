import type { Upstream } from './upstream.ts'
import type { ListKind } from '../protocol/list-kind.ts'
import type {
  CompletionOutcome,
  CompletionRef,
  ListStability,
  PromptEntry,
  RegistryChange,
  RegistryView,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from './entries.ts'
import type { Invocation } from './invocation.ts'

/** A view that passes everything on to another one: who extends it says only what is different. */
export class ForwardedView implements RegistryView {
  /** The other one. */
  protected view: RegistryView

  constructor(view: RegistryView) {
    this.view = view
  }

  get upstream(): Upstream | undefined {
    return this.view.upstream
  }

  tools(): readonly ToolEntry[] {
    return this.view.tools()
  }
  tool(name: string): ToolEntry | undefined {
    return this.view.tool(name)
  }
  resources(): readonly ResourceEntry[] {
    return this.view.resources()
  }
  resourceTemplates(): readonly ResourceTemplateEntry[] {
    return this.view.resourceTemplates()
  }
  resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    return this.view.resourceFor(uri)
  }
  prompts(): readonly PromptEntry[] {
    return this.view.prompts()
  }
  prompt(name: string): PromptEntry | undefined {
    return this.view.prompt(name)
  }
  complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    invocation: Invocation,
  ): Promise<CompletionOutcome | undefined> {
    return this.view.complete(ref, argument, context, invocation)
  }
  listStability(kind: ListKind): ListStability {
    return this.view.listStability(kind)
  }
  onChange(listener: (change: RegistryChange) => void): () => void {
    return this.view.onChange(listener)
  }
}
