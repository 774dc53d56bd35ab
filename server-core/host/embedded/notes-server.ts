import { randomBytes } from 'node:crypto'
import { NOTES_INSTRUCTIONS } from '../../notes/notes-registry.ts'
import { startToolHost } from '../../scripts/tool-host-process.ts'
import { createServer } from '../../server/server.ts'
import { ListenError, startHttpListener } from '../../transports/http-listener.ts'
import type { TrafficLog } from '../../traffic/traffic-log.ts'
import type { SecretStore } from '../../workspace/secret-store.ts'
import { isUnreadableSecret } from '../../workspace/storage-error.ts'
import { HostError } from '../host-error.ts'
import type { ProcessStarter } from '../process-starter.ts'
import type { Identity } from '../servers/live-server.ts'
import { EMBEDDED_ID, EMBEDDED_NAME } from '../servers/embedded-identity.ts'
import type { Listen } from './embedded-server.ts'
import { foreignTap } from './foreign-tap.ts'

export type NotesOptions = {
  readonly identity: Identity
  readonly processStarter: ProcessStarter
  readonly toolHostEntry: string
  readonly secretStore: SecretStore
  readonly traffic: TrafficLog
  /** The `User-Agent` by which requests of our own window are known. */
  readonly ownUserAgent: string
}

export type NotesServer = { readonly listen: Listen; close(): Promise<void> }

const SEAL_KEY = 'embedded/seal-key'

/** The notes server with its handlers in a process of their own, ready to listen. Throws if that cannot start. */
export async function serveNotes(options: NotesOptions): Promise<NotesServer> {
  const { identity, traffic } = options
  const toolHost = await startToolHost({ starter: options.processStarter, entry: options.toolHostEntry })
  const server = createServer({
    registry: toolHost,
    info: { ...identity },
    instructions: NOTES_INSTRUCTIONS,
    sealKey: await sealKey(options.secretStore),
  })
  const tap = foreignTap(
    traffic.tap({ serverId: EMBEDDED_ID, serverName: EMBEDDED_NAME, side: 'server' }),
    (headers) => headers['user-agent'] === options.ownUserAgent,
  )
  return {
    listen: async (port, token) => {
      try {
        return await startHttpListener({ server, port, token, tap })
      } catch (error) {
        if (!(error instanceof ListenError)) throw error
        if (error.code === 'port-taken') return undefined
        throw new HostError('PORT_UNAVAILABLE', error.message, { cause: error })
      }
    },
    close: async () => {
      await server.close()
      // What it could not clean up ends with its process.
      await toolHost.stop().catch(() => undefined)
    },
  }
}

/**
 * What suspended runs are sealed with: stored, so that a restart can open what clients carry. While secrets cannot be
 * opened, a key for this run alone.
 */
async function sealKey(secretStore: SecretStore): Promise<Uint8Array> {
  const made = randomBytes(32)
  try {
    const stored = await secretStore.get(SEAL_KEY)
    if (stored !== undefined) return Buffer.from(stored, 'base64')
    await secretStore.set(SEAL_KEY, made.toString('base64'))
  } catch (error) {
    if (!isUnreadableSecret(error)) throw error
  }
  return made
}
