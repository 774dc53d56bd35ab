import { TASKS_EXTENSION } from '../protocol/extension-ids.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { JsonRpcNotification } from '../protocol/messages.ts'
import { declares } from './declaration.ts'

/**
 * An addition to the protocol as a client knows it (2026-07-28, Extensions). It is in force where the connection
 * declares its id in `capabilities.extensions`.
 */
export type ClientExtension = {
  /** `prefix/name`, as `com.example/thing`. */
  readonly id: string
  /** What is declared where the connection has no declaration of its own; `{}` unless told. */
  readonly settings?: JsonObject
  /** Values of `resultType` that its results may have beside `complete`. */
  readonly resultTypes?: readonly string[]
  /** Its notifications, by method. */
  readonly notifications?: Readonly<Record<string, (params: JsonObject) => void>>
  /** The parameter that the header `Mcp-Name` repeats, by method (Streamable HTTP: request headers). */
  readonly nameParameters?: Readonly<Record<string, string>>
}

/** The Tasks extension, which every client here knows; `tasks/` speaks it. */
const TASKS: ClientExtension = {
  id: TASKS_EXTENSION,
  resultTypes: ['task'],
  nameParameters: { 'tasks/get': 'taskId', 'tasks/update': 'taskId', 'tasks/cancel': 'taskId' },
}

/** The extensions that a connection has declared. */
export class ClientExtensions {
  readonly resultTypes: readonly string[]
  readonly #nameParameters: ReadonlyMap<string, string>
  readonly #inForce: readonly ClientExtension[]

  constructor(extensions: readonly ClientExtension[], capabilities: JsonObject) {
    this.#inForce = [TASKS, ...extensions].filter(({ id }) => declares(capabilities, 'extensions', id))
    this.resultTypes = this.#inForce.flatMap(({ resultTypes = [] }) => resultTypes)
    this.#nameParameters = new Map(
      this.#inForce.flatMap(({ nameParameters = {} }) => Object.entries(nameParameters)),
    )
  }

  /** The value of `Mcp-Name` that an extension's method has, if it has one. */
  nameOf(method: string, params: JsonObject | undefined): string | undefined {
    if (this.#nameParameters.size === 0) return undefined
    const member = this.#nameParameters.get(method)
    const value = member === undefined ? undefined : params?.[member]
    return typeof value === 'string' ? value : undefined
  }

  notification({ method, params = {} }: JsonRpcNotification): void {
    for (const { notifications = {} } of this.#inForce)
      if (Object.hasOwn(notifications, method)) notifications[method]?.(params)
  }
}

/** Capabilities with those extensions declared that are not yet. */
export function withExtensions(capabilities: JsonObject, extensions: readonly ClientExtension[]): JsonObject {
  if (extensions.length === 0) return capabilities
  const settings = extensions.map(({ id, settings = {} }) => [id, settings] as const)
  return { ...capabilities, extensions: Object.fromEntries(settings) }
}
