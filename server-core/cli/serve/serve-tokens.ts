import { readFileSync, statSync } from 'node:fs'
import type { NamedToken } from '../../listener/bearer-token.ts'
import {
  distinctTokens,
  readNamedToken,
  readOnlyToken,
  readToken,
  readTokenList,
  readTokenName,
  TokenTextError,
} from '../../listener/named-tokens.ts'
import { UsageError } from '../output/exit-code.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** The tokens of a file, and what is odd about it. */
type TokenFileContent = { readonly tokens: readonly NamedToken[]; readonly warnings: readonly string[] }

/** The values of `--token`: `NAME:TOKEN` or `TOKEN`. Throws a `UsageError`. */
export function tokensOfFlags(texts: readonly string[]): readonly NamedToken[] {
  const [only] = texts
  return usage(() =>
    only !== undefined && texts.length === 1
      ? readOnlyToken(only, '--token')
      : texts.map((text) => readNamedToken(text, '--token')),
  )
}

/**
 * The tokens of the variables PATCHBAY_TOKEN (one, without a name) and PATCHBAY_TOKENS (`NAME:TOKEN`, separated by
 * commas); undefined if neither is set. Throws a `UsageError`, also for one that is set and empty: whoever sets it wants
 * a token.
 */
export function tokensOfVariables(
  one: string | undefined,
  several: string | undefined,
): readonly NamedToken[] | undefined {
  if (one === undefined && several === undefined) return undefined
  if (one === '') throw new UsageError('PATCHBAY_TOKEN is set and empty: give it a token, or unset it')
  return usage(() => [
    ...(one === undefined ? [] : [{ token: readToken(one, 'PATCHBAY_TOKEN') }]),
    ...(several === undefined ? [] : readTokenList(several, 'PATCHBAY_TOKENS')),
  ])
}

/** The members `token` and `tokens` of a file. Throws a `UsageError`. */
export function tokensOfMembers(
  file: string,
  token: string | undefined,
  named: Readonly<Record<string, string>> = {},
): readonly NamedToken[] {
  return usage(() => [
    ...(token === undefined ? [] : [{ token: readToken(token, `${file}: serve.token`) }]),
    ...Object.entries(named).map(([name, each]) => ({
      name: readTokenName(name, `${file}: serve.tokens`),
      token: readToken(each, `${file}: serve.tokens.${name}`),
    })),
  ])
}

/** Reads a file with one `NAME:TOKEN` or `TOKEN` a line; `#` begins a comment. Throws a `UsageError`. */
export function readTokenFile(file: string): TokenFileContent {
  let text: string
  let mode: number
  try {
    text = readFileSync(file, 'utf8')
    mode = statSync(file).mode
  } catch (error) {
    const why = messageOf(error)
    throw new UsageError(`--token-file: ${file} cannot be read: ${why}`, { cause: error })
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const tokens = usage(() =>
    lines.flatMap((line, index) => {
      const item = line.trim()
      if (item === '' || item.startsWith('#')) return []
      return [readNamedToken(item, `--token-file: ${file}:${index + 1}`)]
    }),
  )
  if (tokens.length === 0) throw new UsageError(`--token-file: ${file} has no token in it`)
  const isOpen = process.platform !== 'win32' && (mode & 0o044) !== 0
  const warnings = isOpen ? [`${file} can be read by other users of this machine: chmod 600 ${file}`] : []
  return { tokens, warnings }
}

/** The tokens without repetitions. Throws a `UsageError` if two callers would have the same token. */
export function requireDistinctTokens(tokens: readonly NamedToken[]): readonly NamedToken[] {
  return usage(() => distinctTokens(tokens))
}

function usage<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TokenTextError)) throw error
    throw new UsageError(error.message, { cause: error })
  }
}
