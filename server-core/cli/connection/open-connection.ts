import type { Connection } from '../../client/connect.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { writeNote } from '../output/output.ts'
import type { ClientSettings } from './client-flags.ts'
import { useServer } from './server-session.ts'

/** A connection that lasts until it is closed. */
export type OpenConnection = { readonly connection: Connection; readonly close: () => Promise<void> }

/** Connects to a server and lists its tools, so that results are checked. Rejects as `useServer` does. */
export async function openConnection(settings: ClientSettings, signal: AbortSignal): Promise<OpenConnection> {
  const opened = Promise.withResolvers<Connection>()
  const ending = Promise.withResolvers<void>()
  const used = useServer(settings, signal, async (connection) => {
    if (connection.capabilities['tools'] !== undefined) await connection.listTools({ signal })
    opened.resolve(connection)
    await ending.promise
  })
  used.catch((error: unknown) => {
    opened.reject(error)
  })
  const connection = await opened.promise
  return {
    connection,
    close: async () => {
      ending.resolve()
      await used.catch((error: unknown) => {
        writeNote(`patchbay: the connection did not close cleanly: ${messageOf(error)}`)
      })
    },
  }
}
