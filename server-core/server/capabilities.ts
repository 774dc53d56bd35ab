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
  const tools = declared(registry, 'tools')
  const resources = declared(registry, 'resources')
  const prompts = declared(registry, 'prompts')
  const completes = completesArguments(registry)
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

/**
 * Tells whether what is declared just now covers a method; of one that belongs to no capability it does (2026-07-28,
 * Capabilities).
 */
export function offersMethod(registry: RegistryView, method: string): boolean {
  switch (method.slice(0, method.indexOf('/'))) {
    case 'tools':
      return declared(registry, 'tools') !== undefined
    case 'resources':
      return declared(registry, 'resources') !== undefined
    case 'prompts':
      return declared(registry, 'prompts') !== undefined
    case 'completion':
      return completesArguments(registry)
    default:
      return true
  }
}

/** Tells whether these capabilities promise to tell changes of a list. */
export function tellsChanges(capabilities: JsonObject, kind: ListKind): boolean {
  const declared = capabilities[kind]
  return isJsonObject(declared) && declared['listChanged'] === true
}

function declared(registry: RegistryView, kind: ListKind): JsonObject | undefined {
  const outlook = registry.outlook(kind)
  if (outlook !== 'may-appear' && !hasEntries(registry, kind)) return undefined
  return outlook === 'fixed' ? {} : { listChanged: true }
}

function hasEntries(registry: RegistryView, kind: ListKind): boolean {
  switch (kind) {
    case 'tools':
      return registry.tools().length > 0
    case 'prompts':
      return registry.prompts().length > 0
    case 'resources':
      return registry.resources().length > 0 || registry.resourceTemplates().length > 0
  }
}

function completesArguments(registry: RegistryView): boolean {
  return (
    declared(registry, 'prompts') !== undefined ||
    registry.resourceTemplates().length > 0 ||
    registry.outlook('resources') === 'may-appear'
  )
}
