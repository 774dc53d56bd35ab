import type { ServerState } from '../../server-core/host/contract/servers.ts'
import type { IconName } from '../controls/icon.tsx'

/** How a state looks: a shape of its own, a word, and a colour that only repeats them. */
export interface StateLook {
  readonly icon: IconName
  readonly word: string
  readonly tone: 'is-ok' | 'is-warn' | 'is-error' | 't2' | 't3'
}

/** Whether the peer wants to know who we are. */
export function wantsSignIn(server: ServerState): boolean {
  return server.status === 'failed' && server.failure?.httpStatus === 401
}

/** The icon, word and colour of a server's state. Of several reasons the first one to act on is named. */
export function stateOf(server: ServerState): StateLook {
  if (server.status === 'connected') return { icon: 'st-on', word: 'connected', tone: 'is-ok' }
  if (server.status === 'connecting') return { icon: 'st-busy', word: 'connecting', tone: 't2' }
  if (server.approval !== 'approved') return { icon: 'st-hold', word: 'needs approval', tone: 't3' }
  if (wantsSignIn(server)) return { icon: 'st-ask', word: 'wants a token', tone: 'is-warn' }
  if (server.status === 'failed') return { icon: 'st-fail', word: 'failed', tone: 'is-error' }
  return { icon: 'st-off', word: 'not connected', tone: 't2' }
}

/** The second line of a row: what matters next, most of all why it does not work. */
export function subLine(server: ServerState): string {
  const transport = server.transport
  switch (server.status) {
    case 'connected':
      return [transport, server.revision].filter((part) => part !== undefined).join(' · ')
    case 'connecting': {
      const step = server.probe.at(-1)
      return step === undefined ? `${transport} · connecting` : `${transport} · ${step.step}: ${step.outcome}`
    }
    case 'failed':
    case 'disconnected':
      if (server.approval === 'changed') return `${transport} · changed since approved`
      if (server.approval === 'needed') return `${transport} · never started`
      if (server.status === 'failed' && server.failure !== undefined) return server.failure.title
      return `${transport} · not connected`
  }
}

/** Two letters for the narrow rail: of two words, else the first two of one. */
export function twoLetters(name: string): string {
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
