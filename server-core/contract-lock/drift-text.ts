import type { Drift } from './compare-locks.ts'
import type { LockKind } from './lock-schema.ts'

/** The kinds, as one entry is called. */
export const ENTRY_NAMES: Readonly<Record<LockKind, string>> = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'resource template',
  prompts: 'prompt',
}

/** A drift in one line, its differences apart. */
export function driftText({ type, kind, name, renamedTo }: Drift): string {
  const what = `${ENTRY_NAMES[kind]} ${JSON.stringify(name)}`
  switch (type) {
    case 'added':
      return `${what} is new`
    case 'removed':
      return `${what} was removed`
    case 'renamed':
      return `${what} is named ${JSON.stringify(renamedTo)} now`
    case 'loosened':
      return `${what} changed, and callers go on working`
    case 'tightened':
      return `${what} changed, and callers may fail`
    case 'prose':
      return `${what} changed in texts alone`
  }
}
