import type { Protocol, RemoteTransport } from '../../server-core/host/contract/servers.ts'
import { SUPPORTED } from '../../server-core/protocol/revisions.ts'

type Choice<Value extends string> = { readonly value: Value; readonly label: string }

/** What can be chosen about the revision: to find it out, or one to insist on. */
export const REVISION_CHOICES: readonly Choice<Protocol>[] = [
  { value: 'auto', label: 'Automatic' },
  ...SUPPORTED.toReversed().map((revision) => ({ value: revision, label: revision })),
]

/** What can be chosen about the transport over an `http` or `https` URL. */
export const TRANSPORT_CHOICES: readonly Choice<Exclude<RemoteTransport, 'websocket'>>[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'HTTP+SSE' },
]
