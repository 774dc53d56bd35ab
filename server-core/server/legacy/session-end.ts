import type { JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import type { SessionEnd } from '../../registry/upstream.ts'
import type { SessionAudience } from '../audience.ts'
import type { ServerCore } from '../core.ts'
import { EmissionFilter } from '../emission.ts'
import { encodeNotification, encodeRequest } from '../encode.ts'
import { admitQuestions, questionFor } from '../questions.ts'
import type { ClientRequests } from './client-requests.ts'

export type SessionEndParts = {
  readonly core: ServerCore
  readonly row: RevisionRow
  readonly clientCapabilities: JsonObject
  readonly audience: SessionAudience
  readonly asked: ClientRequests
  readonly send: (bytes: Uint8Array) => void
}

/** What a server that lies behind the registry can reach of a session outside its calls. */
export function sessionEnd(parts: SessionEndParts): SessionEnd {
  const { core, row, clientCapabilities, audience, asked, send } = parts
  const filter = new EmissionFilter(undefined, audience)
  return {
    emit: (emission) => {
      const bytes = filter.encode(emission)
      if (bytes !== undefined) send(bytes)
    },
    notify: (method, params) => {
      if (Object.hasOwn(row.notifications, method)) send(encodeNotification(method, params))
    },
    ask: async (given, withdrawn) => {
      const question = questionFor(row, given, clientCapabilities)
      await admitQuestions([question], clientCapabilities, core.validators)
      const { method, params } = question
      const withdraw = (id: string) => {
        send(encodeNotification('notifications/cancelled', { requestId: id }))
      }
      const { id, result } = asked.open(method, {
        send: (fresh) => {
          send(encodeRequest(fresh, method, params))
        },
        withdraw,
      })
      const abandon = () => {
        if (asked.forget(id)) withdraw(id)
      }
      withdrawn.addEventListener('abort', abandon, { once: true })
      try {
        return await result
      } finally {
        withdrawn.removeEventListener('abort', abandon)
      }
    },
  }
}
