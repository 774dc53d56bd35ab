import type { TrafficLog } from '../traffic/traffic-log.ts'
import type { DocumentFile } from '../workspace/document-file.ts'
import type { SettingsDocument } from '../workspace/settings.ts'
import type { AppInfo } from './contract/app.ts'
import type { AuthorizationRoom } from './authorization/authorization-room.ts'
import type { EditorRoom } from './editor/editor-room.ts'
import type { EmbeddedServer } from './embedded/embedded-server.ts'
import type { EventHub } from './events/event-hub.ts'
import type { Notices } from './events/notices.ts'
import type { FaultRoom } from './faults/fault-room.ts'
import type { HandmadeRoom } from './handmade/handmade-room.ts'
import type { Inbox } from './inbox/inbox.ts'
import type { Calls } from './inspect/calls.ts'
import type { OutputChecks } from './inspect/output-checks.ts'
import type { InstallRoom } from './install/install-room.ts'
import type { RegistryRoom } from './registry/registry-room.ts'
import type { ResponderBook } from './responders/responder-book.ts'
import type { ResponderRoom } from './responders/responder-room.ts'
import type { ServerRoom } from './servers/server-room.ts'

/** The parts that the procedures of the contract use. */
export type HostParts = {
  readonly info: () => AppInfo
  readonly settings: DocumentFile<SettingsDocument>
  readonly notices: Notices
  readonly events: EventHub
  readonly traffic: TrafficLog
  readonly servers: ServerRoom
  readonly calls: Calls
  readonly outputChecks: OutputChecks
  readonly authorizations: AuthorizationRoom
  readonly inbox: Inbox
  readonly responders: ResponderRoom
  readonly responderBook: ResponderBook
  readonly embedded: EmbeddedServer
  readonly registry: RegistryRoom
  readonly faults: FaultRoom
  readonly handmade: HandmadeRoom
  readonly editor: EditorRoom
  readonly install: InstallRoom
}
