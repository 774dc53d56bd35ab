import { stringifyExact } from '../../server-core/protocol/exact-json.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { callOf, textOf, type CopiedExchange } from './copied-exchange.ts'
import { shellOption, shellWord } from './shell-word.ts'

/** The exchange as a command of Patchbay, which connects and sends it again. */
export function commandOf(exchange: CopiedExchange): string {
  const { command, profile } = exchange.commandLine
  const { options, last } = serverWords(exchange)
  const profileOption = profile === undefined ? [] : [shellOption('--profile', profile)]
  return [command, wordsOf(exchange), ...options, ...profileOption, ...last].join(' ')
}

/** Options that lead to the server, and the words at the end. */
function serverWords({ server, storedName }: CopiedExchange): { options: string[]; last: string[] } {
  if (storedName !== undefined) return { options: [shellOption('--server', storedName)], last: [] }
  switch (server.type) {
    case 'unknown':
      return { options: [], last: ['-- COMMAND'] }
    case 'url': {
      const secrets = server.secrets.map((name) => `--header "${name}: $${variableOf(name)}"`)
      const headers = Object.entries(server.headers).map(([name, value]) =>
        shellOption('--header', `${name}: ${value}`),
      )
      return { options: [shellOption('--url', server.url), ...headers, ...secrets], last: [] }
    }
    case 'command': {
      const env = Object.entries(server.env).map(([name, value]) => shellOption('--env', `${name}=${value}`))
      const secrets = server.secrets.map((name) => `--env "${name}=$${variableOf(name)}"`)
      const cwd = server.cwd === undefined ? [] : [shellOption('--cwd', server.cwd)]
      const words = [server.command, ...server.args].map((word) => shellWord(word))
      return { options: [...env, ...secrets, ...cwd], last: ['--', ...words] }
    }
  }
}

/** The name of a shell's variable for a secret. */
export function variableOf(name: string): string {
  const plain = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
  return /^[A-Z_]/.test(plain) ? plain : `_${plain}`
}

const LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'templates',
  'prompts/list': 'prompts',
}

/** The command with what it sends; whatever has no command of its own is sent as it is. */
function wordsOf(exchange: CopiedExchange): string {
  const raw = `raw ${shellWord(exchange.request)}`
  const call = callOf(exchange)
  if (call === undefined) return raw
  const { method, params } = call
  const name = textOf(params['name'])
  const given = isJsonObject(params['arguments']) ? [shellWord(stringifyExact(params['arguments']))] : []
  const list = LISTS[method]
  if (list !== undefined && params['cursor'] === undefined) return `list ${list}`
  if (method === 'ping') return 'ping --count 1'
  if (method === 'initialize' || method === 'server/discover') return 'discover'
  // A word that begins like an option would be read as one.
  if (method === 'tools/call' && isWord(name)) return ['call', shellWord(name), ...given].join(' ')
  if (method === 'prompts/get' && isWord(name)) return ['get', shellWord(name), ...given].join(' ')
  const uri = textOf(params['uri'])
  if (method === 'resources/read' && isWord(uri)) return `read ${shellWord(uri)}`
  return raw
}

function isWord(text: string): boolean {
  return text !== '' && !text.startsWith('-')
}
