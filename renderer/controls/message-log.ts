import { Observable } from '../state/observable.ts'

/** An error that was shown as a toast. */
export type Message = {
  readonly id: number
  readonly title: string
  readonly detail: string | undefined
  /** When it was shown, in milliseconds since 1970. */
  readonly at: number
}

/** How many messages are stored; the oldest go first. */
const MOST = 50

/** The errors that were shown in this window, newest first. */
export const messages = new Observable<readonly Message[]>([])

let nextId = 1

/** Stores an error, so that it can be read after its toast has closed. */
export function addMessage({ title, detail }: Pick<Message, 'title' | 'detail'>): void {
  const message = { id: nextId, title, detail, at: Date.now() }
  nextId += 1
  messages.set([message, ...messages.get()].slice(0, MOST))
}

/** Forgets all messages. */
export function clearMessages(): void {
  messages.set([])
}
