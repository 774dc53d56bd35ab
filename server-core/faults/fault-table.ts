import type { FaultKind, FaultTransport } from './fault-settings.ts'

type Row = {
  /** Where it can be made. */
  readonly transports: readonly FaultTransport[]
  /** Whether it can be made for the calls of one tool alone. */
  readonly perTool: boolean
}

const EVERYWHERE: readonly FaultTransport[] = ['stdio', 'http', 'sse', 'websocket', 'memory']

/** Which faults can be made on which transports of the server; `docs/faults.md` says what a client sees of each. */
export const FAULT_TABLE: Readonly<Record<FaultKind, Row>> = {
  delay: { transports: EVERYWHERE, perTool: true },
  drop: { transports: EVERYWHERE, perTool: true },
  duplicate: { transports: EVERYWHERE, perTool: true },
  reorder: { transports: EVERYWHERE, perTool: true },
  // In memory there are no frames that could end in the middle.
  cut: { transports: ['stdio', 'http', 'sse', 'websocket'], perTool: true },
  malformed: { transports: EVERYWHERE, perTool: true },
  'wrong-id': { transports: EVERYWHERE, perTool: true },
  // A WebSocket has a status at its handshake only, before any call.
  status: { transports: ['http', 'sse', 'websocket'], perTool: true },
  'session-loss': { transports: ['http', 'sse'], perTool: true },
  stall: { transports: EVERYWHERE, perTool: true },
  close: { transports: EVERYWHERE, perTool: true },
  'stderr-flood': { transports: ['stdio'], perTool: true },
}

/** Returns whether a fault can be made there; without a transport, whether anywhere. */
export function canBeMade(kind: FaultKind, transport: FaultTransport | undefined): boolean {
  return transport === undefined || FAULT_TABLE[kind].transports.includes(transport)
}
