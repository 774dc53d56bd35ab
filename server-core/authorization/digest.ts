import { hash } from 'node:crypto'

/** Stands for a token where the token itself must not be kept. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
