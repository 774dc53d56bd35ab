import type { Sent } from '../../server-core/host/contract/composer.ts'
import { Observable } from '../state/observable.ts'

/** What is typed for one connection, and what was sent last. */
export type Composing = {
  readonly mode: 'text' | 'hex'
  readonly text: string
  readonly hex: string
  /** Line breaks between tokens are left out. */
  readonly isOneLine: boolean
  /** stdio: a line feed ends it. */
  readonly lineFeed: boolean
  /** WebSocket. */
  readonly frame: 'text' | 'binary'
  /** HTTP. */
  readonly method: string
  readonly headers: string
  /** HTTP: headers that repeat what stands in the message. */
  readonly repeats: boolean
  readonly sent?: Sent
}

const BLANK: Composing = {
  mode: 'text',
  text: '',
  hex: '',
  isOneLine: true,
  lineFeed: true,
  frame: 'text',
  method: 'POST',
  headers: '',
  repeats: true,
}

const KEY = 'patchbay.composer'
const SAVE_AFTER_MS = 1_000
/** Characters; longer texts do not outlive the page. */
const MAX_LENGTH = 1_000_000

const composings = new Map<string, Observable<Composing>>()
let timer: ReturnType<typeof setTimeout> | undefined

/** What is composed for a server; begun, or brought back from before the page was loaded again. */
export function composingOf(serverId: string): Observable<Composing> {
  if (composings.size === 0) bringBack()
  const known = composings.get(serverId)
  return known ?? added(serverId, BLANK)
}

/** Replaces the given members of what is composed. */
export function compose(composing: Observable<Composing>, change: Partial<Composing>): void {
  composing.set({ ...composing.get(), ...change })
}

function added(serverId: string, start: Composing): Observable<Composing> {
  const composing = new Observable(start)
  composings.set(serverId, composing)
  composing.subscribe(() => {
    timer ??= setTimeout(save, SAVE_AFTER_MS)
  })
  return composing
}

function save(): void {
  timer = undefined
  const kept = Array.from(composings, ([id, composing]) => {
    const { sent: _, ...typed } = composing.get()
    return [id, typed] as const
  })
  const text = JSON.stringify(kept)
  if (text.length <= MAX_LENGTH) sessionStorage.setItem(KEY, text)
}

function bringBack(): void {
  globalThis.addEventListener('pagehide', save)
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as readonly (readonly [
    string,
    Partial<Composing>,
  ])[]
  for (const [id, typed] of kept) added(id, { ...BLANK, ...typed })
}
