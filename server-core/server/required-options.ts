import { isJsonObject } from '../protocol/json.ts'

const EXPECTED = 'createServer({ registry, info: { name, version } })'

/**
 * Throws a `TypeError` that names what a server cannot be without: authors whom no compiler helps would learn of it
 * from somewhere inside.
 */
export function requireServed(options: { readonly registry: unknown; readonly info: unknown }): void {
  const { registry, info }: { registry: unknown; info: unknown } = options
  if (typeof registry !== 'object' || registry === null || !('onChange' in registry)) {
    throw new TypeError(`${EXPECTED}: registry must be a Registry; got ${saidOf(registry)}.`)
  }
  if (!isJsonObject(info)) {
    throw new TypeError(`${EXPECTED}: info must say who the server is; got ${saidOf(info)}.`)
  }
  for (const member of ['name', 'version'] as const) {
    const value = info[member]
    if (typeof value === 'string' && value !== '') continue
    throw new TypeError(`${EXPECTED}: info.${member} must be a text that is not empty; got ${saidOf(value)}.`)
  }
}

function saidOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === '') return 'an empty text'
  return typeof value === 'object' ? (value === null ? 'null' : 'an object of another kind') : typeof value
}
