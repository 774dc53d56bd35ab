import type { RegistryView } from '../entries.ts'
import { entryData } from '../entry-data.ts'
import type { Definitions } from './definitions.ts'

/** Everything that a registry serves just now, as data. */
export function definitionsOf(registry: RegistryView): Definitions {
  return {
    tools: registry.tools().map(entryData),
    resources: registry.resources().map(entryData),
    templates: registry
      .resourceTemplates()
      .map((template) => ({ ...entryData(template), lists: template.list !== undefined })),
    prompts: registry.prompts().map(entryData),
    listStabilities: {
      tools: registry.listStability('tools'),
      resources: registry.listStability('resources'),
      prompts: registry.listStability('prompts'),
    },
  }
}
