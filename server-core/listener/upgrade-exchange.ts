import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ListenerExchange } from './listener-exchange.ts'

/** The exchange of a request to open a WebSocket, which `node:http` alone serves. */
export type UpgradeExchange = ListenerExchange<IncomingMessage, ServerResponse>
