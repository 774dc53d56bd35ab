import type { ConnectedClient } from '../../server-core/host/contract/registry.ts'
import { counted } from '../text/measures.ts'
import { secondText } from '../text/times.ts'
import { registryText } from './text.ts'

/** Names of the transports. */
export const TRANSPORTS: Readonly<Record<ConnectedClient['transport'], string>> = {
  stdio: 'stdio',
  http: 'http',
  sse: 'http+sse',
  websocket: 'ws',
  memory: 'in-memory',
}

/** The client's name, the subject of its token, and whether it is this window. */
export function nameOf({ title, name, own, principal }: ConnectedClient): string {
  const called = title ?? (name === '' ? 'unnamed client' : name)
  if (own) return registryText.clientFacts.thisWindow(called)
  return principal === undefined ? called : `${called} (${principal})`
}

/** The client's transport, process, start time and activity, in one line. */
export function factsOf(client: ConnectedClient): string {
  const { pid, address, sessionId, since, calls, running, subscriptions } = client
  const where =
    pid !== undefined
      ? `pid ${pid}`
      : (address ?? (sessionId === undefined ? undefined : sessionText(sessionId)))
  return [
    where,
    `since ${secondText(since).slice(0, 5)}`,
    counted(calls, 'call'),
    running > 0 ? registryText.clientFacts.running(running) : undefined,
    subscriptions.length > 0 ? counted(subscriptions.length, 'subscription') : undefined,
  ]
    .filter((fact) => fact !== undefined)
    .join(', ')
}

/** Shortens a session id; its start and end identify it. */
function sessionText(id: string): string {
  return `session ${id.length > 10 ? `${id.slice(0, 4)}…${id.slice(-2)}` : id}`
}
