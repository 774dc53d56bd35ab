import type { Tap } from '../../ports/tap.ts'
import { SERVE_LOG_LEVELS, type ServeLogLevel } from '../../workspace-file/serve-values.ts'
import { plural } from '../../protocol/plural.ts'
import { writeStderr } from '../output/output.ts'

/** Logs on standard error what the server does, from a level on. */
export class ServeLog {
  readonly #from: number

  constructor(level: ServeLogLevel) {
    this.#from = SERVE_LOG_LEVELS.indexOf(level)
  }

  /** Whether lines of this level are written. */
  tells(level: ServeLogLevel): boolean {
    return SERVE_LOG_LEVELS.indexOf(level) >= this.#from
  }

  debug(text: string): void {
    this.#write('debug', text)
  }

  info(text: string): void {
    this.#write('info', text)
  }

  error(text: string): void {
    this.#write('error', text)
  }

  warning(text: string): void {
    this.#write('warning', text)
  }

  #write(level: ServeLogLevel, text: string): void {
    if (this.tells(level)) writeStderr(`patchbay: ${level}: ${text}`)
  }
}

/** A tap that writes a line for every message: which way it went and what it is, nothing of what it says. */
export function loggingTap(log: ServeLog, name: string): Tap {
  let clients = 0
  return {
    record: (frame) => {
      if (frame.kind === 'lifecycle') log.debug(`${name}: ${frame.note}`)
      else if (frame.kind === 'invalid') log.debug(`${name}: ${frame.direction} no message: ${frame.reason}`)
      else if (frame.kind === 'message') {
        const what = describe(frame.parsed ?? parsed(frame.bytes))
        log.debug(`${name}: ${frame.direction} ${what}, ${plural(frame.bytes.length, 'byte')}`)
      }
    },
    fork: () => {
      clients += 1
      return loggingTap(log, `${name} ${clients}`)
    },
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // A log line about foreign bytes still says how many they are.
    return undefined
  }
}

function describe(message: unknown): string {
  if (Array.isArray(message)) return `a batch of ${message.length}`
  if (typeof message !== 'object' || message === null) return 'no message'
  const id = 'id' in message ? ` ${JSON.stringify(message.id)}` : ''
  if ('method' in message) return `${String(message.method)}${id}`
  return 'error' in message ? `an error for${id}` : `the result of${id}`
}
