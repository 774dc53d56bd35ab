import type { Pair, ServerDraft } from '../contract/servers.ts'
import { serverNameOfUrl } from './server-name.ts'
import { CommandLineError, splitCommandLine } from './split-command-line.ts'
import { transportOfUrl } from './transport-of-url.ts'

/** Options of curl that take a value which is of no interest here. */
const WITH_VALUE = new Set([
  '-X', '--request', '-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--data-urlencode', '--json',
  '-o', '--output', '-m', '--max-time', '--connect-timeout', '-A', '--user-agent', '-e', '--referer', '-w',
  '--write-out', '--retry', '-x', '--proxy', '--cacert', '-E', '--cert', '--key', '--resolve', '-F', '--form',
]) // prettier-ignore

/** Headers that our own transport sets. */
const OURS = new Set([
  'accept',
  'content-type',
  'content-length',
  'host',
  'connection',
  'mcp-protocol-version',
  'mcp-session-id',
])

/**
 * Reads a curl command for its address and headers; method and body are the transport's matter. An
 * `Authorization: Bearer` header becomes the bearer token.
 *
 * @throws CommandLineError
 */
export function readCurl(text: string): ServerDraft {
  const words = splitCommandLine(quoteAddresses(text)).slice(1)
  const headers: Pair[] = []
  let url: string | undefined
  let bearerToken: string | undefined
  const addHeader = (line: string): void => {
    const colon = line.indexOf(':')
    if (colon < 1) throw new CommandLineError(`"${line}" is not a header. Expected "Name: value".`)
    const name = line.slice(0, colon).trim()
    const value = line.slice(colon + 1).trim()
    const bearer = /^authorization$/i.test(name) ? /^Bearer\s+(.+)$/i.exec(value)?.[1] : undefined
    if (bearer !== undefined) bearerToken = bearer
    else if (!OURS.has(name.toLowerCase())) headers.push({ name, value })
  }
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const { option, value } = splitOption(word)
    const next = (): string => value ?? words[(index += 1)] ?? ''
    if (option === '-H' || option === '--header') addHeader(next())
    else if (option === '--oauth2-bearer') bearerToken = next()
    else if (option === '-b' || option === '--cookie') headers.push({ name: 'Cookie', value: next() })
    else if (option === '-u' || option === '--user') {
      headers.push({ name: 'Authorization', value: `Basic ${Buffer.from(next()).toString('base64')}` })
    } else if (option === '--url') url = next()
    else if (option !== undefined && WITH_VALUE.has(option)) next()
    else if (option === undefined) url ??= word
  }
  if (url === undefined) throw new CommandLineError('There is no address in the curl command.')
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`
  const token = bearerToken === undefined ? {} : { bearerToken }
  const target = { transport: transportOfUrl(address), url: address, headers }
  return { name: serverNameOfUrl(address), target, ...token }
}

/** `-HName: value` and `--header=value` carry their value with them. */
function splitOption(word: string): { option?: string; value?: string } {
  if (word.startsWith('--')) {
    const equals = word.indexOf('=')
    return equals === -1 ? { option: word } : { option: word.slice(0, equals), value: word.slice(equals + 1) }
  }
  if (!word.startsWith('-') || word === '-') return {}
  const short = word.slice(0, 2)
  const takesValue = WITH_VALUE.has(short) || ['-H', '-b', '-u'].includes(short)
  return word.length > 2 && takesValue ? { option: short, value: word.slice(2) } : { option: word }
}

/** Addresses are often pasted with a bare `?` or `&`, which only a shell would mind. */
function quoteAddresses(text: string): string {
  return text.replaceAll(/(?<=\s)https?:\/\/[^\s'"]+/gi, (address) => `'${address}'`)
}
