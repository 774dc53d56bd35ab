import { durationText } from '../../server-core/protocol/duration-text.ts'
import type { ServerLatency, ServerState } from '../../server-core/host/contract/servers.ts'
import type { StateLook } from '../controls/state-mark.tsx'
import { serversText } from './text.ts'

const TRANSPORT_NAMES: Readonly<Record<ServerState['transport'], string>> = {
  stdio: 'stdio',
  auto: 'not negotiated yet',
  http: serversText.serverLook.streamableHttp,
  sse: 'HTTP+SSE',
  websocket: 'WebSocket',
}

/** The transport's name in the specification. */
export function transportName({ transport }: Pick<ServerState, 'transport'>): string {
  return TRANSPORT_NAMES[transport]
}

/** The transport's short name, for a row. */
const SHORT_NAMES: Readonly<Record<ServerState['transport'], string>> = {
  stdio: 'stdio',
  auto: 'url',
  http: 'http',
  sse: 'http+sse',
  websocket: 'websocket',
}

/** Whether the server requires authorization. */
export function wantsSignIn(server: ServerState): boolean {
  return server.status === 'failed' && server.failure?.httpStatus === 401
}

/** The icon, word and colour of a server's state. Of several states, the first to act on wins. */
export function stateOf(server: ServerState): StateLook {
  if (server.status === 'connected')
    return { icon: 'st-on', word: serversText.serverLook.connected, tone: 'is-ok' }
  if (server.status === 'connecting')
    return { icon: 'st-busy', word: serversText.serverLook.connecting, tone: 't2' }
  if (server.approval !== 'approved')
    return { icon: 'st-hold', word: serversText.serverLook.needsApproval, tone: 't3' }
  if (wantsSignIn(server))
    return { icon: 'st-ask', word: serversText.serverLook.needsAToken, tone: 'is-warn' }
  if (server.status === 'failed')
    return { icon: 'st-fail', word: serversText.serverLook.failed, tone: 'is-error' }
  return { icon: 'st-off', word: serversText.serverLook.notConnected, tone: 't2' }
}

/** The second line of a row: the problem, if any, otherwise details of the connection. */
export function subLine(server: ServerState): string {
  const transport = SHORT_NAMES[server.transport]
  switch (server.status) {
    case 'connected':
      return [transport, server.revision].filter((part) => part !== undefined).join(' · ')
    case 'connecting': {
      const step = server.probe.at(-1)
      if (server.waiting !== undefined) return serversText.serverLook.noResponseYet(transport)
      return step === undefined
        ? serversText.serverLook.transportConnecting(transport)
        : `${transport} · ${step.step}: ${step.outcome}`
    }
    case 'failed':
    case 'disconnected':
      if (server.approval === 'changed') return serversText.serverLook.changedSinceApproved(transport)
      if (server.approval === 'needed') return serversText.serverLook.neverStarted(transport)
      if (server.status === 'failed' && server.failure !== undefined) return server.failure.title
      return serversText.serverLook.transportNotConnected(transport)
  }
}

/** Explains the latency of a server, for a tooltip. */
export function latencyTitle({ count, p50Ms, p95Ms }: ServerLatency): string {
  const calls = count === 1 ? 'the last call' : `the last ${count} calls`
  return serversText.serverLook.latencyTitle(calls, durationText(p50Ms), durationText(p95Ms))
}

/** Returns the label of the action that restarts a server, with its name if one is given. */
export function restartWord(server: Pick<ServerState, 'transport'>, name?: string): string {
  const verb = server.transport === 'stdio' ? 'Restart' : 'Reconnect'
  return name === undefined ? verb : `${verb} ${name}`
}

/**
 * Returns an abbreviation for each name, in order, for the narrow rail: two letters, or digits of an address. All are
 * unique; a name without a free pair of letters gets its first letter and a number.
 */
export function marksOf(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const free = (mark: string): boolean => !taken.has(mark.toLowerCase())
    const first = firstLetters(name.replace(/[^\p{L}\p{N}]+/gu, ''), 1)
    let mark = [...lastDigits(name), twoLetters(name), ...otherPairs(name, first)].find(free)
    for (let number = 2; mark === undefined; number += 1) {
      if (free(`${first}${number}`)) mark = `${first}${number}`
    }
    taken.add(mark.toLowerCase())
    return mark
  })
}

/** Abbreviates an address by the end of its port, or of its host without a port. */
function lastDigits(name: string): readonly string[] {
  const [port] = /(?<=:)\d{2,5}$/.exec(name) ?? []
  const digits = port ?? (/^\d+(\.\d+){3}$/.test(name) ? name.replaceAll('.', '') : '')
  return digits.length < 2 ? [] : [digits.slice(-2)]
}

/** Pairs of the first letter with each later one; letters that begin a word come first. */
function otherPairs(name: string, first: string): readonly string[] {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const starts = words.slice(1).map((word) => firstLetters(word, 1))
  const rest = Array.from(letters.segment(words.join('')), ({ segment }) => segment).slice(1)
  return [...starts, ...rest].map((letter) => first + letter)
}

/** The first letters of two words, or the first two letters of one. */
function twoLetters(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const [first, second] = words
  if (first === undefined) return '··'
  return second === undefined ? firstLetters(first, 2) : firstLetters(first, 1) + firstLetters(second, 1)
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function firstLetters(word: string, count: number): string {
  return Array.from(letters.segment(word), ({ segment }) => segment)
    .slice(0, count)
    .join('')
}
