import type { SecretStore } from '../../workspace/secret-store.ts'
import type { TrafficLog } from '../../traffic/traffic-log.ts'
import type { ProcessStarter } from '../process-starter.ts'
import type { Identity } from '../servers/live-server.ts'
import type { Listen } from './embedded-server.ts'

export type NotesOptions = {
  readonly identity: Identity
  readonly processStarter: ProcessStarter
  readonly toolHostEntry: string
  readonly secretStore: SecretStore
  readonly traffic: TrafficLog
}

export type NotesServer = { readonly listen: Listen; close(): Promise<void> }

export function serveNotes(_options: NotesOptions): Promise<NotesServer> {
  return Promise.resolve({
    listen: () => Promise.reject(new Error('the parts of the embedded server are not there yet')),
    close: () => Promise.resolve(),
  })
}
