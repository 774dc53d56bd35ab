import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { ListKind, RegistryView } from '../registry/entries.ts'
import { CORE_TASKS } from './tasks/core-capability.ts'
import { offersTasks } from './tasks/offered.ts'

/**
 * What a server declares (specification: Lifecycle, capabilities), from what is registered just now: a kind that has
 * entries, or may get some. Changes are promised only of lists that can change. Any resource may be subscribed to,
 * any handler may log, and what takes arguments may complete them. Tasks are declared if there are tools for them.
 */
export function capabilitiesOf(registry: RegistryView): JsonObject {
  const templates = registry.resourceTemplates().length
  const tools = declared(registry, 'tools', registry.tools().length)
  const resources = declared(registry, 'resources', registry.resources().length + templates)
  const prompts = declared(registry, 'prompts', registry.prompts().length)
  const completes = prompts !== undefined || templates > 0 || registry.outlook('resources') === 'may-appear'
  const logs = tools !== undefined || resources !== undefined || prompts !== undefined
  return {
    ...(tools !== undefined && { tools }),
    ...(resources !== undefined && { resources: { subscribe: true, ...resources } }),
    ...(prompts !== undefined && { prompts }),
    ...(completes && { completions: {} }),
    ...(logs && { logging: {} }),
    ...(offersTasks(registry) && { tasks: CORE_TASKS }),
  }
}

/** Tells whether these capabilities promise to tell changes of a list. */
export function tellsChanges(capabilities: JsonObject, kind: ListKind): boolean {
  const declared = capabilities[kind]
  return isJsonObject(declared) && declared['listChanged'] === true
}

function declared(registry: RegistryView, kind: ListKind, entries: number): JsonObject | undefined {
  const outlook = registry.outlook(kind)
  if (entries === 0 && outlook !== 'may-appear') return undefined
  return outlook === 'fixed' ? {} : { listChanged: true }
}
