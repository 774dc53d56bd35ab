import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import type { contract } from '../../server-core/host/contract/contract.ts'
import { bridgeCarrier, desktopBridge } from './bridge-port.ts'
import type { HostCarrier } from './port.ts'
import { HostSession } from './session.ts'
import { socketCarrier } from './socket-port.ts'
import { takeWindowToken } from './window-token.ts'

export type HostApi = ContractRouterClient<typeof contract>

function carrierOfThisPage(): HostCarrier {
  const bridge = desktopBridge()
  if (bridge !== undefined) return bridgeCarrier(bridge)
  return socketCarrier(location.origin, takeWindowToken(globalThis))
}

/** The one connection of this page; `main.tsx` starts it. */
export const hostSession = new HostSession(carrierOfThisPage())

/** Everything a user can do, typed by the contract: `await api.servers.connect({ id })`. */
export const api: HostApi = createORPCClient(hostSession.link)

/** The same for React Query: `useQuery(query.inspect.lists.queryOptions({ input: { serverId } }))`. */
export const query = createTanstackQueryUtils(api)
