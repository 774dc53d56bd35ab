import type {
  Declaration,
  Pair,
  Protocol,
  RemoteTransport,
  ServerDraft,
} from '../../server-core/host/contract/servers.ts'
import { serversText } from './text.ts'

/** What the user typed, whole, whichever way of reaching a server is chosen. */
export interface ServerForm {
  readonly name: string
  readonly way: 'command' | 'url'
  readonly command: string
  /** One argument per line, or a JSON array of strings. */
  readonly args: string
  readonly cwd: string
  readonly env: readonly Pair[]
  readonly url: string
  /** Transport of the URL; a WebSocket's scheme says it. */
  readonly transport: RemoteTransport
  readonly headers: readonly Pair[]
  readonly bearerToken: string
  /** Delete the stored token. */
  readonly forgetToken: boolean
  readonly protocol: Protocol
  /** What is declared to it, chosen in the explorer; it is carried along. */
  readonly declaration: Declaration | undefined
}

export const emptyForm: ServerForm = {
  name: '',
  way: 'command',
  command: '',
  args: '',
  cwd: '',
  env: [],
  url: '',
  transport: 'auto',
  headers: [],
  bearerToken: '',
  forgetToken: false,
  protocol: 'auto',
  declaration: undefined,
}

/** Why a field cannot stay as it is, by the field's name; pairs as `env.0`. */
export type FormErrors = Readonly<Record<string, string>>

/** The arguments of a text: a JSON array of strings as it is, anything else line by line without empty lines. */
export function argumentsOf(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) {
    try {
      const value: unknown = JSON.parse(trimmed)
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
    } catch {
      // Not JSON: a line may well begin with a bracket.
    }
  }
  return text.split(/\r?\n/).filter((line) => line !== '')
}

/** The text that gives these arguments back: lines where lines can hold them. */
export function argumentsText(args: readonly string[]): string {
  const lines = args.join('\n')
  const back = argumentsOf(lines)
  const same = back.length === args.length && back.every((argument, index) => argument === args[index])
  return same ? lines : JSON.stringify(args, null, 2)
}

/** The form that shows this draft of a server. What the other transport would need is empty. */
export function formOf(draft: ServerDraft): ServerForm {
  const { target } = draft
  const shared = {
    ...emptyForm,
    name: draft.name,
    bearerToken: draft.bearerToken ?? '',
    protocol: target.protocol ?? 'auto',
    declaration: target.declaration,
  }
  if (target.transport !== 'stdio') {
    const { transport, url, headers } = target
    return { ...shared, way: 'url', transport, url, headers }
  }
  return {
    ...shared,
    way: 'command',
    command: target.command,
    args: argumentsText(target.args),
    cwd: target.cwd ?? '',
    env: target.env,
  }
}

/** What cannot be split into a command and its arguments. */
export const NO_COMMAND_LINE = serversText.serverForm.notACommandLine

/**
 * The form with its command line split as it was read, with the folder and the variables it sets; as it is if another one
 * was typed meanwhile.
 */
export function withCommandLine(form: ServerForm, commandLine: string, read: ServerForm): ServerForm {
  if (form.command !== commandLine) return form
  const cwd = read.cwd === '' ? form.cwd : read.cwd
  const names = new Set(read.env.map(({ name }) => name))
  const env = [...form.env.filter(({ name }) => !names.has(name)), ...read.env]
  return { ...form, command: read.command, args: read.args, cwd, env }
}

/** Files that every package has: the folder says more. */
const PLAIN_FILE = /^(index|main|server|cli)\.\w+$/i
/** Folders that say nothing of what is in them. */
const PLAIN_FOLDER = /^(dist|build|out|lib|src|bin|\.{1,2}|~|[a-z]:)$/i

/** A name made of what is known: the host of a URL, or the last word of the command line that says something. */
export function suggestedName(form: ServerForm): string {
  if (form.way === 'url') return URL.canParse(form.url) ? new URL(form.url).host : ''
  const words = [form.command, ...argumentsOf(form.args)].filter((word) => !word.startsWith('-'))
  const last = words.findLast((word) => /[a-z]/i.test(word)) ?? ''
  const parts = last.split(/[/\\]/).filter((part) => part !== '')
  const file = parts.at(-1) ?? ''
  const folder = PLAIN_FILE.test(file)
    ? parts.slice(0, -1).findLast((part) => !PLAIN_FOLDER.test(part))
    : undefined
  const base = folder ?? file
  return base.replace(/(?<=.)@[^@]*$/, '').replace(/\.(js|mjs|cjs|ts|py|exe|cmd)$/i, '')
}

function pairErrors(field: 'env' | 'headers', pairs: readonly Pair[]): FormErrors {
  const errors: Record<string, string> = {}
  const seen = new Set<string>()
  pairs.forEach((pair, index) => {
    const name = field === 'headers' ? pair.name.toLowerCase() : pair.name
    if (pair.name === '' && pair.value !== '')
      errors[`${field}.${index}`] = serversText.serverForm.variableNameMissing
    else if (pair.name !== '' && seen.has(name))
      errors[`${field}.${index}`] = serversText.serverForm.existsTwice(pair.name)
    else if (field === 'env' && /[=\0]/.test(pair.name)) {
      errors[`${field}.${index}`] = serversText.serverForm.invalidVariableName
    } else if (field === 'headers' && pair.name !== '' && !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(pair.name)) {
      errors[`${field}.${index}`] = serversText.serverForm.invalidHeaderName(pair.name)
    }
    seen.add(name)
  })
  return errors
}

/** Whether the address is a WebSocket's, which has one transport only. */
export function isWebSocket(url: string): boolean {
  return /^\s*wss?:/i.test(url)
}

/** Transport of the URL: a WebSocket by its scheme, anything else as it was chosen. */
function transportOf({ url, transport }: ServerForm): RemoteTransport {
  if (isWebSocket(url)) return 'websocket'
  return transport === 'websocket' ? 'auto' : transport
}

/** Every reason why the form cannot be stored as it is. */
export function errorsOf(form: ServerForm): FormErrors {
  const errors: Record<string, string> = {}
  if (form.way === 'command') {
    if (form.command.trim() === '') errors['command'] = serversText.serverForm.commandMissing
    return { ...errors, ...pairErrors('env', form.env) }
  }
  const url = URL.canParse(form.url.trim()) ? new URL(form.url.trim()) : undefined
  if (url === undefined || !['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol)) {
    errors['url'] = serversText.serverForm.invalidAddress
  }
  return { ...errors, ...pairErrors('headers', form.headers) }
}

/** What is sent to the host; to be called when `errorsOf` finds nothing. */
export function draftOf(form: ServerForm): ServerDraft {
  const name = (form.name.trim() || suggestedName(form) || 'server').slice(0, 120)
  const named = (pairs: readonly Pair[]): Pair[] => pairs.filter((pair) => pair.name !== '')
  const { protocol, declaration } = form
  const choices = {
    ...(protocol !== 'auto' && { protocol }),
    ...(declaration !== undefined && { declaration }),
  }
  if (form.way === 'command') {
    const cwd = form.cwd.trim()
    return {
      name,
      target: {
        ...choices,
        transport: 'stdio',
        command: form.command.trim(),
        args: argumentsOf(form.args),
        env: named(form.env),
        ...(cwd === '' ? {} : { cwd }),
      },
    }
  }
  const target = {
    ...choices,
    transport: transportOf(form),
    url: form.url.trim(),
    headers: named(form.headers),
  }
  if (form.forgetToken) return { name, target, bearerToken: '' }
  return form.bearerToken === '' ? { name, target } : { name, target, bearerToken: form.bearerToken }
}
