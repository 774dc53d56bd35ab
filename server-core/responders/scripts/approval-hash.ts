import { createHash } from 'node:crypto'

/** What the approval of a script is bound to: where it is and what it says. */
export function scriptHash(file: string, content: Uint8Array): string {
  return createHash('sha256')
    .update(JSON.stringify(['script', file]))
    .update(content)
    .digest('hex')
}
