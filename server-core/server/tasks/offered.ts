import type { RegistryView, ToolEntry } from '../../registry/entries.ts'

const known = new WeakMap<readonly ToolEntry[], boolean>()

/** Whether there are tools whose calls may be tasks, or may be some while a client is connected. */
export function offersTasks(registry: RegistryView): boolean {
  if (registry.listStability('tools') === 'may-appear') return true
  const tools = registry.tools()
  let offers = known.get(tools)
  if (offers === undefined) {
    offers = tools.some(({ taskSupport = 'forbidden' }) => taskSupport !== 'forbidden')
    known.set(tools, offers)
  }
  return offers
}
