import path from 'node:path'
import { LOG_LEVELS, type LogLevel } from '../../protocol/log-level.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { tracesUrl } from '../../recordings/otlp/otlp-exporter.ts'
import { UsageError } from '../output/exit-code.ts'
import { readResponders, type TypedRules } from '../questions/responder-flags.ts'
import type { CertificateFlags } from './trusted-certificates.ts'
import { readTarget, type NameAndValue, type Target } from './target.ts'

/** The flags of every command that connects to a server. */
export type ClientSettings = {
  readonly target: Target
  readonly json: boolean
  readonly timeoutMs: number
  /** Who answers what the server asks. */
  readonly responders?: TypedRules
  /** Patchbay's data folder: tokens, rules, model endpoints; the usual one unless told. */
  readonly profile?: string
  /** A browser may be opened without a further question. */
  readonly authorize?: true
  /** From which severity on the server is asked for log messages, and they are shown. */
  readonly logLevel?: LogLevel
  /** The user chose the timeout, so nothing gives up earlier. */
  readonly isTimeoutChosen?: true
  /** Only failures are written to stderr. */
  readonly quiet?: true
  readonly certificates?: CertificateFlags
  /** A new file that gets everything that is sent and received. */
  readonly record?: string
  /** The OTLP collector that gets spans of the calls. */
  readonly otlp?: string
}

export const CLIENT_OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  url: { type: 'string' },
  server: { type: 'string' },
  dir: { type: 'string' },
  trust: { type: 'boolean' },
  header: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  cwd: { type: 'string' },
  profile: { type: 'string' },
  workspace: { type: 'string' },
  transport: { type: 'string' },
  revision: { type: 'string' },
  responder: { type: 'string', multiple: true },
  authorize: { type: 'boolean' },
  'log-level': { type: 'string' },
  timeout: { type: 'string' },
  cacert: { type: 'string' },
  insecure: { type: 'boolean' },
  record: { type: 'string' },
  otlp: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
  json: { type: 'boolean' },
} as const

/** Values of `CLIENT_OPTIONS`, as `parseArgs` gives them. */
export type ClientFlags = {
  readonly [Name in keyof typeof CLIENT_OPTIONS]?:
    | ((typeof CLIENT_OPTIONS)[Name] extends { multiple: true }
        ? readonly string[]
        : (typeof CLIENT_OPTIONS)[Name]['type'] extends 'boolean'
          ? boolean
          : string)
    | undefined
}

const DEFAULT_TIMEOUT_MS = 60_000
/** Beyond this a timer of Node fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647

function readCollector(text: string): string {
  try {
    return tracesUrl(text).href
  } catch (error) {
    throw new UsageError(`--otlp: ${messageOf(error)}`, { cause: error })
  }
}

/** Parses the flags of all these commands. Throws a `UsageError`. @param command the words after `--` */
export function readClientSettings(
  values: ClientFlags,
  command: readonly string[] | undefined,
): ClientSettings {
  const { responder, timeout } = values
  const level = values['log-level']
  return {
    target: readTarget(values, command),
    json: values.json === true,
    timeoutMs: timeout === undefined ? DEFAULT_TIMEOUT_MS : readMilliseconds(timeout, '--timeout'),
    ...(timeout !== undefined && { isTimeoutChosen: true as const }),
    ...(values.record !== undefined && { record: path.resolve(values.record) }),
    ...(values.otlp !== undefined && { otlp: readCollector(values.otlp) }),
    ...(values.quiet === true && { quiet: true as const }),
    ...readCertificateFlags(values, values.dir === undefined ? command : []),
    ...(values.profile !== undefined && { profile: path.resolve(values.profile) }),
    ...(responder !== undefined && { responders: readResponders(responder) }),
    ...(values.authorize === true && { authorize: true as const }),
    ...(level !== undefined && { logLevel: readLogLevel(level) }),
  }
}

/** `--cacert` and `--insecure`. Throws a `UsageError` where there are no certificates. */
export function readCertificateFlags(
  { cacert, insecure }: Pick<ClientFlags, 'cacert' | 'insecure'>,
  command: readonly string[] | undefined,
): { readonly certificates?: CertificateFlags } {
  if (cacert === undefined && insecure !== true) return {}
  if (command !== undefined)
    throw new UsageError(`--${cacert === undefined ? 'insecure' : 'cacert'} goes with --url or --server only`)
  if (cacert !== undefined && insecure === true)
    throw new UsageError('--cacert and --insecure exclude each other')
  return { certificates: insecure === true ? { insecure } : { ...(cacert !== undefined && { cacert }) } }
}

/** Milliseconds for a timer, from `least` on. Throws a `UsageError` that names the flag. */
export function readMilliseconds(text: string, flag: string, least = 1): number {
  const milliseconds = Number(text)
  if (!/^\d+$/.test(text) || milliseconds < least || milliseconds > LONGEST_TIMER_MS)
    throw new UsageError(`${flag} expects milliseconds, got "${text}"`)
  return milliseconds
}

/** A whole number from 1 on. Throws a `UsageError` that names the flag. */
export function readCount(text: string, flag: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || !Number.isSafeInteger(count))
    throw new UsageError(`${flag} expects a number from 1 on, got "${text}"`)
  return count
}

/** `--arg name=value`, each as it was typed. Throws a `UsageError`. */
export function readNamed(texts: readonly string[]): readonly NameAndValue[] {
  return texts.map((text) => {
    const equals = text.indexOf('=')
    if (equals < 1) throw new UsageError(`--arg expects NAME=value, got "${text}"`)
    return { name: text.slice(0, equals), value: text.slice(equals + 1) }
  })
}

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text)
  if (level === undefined)
    throw new UsageError(`--log-level expects one of ${LOG_LEVELS.join(', ')}, got "${text}"`)
  return level
}
