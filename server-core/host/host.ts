import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { TASKS_EXTENSION } from '../client/extension.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { ProcessJournal } from '../processes/process-journal.ts'
import { reapLeftovers } from '../processes/reaper.ts'
import type { AnswerParts } from '../handmade/answer-call.ts'
import { runAnswers } from '../handmade/run-answer.ts'
import { TrafficLog } from '../traffic/traffic-log.ts'
import { approvalKey } from '../workspace/approvals.ts'
import { profileFiles, workspaceFile } from '../workspace/profile.ts'
import type { SecretStore } from '../workspace/secret-store.ts'
import { workspaceDocument } from '../workspace/server-entries.ts'
import { settingsFile } from '../workspace/settings.ts'
import { startScriptHost } from '../scripts/start-script-host.ts'
import { TrustBook } from '../workspace/trust-book.ts'
import type { AppInfo } from './contract/app.ts'
import { AuthorizationRoom } from './authorization/authorization-room.ts'
import { EditorRoom } from './editor/editor-room.ts'
import { EmbeddedServer } from './embedded/embedded-server.ts'
import { serveRegistry, type ServedRegistry } from './embedded/served-registry.ts'
import { FaultRoom } from './faults/fault-room.ts'
import { HandmadeRoom } from './handmade/handmade-room.ts'
import { EventHub } from './events/event-hub.ts'
import { Notices } from './events/notices.ts'
import type { HostParts } from './host-parts.ts'
import { Inbox } from './inbox/inbox.ts'
import { openInBrowser } from './open-in-browser.ts'
import { Calls } from './inspect/calls.ts'
import { OutputChecks } from './inspect/output-checks.ts'
import type { Surroundings } from '../install/client-file.ts'
import { InstallRoom } from './install/install-room.ts'
import { launcherOf, thisMachine } from './install/launcher.ts'
import type { ProcessStarter } from './process-starter.ts'
import { createRouter, type HostRouter } from './router.ts'
import { workspaceSources } from './composition/workspace-sources.ts'
import { RegistryRoom } from './registry/registry-room.ts'
import { ResponderBook } from './responders/responder-book.ts'
import { ResponderRoom } from './responders/responder-room.ts'
import { TokenFile } from './responders/token-file.ts'
import { ServerBook } from './servers/server-book.ts'
import { EMBEDDED_ID } from './servers/embedded-identity.ts'
import { ServerRoom } from './servers/server-room.ts'

export type HostOptions = {
  /** The user's data folder; made if it is not there. */
  readonly profile: string
  /** The folder with `patchbay.json`; the profile has one for when none is named. */
  readonly workspace?: string
  /** Absolute path: where commands that name no folder start if no workspace is named either. */
  readonly startFolder?: string
  readonly mode: AppInfo['mode']
  /** Port of the embedded server for this run; 0 means any. */
  readonly mcpPort?: number
  /** Makes the secret store, which may have something to tell about its file. */
  readonly secretStore: (notices: Notices) => SecretStore | Promise<SecretStore>
  readonly processStarter: ProcessStarter
  /** Absolute path of the folder with the modules that run tool scripts. */
  readonly scriptModules: string
  /** Absolute path of the workspace that is copied into the profile at the first start. */
  readonly defaultWorkspace?: string
  /** Absolute path of the declarations that are written into workspaces. */
  readonly types?: string
  /** Absolute path of the module that runs scripts which answer questions. */
  readonly responderScriptEntry: string
  /** Absolute path of the command line, which other clients start; that of the sources unless given. */
  readonly cliEntry?: string
  /** Where the files of other clients are looked for; on this machine unless given. */
  readonly surroundings?: Surroundings
  /** Opens an address in the user's browser; the system's default one unless given. */
  readonly openUrl?: (href: string) => Promise<void>
  readonly version: string
  /** A second start asked for the window to come forward. */
  readonly onActivate?: () => void
}

export type Host = {
  readonly router: HostRouter
  /** Tells the pages to come forward. */
  activate(): void
  /** Ends connections, listeners and processes. Everything saved is saved already. */
  close(): Promise<void>
}

/** Milliseconds that the window waits for the scripts of the workspace. */
const OPENING_MS = 3_000

/** Puts the parts together and starts the embedded server, connected to ourselves. */
export async function createHost(options: HostOptions): Promise<Host> {
  const files = profileFiles(options.profile)
  await mkdir(files.folder, { recursive: true, mode: 0o700 })
  const workspace = path.resolve(options.workspace ?? files.defaultWorkspace)
  await mkdir(workspace, { recursive: true, mode: 0o700 })

  const events = new EventHub()
  const notices = new Notices(() => events.publish({ type: 'part', part: 'notices' }))
  const secretStore = await options.secretStore(notices)
  const settings = settingsFile(files.settings, (setAside) => notices.addSetAside(setAside))
  const traffic = new TrafficLog()
  const stopTraffic = traffic.subscribe((change) => events.publish({ type: 'traffic', ...change }))
  const identity = { name: 'patchbay', title: 'Patchbay', version: options.version }

  const ownUserAgent = `Patchbay/${options.version} (window ${randomBytes(8).toString('hex')})`
  const faults = new FaultRoom({
    document: () => (registry.mayRun ? documentOf(registry.folder) : undefined),
    changed: () => events.publish({ type: 'part', part: 'faults' }),
  })
  const handmade = new HandmadeRoom({
    workspace: () => registry.live,
    answers: () => (registry.live === undefined ? {} : answersOf(registry.folder)),
    changed: () => events.publish({ type: 'part', part: 'handmade' }),
  })
  const documentOf = (folder: string) =>
    workspaceDocument(workspaceFile(folder), (setAside) => notices.addSetAside(setAside))
  const answersOf = (folder: string): AnswerParts => ({
    run: runAnswers(folder, { starter: options.processStarter, entry: options.responderScriptEntry }),
  })
  const scriptHostOf = (folder: string) =>
    startScriptHost({
      folder,
      starter: options.processStarter,
      modules: options.scriptModules,
      otherBundles: files.bundles,
    })
  const registry: RegistryRoom = new RegistryRoom({
    defaultFolder: files.defaultWorkspace,
    ...(options.workspace !== undefined && { named: workspace }),
    ...(options.defaultWorkspace !== undefined && { defaultWorkspace: options.defaultWorkspace }),
    ...(options.types !== undefined && { types: options.types }),
    settings,
    trust: new TrustBook(files.trust, (setAside) => notices.addSetAside(setAside)),
    documentOf,
    scriptHostOf,
    configure: workspaceSources({
      identity,
      waysTo: (server) => servers.waysTo(server),
      mayRun: (folder) => registry.isTrusted(folder),
      scriptHostOf,
      documentOf,
    }),
    answers: answersOf,
    masking: traffic.masking,
    onFolder: async (folder) => {
      handmade.refresh()
      await Promise.all([editor.open(folder), faults.load()])
    },
    changed: () => {
      events.publish({ type: 'part', part: 'registry' })
      handmade.refresh()
      faults.refresh(registry.live?.document)
    },
    logged: (lines) => events.publish({ type: 'script-log', lines }),
  })
  let served: ServedRegistry | undefined
  const embedded = new EmbeddedServer({
    settings,
    secretStore,
    ...(options.mcpPort !== undefined && { mcpPort: options.mcpPort }),
    ownHeaders: [{ name: 'User-Agent', value: ownUserAgent }],
    listen: async (port, token) => {
      served ??= await serveRegistry({
        registry: registry.registry,
        identity,
        instructions: () => registry.instructions,
        secretStore,
        traffic,
        faults: faults.control,
        ownUserAgent,
        clientsChanged: () => registry.tell(),
      })
      registry.serveTo(served.clients)
      return served.listen(port, token)
    },
    onChange: () => events.publish({ type: 'part', part: 'embedded' }),
  })
  const book = new ServerBook({
    file: workspaceFile(workspace),
    approvalsFile: files.approvals,
    secretStore,
    folder: workspace,
    onSetAside: (setAside) => notices.addSetAside(setAside),
  })
  // In a workspace that the user named, an entry without a folder starts there.
  const startFolder = options.workspace === undefined ? options.startFolder : undefined
  const outputChecks = new OutputChecks()
  const inbox = new Inbox({
    traffic,
    changed: () => events.publish({ type: 'part', part: 'inbox' }),
    openUrl: options.openUrl ?? openInBrowser,
  })
  const responderBook = new ResponderBook({
    file: files.responders,
    secretStore,
    onSetAside: (setAside) => notices.addSetAside(setAside),
  })
  const tokens = new TokenFile(files.tokens, (setAside) => notices.addSetAside(setAside))
  await tokens.load()
  const responders = new ResponderRoom({
    book: responderBook,
    tokens,
    inbox,
    starter: options.processStarter,
    scriptEntry: options.responderScriptEntry,
    rootsChanged: (id) => servers.tellRootsChanged(id),
    keyOf: (id) => (id === EMBEDDED_ID ? id : approvalKey(workspaceFile(workspace), id)),
  })
  const authorizations = new AuthorizationRoom({
    secretStore,
    keyOf: (id) => approvalKey(workspaceFile(workspace), id),
    openUrl: options.openUrl ?? openInBrowser,
    changed: () => events.publish({ type: 'part', part: 'authorizations' }),
    onSecret: (secret) => void traffic.redact(secret),
    target: (id) => servers.approvedTarget(id),
    connect: (id) => servers.connect(id),
  })
  // Killed, we could end nothing; what the guards missed is ended now, beside everything else.
  const reaping = reapLeftovers(files.processes).then((reaped) => notices.addReaped(reaped))
  const journal = await ProcessJournal.begin(files.processes, (error) => notices.addUnkeptProcesses(error))
  const servers: ServerRoom = new ServerRoom({
    book,
    processes: journal,
    traffic,
    events,
    identity,
    declaration: { identity, capabilities: withTasks(responders.capabilities) },
    outputChecks,
    answering: (server) => responders.connect(server),
    authorizationFor: (id, target) => authorizations.forTarget(id, target),
    embeddedTarget: () => embedded.target(),
    ...(startFolder !== undefined && { startFolder }),
  })
  const editor = new EditorRoom({
    folder: workspace,
    drafts: files.drafts,
    isTrusted: (folder) => registry.isTrusted(folder),
    processes: journal,
  })
  const install = new InstallRoom({
    book,
    workspace: { folder: workspace, isUsual: options.workspace === undefined },
    served: () => ({ folder: registry.folder, isUsual: registry.folder === files.defaultWorkspace }),
    mayRun: (folder) => registry.isTrusted(folder),
    profile: files.folder,
    launcher: launcherOf(options.cliEntry ?? path.join(import.meta.dirname, '..', 'cli', 'patchbay.ts')),
    identity,
    surroundings: options.surroundings ?? thisMachine(),
    addServer: (draft) => servers.add(draft, 'imported'),
  })
  const info = (): AppInfo => ({
    name: 'Patchbay',
    version: options.version,
    mode: options.mode,
    platform: process.platform,
    profile: files.folder,
    workspace,
    startFolder: startFolder ?? workspace,
    secrets: secretStore.description,
    notices: notices.list(),
  })
  const parts: HostParts = {
    info,
    settings,
    notices,
    events,
    traffic,
    servers,
    outputChecks,
    embedded,
    calls: new Calls(traffic, events, outputChecks, {
      open: (serverId) => inbox.openQuestionsOf(serverId),
      urlRequired: ({ serverId, callId }, failed) =>
        responders.urlRequired({ id: serverId, name: servers.state(serverId).name }, { ...failed, callId }),
    }),
    authorizations,
    inbox,
    responders,
    responderBook,
    registry,
    faults,
    handmade,
    editor,
    install,
  }
  events.connect({
    servers: () => servers.states(),
    notices: () => notices.list(),
    embedded: () => embedded.state(),
    inspections: () => servers.inspections(),
    tasks: () => servers.tasks(),
    inbox: () => inbox.list(),
    authorizations: () => authorizations.states(),
    registry: () => registry.state(),
    faults: () => faults.state(),
    handmade: () => handmade.state(),
    counts: () => traffic.counts(),
    exchanges: () => traffic.rows(),
  })
  const opening = registry.start().catch((error: unknown) => {
    const detail = error instanceof Error ? error.message : String(error)
    notices.add({ tone: 'error', title: 'The workspace could not be opened', detail })
  })
  await book.settle()
  await servers.refresh()
  try {
    // A workspace that takes longer is served as it comes.
    await Promise.race([opening, wait(OPENING_MS)])
    await embedded.start()
    if (embedded.target() !== undefined) await servers.connect(EMBEDDED_ID)
  } catch (error) {
    // Everything else works without it.
    const detail = error instanceof Error ? error.message : String(error)
    notices.add({ tone: 'error', title: 'The server of this app could not be started', detail })
  }
  return {
    router: createRouter(parts),
    activate: () => {
      events.publish({ type: 'part', part: 'activate' })
      options.onActivate?.()
    },
    close: async () => {
      events.close()
      stopTraffic()
      await editor.close()
      await servers.close()
      await reaping
      journal.close()
      await authorizations.close()
      await embedded.close()
      await served?.close()
      await registry.close()
    },
  }
}

/** Calls may turn into tasks, where the server wants that (extension `io.modelcontextprotocol/tasks`). */
function withTasks(capabilities: JsonObject): JsonObject {
  const { extensions } = capabilities
  return {
    ...capabilities,
    extensions: { ...(isJsonObject(extensions) && extensions), [TASKS_EXTENSION]: {} },
  }
}
