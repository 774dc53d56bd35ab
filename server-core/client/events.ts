import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { isRequestId, type JsonRpcNotification, type RequestId } from '../protocol/messages.ts'
import type { Incoming, TransportError } from '../ports/contract.ts'
import type { AnswerFault } from './answers/form-content.ts'
import type { SessionLoss } from './session.ts'
import type { ListKind } from '../protocol/list-kind.ts'

/** What a listener may be called with, by the name of the event. */
export type ConnectionEvents = {
  /** Every notification, those included that have an event of their own. */
  readonly notification: JsonRpcNotification
  /** A list changed, or may have while nobody could tell; at most twenty times a second each. */
  readonly listChanged: ListKind
  /** A resource given to `subscribe` changed, or one beneath it; at most twenty times a second each. */
  readonly resourceUpdated: string
  /** `notifications/message` (utilities: logging). */
  readonly log: LogMessage
  /** `notifications/progress`, whichever request it belongs to, or none. */
  readonly progress: ProgressNotice
  /** What an elicitation by URL asked for is done (2025-11-25). */
  readonly elicitationComplete: { readonly elicitationId: string }
  /** Where a task stands: `notifications/tasks/status` (2025-11-25), `notifications/tasks` (extension). */
  readonly taskStatus: { readonly taskId: string; readonly task: JsonObject }
  /** The server had lost the session, and a new one began. */
  readonly sessionRenewed: SessionLoss
  /** A responder gave an answer that was not sent. */
  readonly answerRefused: {
    readonly method: string
    readonly params: JsonObject
    readonly faults: readonly AnswerFault[]
  }
  /** Any JSON value that came, valid as a message or not, before anything is made of it. */
  readonly received: Incoming
  /** Bytes that are not JSON. */
  readonly invalid: { readonly bytes: Uint8Array; readonly reason: string }
  /** Something the server does against the specification that nothing fails of. */
  readonly warning: string
  readonly closed: TransportError
}

export type LogMessage = { readonly level: string; readonly logger?: string; readonly data: unknown }

export type ProgressNotice = {
  readonly token: RequestId
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Listeners given with a connection from its start. */
export type ConnectionListeners = {
  readonly [Name in keyof ConnectionEvents]?: ((value: ConnectionEvents[Name]) => void) | undefined
}

type Listener = (value: unknown) => void

/** Listeners by event. One that throws harms no other; its error becomes a warning of the process. */
export class Events {
  readonly #listeners = new Map<keyof ConnectionEvents, Set<Listener>>()

  /** Returns the function that removes the listener. One that is added twice is called twice. */
  on<Name extends keyof ConnectionEvents>(
    name: Name,
    listener: (value: ConnectionEvents[Name]) => void,
  ): () => void {
    const own: Listener = (value) => listener(value as ConnectionEvents[Name])
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(own))
    return () => {
      listeners.delete(own)
    }
  }

  has(name: keyof ConnectionEvents): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0
  }

  emit<Name extends keyof ConnectionEvents>(name: Name, value: ConnectionEvents[Name]): void {
    const listeners = this.#listeners.get(name)
    if (listeners === undefined) return
    for (const listener of [...listeners]) {
      try {
        listener(value)
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }

  /** Emits a notification, and its meaning where its parameters can be parsed. */
  notification(message: JsonRpcNotification): void {
    this.emit('notification', message)
    const { method, params = {} } = message
    switch (method) {
      case 'notifications/message': {
        const { level, logger, data } = params
        if (typeof level !== 'string') break
        this.emit('log', { level, ...(typeof logger === 'string' ? { logger } : {}), data })
        break
      }
      case 'notifications/progress': {
        const { progressToken: token, progress, total, message: text } = params
        if (!isRequestId(token) || typeof progress !== 'number') break
        this.emit('progress', {
          token,
          progress,
          ...(typeof total === 'number' ? { total } : {}),
          ...(typeof text === 'string' ? { message: text } : {}),
        })
        break
      }
      case 'notifications/elicitation/complete': {
        const { elicitationId } = params
        if (typeof elicitationId === 'string') this.emit('elicitationComplete', { elicitationId })
        break
      }
      case 'notifications/tasks/status':
      case 'notifications/tasks': {
        const { taskId } = params
        if (typeof taskId === 'string' && isJsonObject(params))
          this.emit('taskStatus', { taskId, task: params })
      }
    }
  }
}
