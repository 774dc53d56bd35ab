import type { TrafficLog } from '../capture/traffic-log.ts'
import type { DocumentFile } from '../workspace/document-file.ts'
import type { SettingsDocument } from '../profile/settings.ts'
import type { AppInfo } from './contract/app.ts'
import type { AuthorizationService } from './authorization/authorization-service.ts'
import type { ConformanceService } from './conformance/conformance-service.ts'
import type { DefinitionsService } from './definitions/definitions-service.ts'
import type { EditorService } from './editor/editor-service.ts'
import type { EmbeddedServer } from './embedded/embedded-server.ts'
import type { EventHub } from './events/event-hub.ts'
import type { Notices } from './events/notices.ts'
import type { FaultsService } from './faults/faults-service.ts'
import type { MocksService } from './mocks/mocks-service.ts'
import type { Inbox } from './inbox/inbox.ts'
import type { Calls } from './inspect/calls.ts'
import type { OutputChecks } from './inspect/output-checks.ts'
import type { InstallService } from './install/install-service.ts'
import type { RecordingsService } from './recordings/recordings-service.ts'
import type { RegistryService } from './registry/registry-service.ts'
import type { ResponderStore } from './responders/responder-store.ts'
import type { RespondersService } from './responders/responders-service.ts'
import type { TapsService } from './taps/taps-service.ts'
import type { ServersService } from './servers/servers-service.ts'
import type { WindowStateStore } from './window-state/window-state-store.ts'

/** The parts that the procedures of the contract use. */
export type HostParts = {
  readonly info: () => AppInfo
  readonly settings: DocumentFile<SettingsDocument>
  readonly notices: Notices
  readonly events: EventHub
  readonly traffic: TrafficLog
  readonly recordings: RecordingsService
  readonly conformance: ConformanceService
  readonly definitions: DefinitionsService
  readonly servers: ServersService
  readonly calls: Calls
  readonly outputChecks: OutputChecks
  readonly authorizations: AuthorizationService
  readonly inbox: Inbox
  readonly responders: RespondersService
  readonly responderStore: ResponderStore
  readonly embedded: EmbeddedServer
  readonly registry: RegistryService
  readonly faults: FaultsService
  readonly mocks: MocksService
  readonly editor: EditorService
  readonly install: InstallService
  readonly taps: TapsService
  readonly windowState: WindowStateStore
}
