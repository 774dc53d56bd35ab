import type { JsonObject } from '../../protocol/json.ts'
import type { ReplySink } from '../../ports/server-port.ts'
import type { ServerCore } from '../core.ts'
import { encodeNotification } from '../encode.ts'
import { checkedResult, declares, servedBy } from '../extensions/extensions.ts'
import type { Feature } from '../features/feature.ts'
import type { Agreed } from './handshake.ts'

export type ExtendedRequest = {
  readonly agreed: Agreed
  readonly caller: string
  readonly headers: Readonly<Record<string, string>>
  readonly method: string
  /** Handles messages that belong to the request. */
  readonly sink: ReplySink
}

/** What serves the method of an extension that the client declared in `initialize`; undefined if nothing does. */
export function extendedFeature(core: ServerCore, request: ExtendedRequest): Feature | undefined {
  const { agreed, caller, headers, method, sink } = request
  const { row, clientCapabilities } = agreed
  const claimed = core.extensions.method(method, 'legacy')
  if (claimed === undefined) return undefined
  const { extension, value } = claimed
  if (value.open !== true && !declares(clientCapabilities, extension)) return undefined
  return ({ params }) => ({
    type: 'handler',
    timeoutMs: core.limits.handlerMs,
    reentrant: false,
    mayAsk: false,
    run: async (run) => {
      const served = servedBy(extension, {
        method,
        params,
        revision: row.revision,
        caller,
        headers,
        clientCapabilities,
        send: (notification: string, sent: JsonObject) => {
          sink.emit(encodeNotification(notification, sent))
        },
      })
      run.signal.addEventListener('abort', () => {
        served.end('the request was cancelled', true)
      })
      const result = checkedResult(extension, await value.serve(served))
      served.end('the request was answered', false)
      return { ...result }
    },
  })
}
