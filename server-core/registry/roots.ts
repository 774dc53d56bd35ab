import { isJsonObject } from '../protocol/json.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { AskOptions, Asking, Reading } from './answers.ts'

/** A place that the user opened for the server (specification: Roots). */
export type Root = { readonly uri: string; readonly name?: string }

/**
 * With `afterChange` it waits until the client says that its roots changed (`notifications/roots/list_changed`, in the
 * handshake revisions only) since this call listed them last, or began.
 */
export type RootsOptions = AskOptions & { readonly afterChange?: boolean }

/** The question for the client's roots. */
export function rootsQuestion({ key, afterChange = false }: RootsOptions): Asking<readonly Root[]> {
  return {
    key,
    method: 'roots/list',
    params: () => ({}),
    read: readRoots,
    ...(afterChange ? { after: 'roots-changed' } : {}),
  }
}

function readRoots(answer: JsonObject): Reading<readonly Root[]> {
  const { roots } = answer
  if (!Array.isArray(roots) || !roots.every(isRoot)) {
    return { ok: false, problem: 'a roots result needs "roots", a list of objects with "uri"' }
  }
  return { ok: true, value: roots }
}

function isRoot(root: unknown): root is Root {
  return isJsonObject(root) && typeof root['uri'] === 'string'
}
