import { isJsonObject } from '../protocol/json.ts'

/** The tool that a request calls; of an array of requests the only one that is called. */
export function toolOf(message: unknown): string | undefined {
  if (Array.isArray(message)) {
    const tools = message.map(toolOf).filter((tool) => tool !== undefined)
    return tools.length === 1 ? tools[0] : undefined
  }
  if (!isJsonObject(message) || message['method'] !== 'tools/call') return undefined
  const params = message['params']
  const name = isJsonObject(params) ? params['name'] : undefined
  return typeof name === 'string' ? name : undefined
}

/** The key that requests and their answers go by: ids of different types are different ids. */
export function idKeyOf(message: unknown): string | undefined {
  const id = isJsonObject(message) ? message['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? `${typeof id} ${id}` : undefined
}
