import type { ClientTransport } from '../../transports/contract.ts'

/** The transport itself: every process that is started has its guard. */
export const guardedTransport = (transport: ClientTransport): ClientTransport => transport
