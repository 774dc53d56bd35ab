import type { CopiedExchange } from './copied-exchange.ts'
import { shellWord } from './shell-word.ts'

/** Headers that curl sets by itself. */
const OWN: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'transfer-encoding',
  'user-agent',
])
/** Names of headers; curl takes others for files. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** The HTTP request as a command of curl; undefined if the exchange did not travel over HTTP. */
export function curlOf({ http, request, server }: CopiedExchange): string | undefined {
  if (http === undefined) return undefined
  const url = addressOf(http.url, http.headers, server)
  if (url === undefined) return undefined
  const headers = http.headers
    .filter(({ name }) => !OWN.has(name.toLowerCase()) && NAME.test(name))
    .map(({ name, value }) => `-H ${shellWord(`${name}: ${value}`)}`)
  const parts = [
    `curl -sS -N -X ${shellWord(http.method)} ${shellWord(url)}`,
    ...headers,
    ...(http.method === 'GET' ? [] : [`--data-raw ${shellWord(request)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** The whole address: that of a request that a server saw has no host but that of its header. */
function addressOf(
  url: string,
  headers: readonly { readonly name: string; readonly value: string }[],
  server: CopiedExchange['server'],
): string | undefined {
  if (/^https?:/.test(url)) return url
  const host = headers.find(({ name }) => name.toLowerCase() === 'host')?.value
  if (host !== undefined) return `http://${host}${url}`
  return server.type === 'url' && URL.canParse(url, server.url) ? new URL(url, server.url).href : undefined
}
