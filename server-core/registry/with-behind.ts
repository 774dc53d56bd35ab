import type { Behind } from './behind.ts'
import type { RegistryView } from './entries.ts'

/** The view with something else behind it. */
export function withBehind(view: RegistryView, behind: Behind): RegistryView {
  return {
    tools: () => view.tools(),
    tool: (name) => view.tool(name),
    resources: () => view.resources(),
    resourceTemplates: () => view.resourceTemplates(),
    resourceFor: (uri) => view.resourceFor(uri),
    prompts: () => view.prompts(),
    prompt: (name) => view.prompt(name),
    complete: (...given) => view.complete(...given),
    outlook: (kind) => view.outlook(kind),
    onChange: (listener) => view.onChange(listener),
    behind,
  }
}
