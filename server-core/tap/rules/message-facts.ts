import { isJsonObject } from '../../protocol/json.ts'
import type { Direction } from './rule-schema.ts'

/** What rules match on. */
export type MessageFacts = {
  readonly direction: Direction
  readonly kind: 'request' | 'response' | 'error' | 'notification' | 'invalid'
  /** The method; of an answer, that of its request. */
  readonly method?: string
  readonly target?: string
  readonly id?: string | number
  /** The parsed message; undefined if it is not JSON. */
  readonly value: unknown
}

/** Requests without an answer that are remembered in each direction. */
const MOST_OPEN = 10_000

type Asked = { readonly method: string; readonly target?: string }

/** Finds what messages are about, and remembers requests so that answers have a method too. */
export class MessageReader {
  readonly #open: Readonly<Record<Direction, Map<string, Asked>>> = {
    'to-server': new Map(),
    'to-client': new Map(),
  }

  read(direction: Direction, value: unknown): MessageFacts {
    if (!isJsonObject(value)) return { direction, kind: 'invalid', value }
    const { method, id: given } = value
    const id = typeof given === 'string' || typeof given === 'number' ? given : undefined
    if (typeof method === 'string') {
      const target = targetOf(value)
      const asked = { method, ...(target !== undefined && { target }) }
      if (id === undefined) return { direction, kind: 'notification', ...asked, value }
      this.#remember(direction, keyOf(id), asked)
      return { direction, kind: 'request', ...asked, id, value }
    }
    if (!('result' in value) && !('error' in value)) return { direction, kind: 'invalid', value }
    const kind = 'error' in value ? 'error' : 'response'
    if (id === undefined) return { direction, kind, value }
    const open = this.#open[direction === 'to-client' ? 'to-server' : 'to-client']
    const asked = open.get(keyOf(id))
    open.delete(keyOf(id))
    return { direction, kind, id, ...asked, value }
  }

  #remember(direction: Direction, key: string, asked: Asked): void {
    const open = this.#open[direction]
    open.set(key, asked)
    const [oldest] = open.keys()
    if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest)
  }
}

/** The tool, prompt, task or URI that a message names. */
function targetOf({ params }: { readonly params?: unknown }): string | undefined {
  if (!isJsonObject(params)) return undefined
  const { name, uri, taskId } = params
  return [name, uri, taskId].find((each) => typeof each === 'string')
}

function keyOf(id: string | number): string {
  return `${typeof id} ${id}`
}
