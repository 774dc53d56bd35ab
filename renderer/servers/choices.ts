import type { Protocol, RemoteTransport } from '../../server-core/host/contract/servers.ts'
import { SUPPORTED } from '../../server-core/protocol/revisions.ts'
import { serversText } from './text.ts'

type Choice<Value extends string> = { readonly value: Value; readonly label: string }

/** The choices of a revision: automatic negotiation, or one required revision. */
export const REVISION_CHOICES: readonly Choice<Protocol>[] = [
  { value: 'auto', label: serversText.choices.automatic },
  ...SUPPORTED.toReversed().map((revision) => ({ value: revision, label: revision })),
]

/** The choices of a transport for an `http` or `https` URL. */
export const TRANSPORT_CHOICES: readonly Choice<Exclude<RemoteTransport, 'websocket'>>[] = [
  { value: 'auto', label: serversText.choices.automatic },
  { value: 'http', label: serversText.choices.streamableHttp },
  { value: 'sse', label: serversText.choices.httpSse },
]
