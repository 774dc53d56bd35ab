import { CodedError } from '../protocol/coded-error.ts'
import type { NamedToken } from './bearer-token.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/

/** A text is not a token, or not the name of one. The message never repeats the text, which may be a secret. */
export class TokenTextError extends CodedError<'invalid-token'> {
  override readonly name = 'TokenTextError'

  constructor(message: string, options?: ErrorOptions) {
    super('invalid-token', message, options)
  }
}

/**
 * Reads a token that an `Authorization` header can carry.
 *
 * @param where what the text was read from, for the error
 * @throws TokenTextError
 */
export function readToken(token: string, where: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new TokenTextError(`${where} expects a token of visible ASCII characters without spaces`)
}

/** Reads a name that a log can show. @throws TokenTextError */
export function readTokenName(name: string, where: string): string {
  if (NAME.test(name)) return name
  throw new TokenTextError(
    `${where}: the name of a token has 1 to 64 letters, digits or any of . _ @ - and begins with a letter or digit`,
  )
}

/** Reads `NAME:TOKEN`, or `TOKEN` alone. @throws TokenTextError */
export function readNamedToken(text: string, where: string): NamedToken {
  const colon = text.indexOf(':')
  if (colon === -1) return { token: readToken(text, where) }
  return { name: readTokenName(text.slice(0, colon), where), token: readToken(text.slice(colon + 1), where) }
}

/**
 * Reads one token that is given alone. Its whole text is the token, because a token itself may have a colon in it: a
 * part of it must admit nobody, nor be shown as a name.
 *
 * @throws TokenTextError
 */
export function readOnlyToken(text: string, where: string): readonly NamedToken[] {
  return [{ token: readToken(text, where) }]
}

/** Reads a list of `NAME:TOKEN`, separated by commas. @throws TokenTextError also for an empty list */
export function readTokenList(text: string, where: string): readonly NamedToken[] {
  const items = text.split(',').map((item) => item.trim())
  const tokens = items.filter((item) => item !== '').map((item) => readNamedToken(item, where))
  if (tokens.length > 0) return distinctTokens(tokens)
  throw new TokenTextError(`${where} is set and empty: give it tokens (NAME:TOKEN,NAME:TOKEN), or unset it`)
}

/** The tokens without repetitions. @throws TokenTextError if two callers would have the same token */
export function distinctTokens(tokens: readonly NamedToken[]): readonly NamedToken[] {
  const seen = new Map<string, NamedToken>()
  for (const each of tokens) {
    const other = seen.get(each.token)
    if (other !== undefined && other.name !== each.name) {
      const names = [other, each].map(({ name }) => (name === undefined ? 'one without a name' : `"${name}"`))
      throw new TokenTextError(
        `two callers have the same token: ${names.join(' and ')}; give each a token of its own`,
      )
    }
    seen.set(each.token, each)
  }
  return [...seen.values()]
}
