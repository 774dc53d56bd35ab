import { appContract, embeddedContract } from './app.ts'
import { authorizationContract } from './authorization.ts'
import { composerContract } from './composer.ts'
import { conformanceContract } from './conformance.ts'
import { definitionsContract } from './definitions.ts'
import { editorContract } from './editor.ts'
import { eventsContract } from './events.ts'
import { faultsContract } from './faults.ts'
import { mocksContract } from './mocks.ts'
import { inboxContract } from './inbox.ts'
import { inspectContract } from './inspect.ts'
import { inspectionContract } from './inspection.ts'
import { installContract } from './install.ts'
import { recordingsContract } from './recordings.ts'
import { registryContract } from './registry.ts'
import { respondersContract } from './responders.ts'
import { serversContract } from './servers.ts'
import { tapsContract } from './taps.ts'
import { tasksContract } from './tasks.ts'
import { trafficContract } from './traffic.ts'
import { windowStateContract } from './window-state.ts'

/**
 * The one API of the host. The window speaks it over the preload's bridge or a WebSocket. Whatever a user can do in
 * the window is a procedure here.
 */
export const contract = {
  app: appContract,
  embedded: embeddedContract,
  servers: serversContract,
  authorization: authorizationContract,
  registry: registryContract,
  faults: faultsContract,
  mocks: mocksContract,
  inspect: inspectContract,
  inspection: inspectionContract,
  composer: composerContract,
  tasks: tasksContract,
  inbox: inboxContract,
  install: installContract,
  responders: respondersContract,
  editor: editorContract,
  traffic: trafficContract,
  recordings: recordingsContract,
  taps: tapsContract,
  conformance: conformanceContract,
  definitions: definitionsContract,
  windowState: windowStateContract,
  events: eventsContract,
}
