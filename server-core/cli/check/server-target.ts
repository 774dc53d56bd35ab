import type { DirectTarget } from '../connection/target.ts'

/** The words that name a server on a command line, without variables and headers, which may be secrets. */
export function targetWords(direct: DirectTarget): readonly string[] {
  if (direct.type === 'url') return ['--url', direct.url]
  if (direct.directory !== undefined) return ['--dir', direct.directory]
  return ['--', direct.command, ...direct.args]
}
