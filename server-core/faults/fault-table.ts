import { TRANSPORT_KINDS, WIRE_TRANSPORTS } from '../protocol/transport-kind.ts'
import type { FaultKind, FaultTransport } from './fault-settings.ts'

type Row = {
  /** Where it can be made. */
  readonly transports: readonly FaultTransport[]
  /** Whether it can be made for the calls of one tool alone. */
  readonly perTool: boolean
}

/** Which faults can be made on which transports of the server; `docs/faults.md` says what a client sees of each. */
export const FAULT_TABLE: Readonly<Record<FaultKind, Row>> = {
  delay: { transports: TRANSPORT_KINDS, perTool: true },
  drop: { transports: TRANSPORT_KINDS, perTool: true },
  duplicate: { transports: TRANSPORT_KINDS, perTool: true },
  reorder: { transports: TRANSPORT_KINDS, perTool: true },
  // In memory there are no frames that could end in the middle.
  cut: { transports: WIRE_TRANSPORTS, perTool: true },
  malformed: { transports: TRANSPORT_KINDS, perTool: true },
  'wrong-id': { transports: TRANSPORT_KINDS, perTool: true },
  // A WebSocket has a status at its handshake only, before any call.
  status: { transports: ['http', 'sse', 'websocket'], perTool: true },
  'session-loss': { transports: ['http', 'sse'], perTool: true },
  stall: { transports: TRANSPORT_KINDS, perTool: true },
  close: { transports: TRANSPORT_KINDS, perTool: true },
  'stderr-flood': { transports: ['stdio'], perTool: true },
}

/** Returns whether a fault can be made there; without a transport, whether anywhere. */
export function canBeMade(kind: FaultKind, transport: FaultTransport | undefined): boolean {
  return transport === undefined || FAULT_TABLE[kind].transports.includes(transport)
}
