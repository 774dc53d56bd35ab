import { z } from 'zod'
import type { Sent } from '../../server-core/host/contract/composer.ts'
import { Observable } from '../state/observable.ts'
import { Persisted } from '../state/persisted.ts'
import { composerText } from './text.ts'

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
  /** HTTP: headers that repeat members of the message. */
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

const composingSchema = z.object({
  mode: z.enum(['text', 'hex']),
  text: z.string(),
  hex: z.string(),
  isOneLine: z.boolean(),
  lineFeed: z.boolean(),
  frame: z.enum(['text', 'binary']),
  method: z.string(),
  headers: z.string(),
  repeats: z.boolean(),
})
/** Older versions of the page may have stored fewer members. */
const storedSchema = z.array(z.tuple([z.string(), composingSchema.partial()]))

const stored = new Persisted({
  key: 'patchbay.composer',
  name: composerText.composerStore.messagesInTheComposer,
  schema: storedSchema,
  maxLength: 1_000_000,
})
const composings = new Map<string, Observable<Composing>>()
let isRestored = false

/** What is composed for a server; begun, or brought back from before the page was loaded again. */
export function composingOf(serverId: string): Observable<Composing> {
  if (!isRestored) restore()
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
  composing.subscribe(() => stored.saveSoon(present))
  return composing
}

function present(): z.infer<typeof storedSchema> {
  return Array.from(composings, ([id, composing]) => {
    const { sent: _, ...typed } = composing.get()
    return [id, typed]
  })
}

function restore(): void {
  isRestored = true
  for (const [id, typed] of stored.load() ?? []) {
    const known = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined))
    added(id, { ...BLANK, ...known })
  }
}
