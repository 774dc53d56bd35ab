import type { JsonObject } from '../protocol/json.ts'
import type { CacheHints } from './entries.ts'
import { RegistryError } from './errors.ts'

type Described = {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly icons?: readonly JsonObject[] | undefined
  readonly meta?: JsonObject | undefined
}

/** The members that every kind shares, without those that are not there. */
export function describedMembers({ title, description, icons, meta }: Described) {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(icons === undefined ? {} : { icons }),
    ...(meta === undefined ? {} : { meta }),
  }
}

/** Throws a `RegistryError` if a name is no text or empty. */
export function requireName(what: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return
  throw new RegistryError('invalid-definition', `A ${what} needs a name: a text that is not empty.`)
}

/** Throws a `RegistryError` if a URI is empty or has white space. */
export function requireUri(what: string, uri: unknown): void {
  if (typeof uri === 'string' && uri !== '' && !/\s/.test(uri)) return
  const came = typeof uri === 'string' ? `"${uri}"` : typeof uri
  throw new RegistryError(
    'invalid-definition',
    `The URI of a ${what} has no white space and is not empty; got ${came}.`,
  )
}

/** Throws a `RegistryError` if hints for caches are none (2026-07-28, Caching). */
export function requireCacheHints(what: string, hints: CacheHints | undefined): void {
  if (hints === undefined) return
  if (!Number.isSafeInteger(hints.ttlMs) || hints.ttlMs < 0) {
    const message = `cache.ttlMs of ${what} is ${hints.ttlMs}; expected whole milliseconds from 0.`
    throw new RegistryError('invalid-definition', message)
  }
  if (hints.scope !== 'public' && hints.scope !== 'private') {
    const message = `cache.scope of ${what} is ${JSON.stringify(hints.scope)}; expected "public" or "private".`
    throw new RegistryError('invalid-definition', message)
  }
}
