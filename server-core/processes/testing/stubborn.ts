import path from 'node:path'

/** Every kind of descendant that `stubborn-tree.ts` knows. */
export const ALL_KINDS = ['child', 'group', 'session', 'orphan', 'bare'] as const

/** The arguments of Node for a server with such descendants. */
export function stubbornArgs(words: readonly string[]): string[] {
  return [path.join(import.meta.dirname, 'stubborn-tree.ts'), ...words]
}

/** The pids that such a server tells in what it wrote on stderr; undefined as long as it tells none. */
export function toldPids(stderr: string | undefined): number[] | undefined {
  const told = /^\{"pids":\[([\d,]+)\]\}$/m.exec(stderr ?? '')?.[1]
  return told?.split(',').map(Number)
}
