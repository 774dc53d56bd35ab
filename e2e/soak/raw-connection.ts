import type { Random } from '../random.ts'

/** A way for messages to one session of the server, whatever the transport. Bytes go out as they are. */
export interface RawConnection {
  /** Sends the bytes of one message. */
  send(bytes: Buffer): void
  /** Resolves once everything sent has been handed over, and refused or taken. */
  flushed(): Promise<void>
  /** Called with each message of the server, parsed. */
  onMessage(listener: (message: Message) => void): void
  /** Resolves with the reason when the lane has ended. */
  readonly closed: Promise<string>
  /** Messages arrive as they were sent, one behind the other. */
  readonly keepsOrder: boolean
  /** Whether these bytes can be one message of this transport at all. */
  carries(bytes: Buffer): boolean
  close(): Promise<void>
}

/** A message of the server: its members, as far as the soak looks at them. */
export type Message = {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

/** Reads a message of the server. Throws if it is not a JSON object. */
export function readMessage(bytes: Buffer | string): Message {
  const value: unknown = JSON.parse(bytes.toString())
  if (typeof value !== 'object' || value === null) throw new TypeError(`no message: ${bytes.toString()}`)
  return value
}

/** Where the server under soak listens, and what it takes to reach it. */
export type Target = {
  readonly mcpUrl: string
  readonly sseUrl: string
  readonly webSocketUrl: string
  /** Its memory, in bytes (resident set). */
  memory(): number
  /** Resolves with how it ended; while the soak goes on that is a crash. */
  readonly ended: Promise<string>
  close(): Promise<void>
}

export type OpenRawConnection = (target: Target, random: Random) => Promise<RawConnection>

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'soak', version: '1.0.0' },
  },
} as const

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' } as const

/** Does the handshake on a lane that was just opened. */
export async function shakeHands(connection: RawConnection): Promise<RawConnection> {
  const answered = new Promise<void>((resolve) => {
    connection.onMessage((message) => {
      if (message.id === INITIALIZE.id) resolve()
    })
  })
  connection.send(Buffer.from(JSON.stringify(INITIALIZE)))
  await answered
  connection.send(Buffer.from(JSON.stringify(INITIALIZED)))
  await connection.flushed()
  return connection
}
