import type { Parsed } from '../../protocol/parsed.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Ask, AskOptions, Asking } from '../answers.ts'

/** A place that the user opened for the server (specification: Roots). */
export type Root = { readonly uri: string; readonly name?: string }

/**
 * With `afterChange` it waits until the client says that its roots changed (`notifications/roots/list_changed`, in the
 * handshake revisions only) since this call listed them last, or began.
 */
export type RootsOptions = AskOptions & { readonly afterChange?: boolean }

export const ROOTS_MEMBERS = {
  /** Asks for the client's roots (specification: Roots, deprecated in 2026-07-28), at once or after they changed. */
  roots:
    ({ ask }: { readonly ask: Ask }) =>
    (options: RootsOptions = {}): Promise<readonly Root[]> =>
      ask(rootsQuestion(options)),
}

/** The question for the client's roots. */
function rootsQuestion({ key, afterChange = false }: RootsOptions): Asking<readonly Root[]> {
  return {
    key,
    method: 'roots/list',
    params: () => ({}),
    read: readRoots,
    ...(afterChange ? { after: 'change' } : {}),
  }
}

function readRoots(answer: JsonObject): Parsed<readonly Root[]> {
  const { roots } = answer
  if (!Array.isArray(roots) || !roots.every(isRoot)) {
    return { ok: false, reason: 'a roots result needs "roots", a list of objects with "uri"' }
  }
  return { ok: true, value: roots }
}

function isRoot(root: unknown): root is Root {
  return isJsonObject(root) && typeof root['uri'] === 'string'
}
