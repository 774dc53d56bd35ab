import { spawnSync } from 'node:child_process'
import path from 'node:path'

/** Every kind of descendant that `stubborn-tree.ts` knows, and this system lets us find. */
export const ALL_KINDS = [
  'child',
  'group',
  'session',
  'orphan',
  'bare',
  ...(hasLimitMarks() ? ['lost'] : []),
] as const

function hasLimitMarks(): boolean {
  return process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0
}

/** The arguments of Node for a server with such descendants. */
export function stubbornArgs(words: readonly string[]): string[] {
  return [path.join(import.meta.dirname, 'stubborn-tree.test-support.ts'), ...words]
}

/** The pids that such a server tells in what it wrote on stderr; undefined as long as it tells none. */
export function toldPids(stderr: string | undefined): number[] | undefined {
  const told = /^\{"pids":\[([\d,]+)\]\}$/m.exec(stderr ?? '')?.[1]
  return told?.split(',').map(Number)
}
