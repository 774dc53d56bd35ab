import type { TransportKind } from '../protocol/transport-kind.ts'
import { createHash, randomBytes } from 'node:crypto'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { TASKS_EXTENSION } from '../protocol/extension-ids.ts'
import { LIST_KINDS } from '../protocol/list-kind.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { ProcessRegistry } from '../processes/process-registry.ts'
import { ProcessJournal } from '../processes/process-journal.ts'
import { reapLeftovers } from '../processes/reaper.ts'
import type { AnswerParts } from '../mocks/answer-call.ts'
import { runAnswers } from '../mocks/run-answer.ts'
import type { NamedToken } from '../listener/bearer-token.ts'
import { readTokenList, TokenTextError } from '../listener/named-tokens.ts'
import { bothTaps } from '../capture/recording/both-taps.ts'
import { Redaction } from '../capture/redaction.ts'
import type { TapSource } from '../capture/row.ts'
import { TrafficLog } from '../capture/traffic-log.ts'
import type { Tap } from '../ports/tap.ts'
import { restoreTraffic } from '../recordings/store/restore-traffic.ts'
import { approvalKey } from '../profile/approvals.ts'
import { defaultProfile, profileFiles, type ProfileFiles, workspaceFile } from '../profile/profile-files.ts'
import type { SecretStore } from '../profile/secret-store.ts'
import { workspaceDocument } from '../workspace/server-entries.ts'
import { settingsFile } from '../profile/settings.ts'
import { startScriptHost } from '../scripts/start-script-host.ts'
import { renewSecretCopies } from '../profile/secret-files.ts'
import { tidyProfile } from '../profile/tidy-profile.ts'
import { typedCommand, type Installation } from '../product/installation.ts'
import type { ServerDraft } from '../profile/server-target.ts'
import { TrustStore } from '../profile/trust-store.ts'
import type { AppInfo } from './contract/app.ts'
import { AuthorizationService } from './authorization/authorization-service.ts'
import { ConformanceService } from './conformance/conformance-service.ts'
import { DefinitionsService } from './definitions/definitions-service.ts'
import { EditorService } from './editor/editor-service.ts'
import { EmbeddedServer } from './embedded/embedded-server.ts'
import { serveRegistry, type ServedRegistry } from './embedded/served-registry.ts'
import { FaultsService } from './faults/faults-service.ts'
import { MocksService } from './mocks/mocks-service.ts'
import { EventHub } from './events/event-hub.ts'
import { Notices } from './events/notices.ts'
import type { HostParts } from './host-parts.ts'
import { Inbox } from './inbox/inbox.ts'
import { openInBrowser } from './open-in-browser.ts'
import { Calls } from './inspect/calls.ts'
import { OutputChecks } from './inspect/output-checks.ts'
import type { Surroundings } from '../install/client-file.ts'
import { InstallService } from './install/install-service.ts'
import { launcherOf, thisMachine } from './install/launcher.ts'
import type { ProcessStarter } from '../processes/process-starter.ts'
import { createRouter, type HostRouter } from './router.ts'
import { workspaceSources } from './sources/workspace-sources.ts'
import { RegistryService } from './registry/registry-service.ts'
import { ResponderStore } from './responders/responder-store.ts'
import { RespondersService } from './responders/responders-service.ts'
import { TokenFile } from './responders/token-file.ts'
import { ServerStore } from '../profile/server-store.ts'
import { RecordingsService } from './recordings/recordings-service.ts'
import { EMBEDDED_ID, EMBEDDED_NAME } from './servers/embedded-identity.ts'
import { TapsService } from './taps/taps-service.ts'
import { watchStoredChanges } from '../profile/stored-changes.ts'
import { ServersService } from './servers/servers-service.ts'
import { openTypedServer } from './servers/typed-server.ts'
import { CallFiles } from './window-state/call-files.ts'
import { WindowStateStore } from './window-state/window-state-store.ts'
import { makeFolder } from '../workspace/make-folder.ts'
import { messageOf } from '../protocol/error-message.ts'

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
  /** Creates the secret store, which may report a problem with its file. */
  readonly secretStore: (notices: Notices) => SecretStore | Promise<SecretStore>
  /** Makes what starts our processes; it writes them down in the book. */
  readonly processStarter: (store: ProcessRegistry) => ProcessStarter
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
  /** How this copy of Patchbay was installed; a clone unless given. */
  readonly installation?: Installation
  /** Where the files of other clients are looked for; on this machine unless given. */
  readonly surroundings?: Surroundings
  /** Clients with a token of their own for the embedded server: `NAME:TOKEN`, separated by commas. */
  readonly namedTokens?: string
  /** Opens an address in the user's browser; the system's default one unless given. */
  readonly openUrl?: (href: string) => Promise<void>
  readonly version: string
}

export type Host = {
  readonly router: HostRouter
  /** Resolves when the workspace is open, or takes long, and the embedded server listens. Pages may come before. */
  readonly ready: Promise<void>
  /**
   * Has the pages come forward, for another start on this profile. A workspace that it named is opened as if the user
   * had opened it in the window, which asks whether it is trusted; if that fails, a notice says why.
   */
  activate(workspace?: string): void
  /** Stores, approves and connects a server that the user typed on a command line. Returns its id. */
  openServer(draft: ServerDraft): Promise<string>
  /** Ends connections, listeners and processes. Everything saved is saved already. */
  close(): Promise<void>
}

/** Milliseconds that the window waits for the scripts of the workspace. */
const OPENING_MS = 3_000

const SWITCHED_OFF =
  'Patchbay is switched off: nothing is served until it is switched on in its window, under "This app"'

/** Puts the parts together and starts the embedded server, connected to ourselves. */
export async function createHost(options: HostOptions): Promise<Host> {
  const files = profileFiles(options.profile)
  await makeFolder(files.folder, 0o700)
  const workspace = path.resolve(options.workspace ?? files.defaultWorkspace)
  await makeFolder(workspace, 0o700)

  const events = new EventHub()
  const notices = new Notices(() => events.publish({ type: 'part', part: 'notices' }))
  // Killed, we could end nothing; what the guards missed is ended now, beside everything else.
  const reaping = reapLeftovers(files.processes).then((reaped) => notices.addReaped(reaped))
  const journal = await ProcessJournal.begin(files.processes, (error) => notices.addUnkeptProcesses(error))
  const starter = options.processStarter(journal)
  const secretStore = await options.secretStore(notices)
  const settings = settingsFile(files.settings, (setAside) => notices.addSetAside(setAside))
  const redaction = new Redaction()
  const traffic = new TrafficLog({ redaction })
  const recordings = await RecordingsService.start({
    folder: files.recordings,
    settings,
    redaction,
    workspace: () => registry.folder,
    onTrouble: (detail) =>
      notices.addOnce({ tone: 'warning', title: 'Traffic is not recorded completely', detail }),
    onExportTrouble: (detail) =>
      notices.addOnce({ tone: 'warning', title: 'Spans are not exported', detail }),
  })
  await restoreTraffic(recordings.recorder.store, traffic)
  const tapOf = (source: TapSource, transport: TransportKind): Tap =>
    bothTaps(traffic.tap(source), recordings.tap(source, transport))
  const stopTraffic = traffic.subscribe((change) => events.publish({ type: 'traffic', ...change }))
  const identity = { name: 'patchbay', title: 'Patchbay', version: options.version }

  const ownUserAgent = `Patchbay/${options.version} (window ${randomBytes(8).toString('hex')})`
  const faults = new FaultsService({
    document: () => (registry.mayRun ? documentOf(registry.folder) : undefined),
    changed: () => events.publish({ type: 'part', part: 'faults' }),
  })
  const mocks = new MocksService({
    workspace: () => registry.live,
    answers: () => (registry.live === undefined ? {} : answersOf(registry.folder)),
    changed: () => events.publish({ type: 'part', part: 'mocks' }),
  })
  const documentOf = (folder: string) =>
    workspaceDocument(workspaceFile(folder), (setAside) => notices.addSetAside(setAside))
  const answersOf = (folder: string): AnswerParts => ({
    run: runAnswers(folder, { starter, entry: options.responderScriptEntry }),
  })
  const scriptHostOf = (folder: string) =>
    startScriptHost({
      folder,
      starter,
      modules: options.scriptModules,
      otherBundles: files.bundles,
    })
  const registry: RegistryService = new RegistryService({
    defaultFolder: files.defaultWorkspace,
    ...(options.workspace !== undefined && { named: workspace }),
    ...(options.defaultWorkspace !== undefined && { defaultWorkspace: options.defaultWorkspace }),
    ...(options.types !== undefined && { types: options.types }),
    settings,
    trust: new TrustStore(files.trust, (setAside) => notices.addSetAside(setAside)),
    documentOf,
    scriptHostOf,
    configure: workspaceSources({
      identity,
      transportsFor: (server) => servers.transportsFor(server),
      mayRun: (folder) => registry.isTrusted(folder),
      scriptHostOf,
      documentOf,
    }),
    answers: answersOf,
    masking: traffic.masking,
    onFolder: async (folder) => {
      mocks.refresh()
      await Promise.all([editor.open(folder), faults.load()])
    },
    changed: () => {
      events.publish({ type: 'part', part: 'registry' })
      mocks.refresh()
      faults.refresh(registry.live?.document)
    },
    active: (keys) => events.publish({ type: 'registry-activity', keys }),
    logged: (log) => events.publish({ type: 'script-log', log }),
  })
  const namedTokens = tokensOf(options.namedTokens, notices)
  let served: ServedRegistry | undefined
  const embedded = new EmbeddedServer({
    settings,
    secretStore,
    ...(options.mcpPort !== undefined && { mcpPort: options.mcpPort }),
    ownHeaders: [{ name: 'User-Agent', value: ownUserAgent }],
    ...(namedTokens.length > 0 && { namedTokens }),
    listen: async (port, tokens) => {
      served ??= await serveRegistry({
        registry: registry.registry,
        identity,
        instructions: () => registry.instructions,
        secretStore,
        tap: tapOf({ serverId: EMBEDDED_ID, serverName: EMBEDDED_NAME, side: 'server' }, 'http'),
        onSecret: (secret) => traffic.redact(secret),
        faults: faults.control,
        ownUserAgent,
        clientsChanged: () => registry.publish(),
        clientsActive: () => registry.publishActivity(),
        off: () => (registry.registry.isOn ? undefined : SWITCHED_OFF),
      })
      registry.serveTo(served.clients)
      return served.listen(port, tokens)
    },
    onChange: () => events.publish({ type: 'part', part: 'embedded' }),
  })
  const store = new ServerStore({
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
  const responderStore = new ResponderStore({
    file: files.responders,
    secretStore,
    onSetAside: (setAside) => notices.addSetAside(setAside),
  })
  const tokens = new TokenFile(files.tokens, (setAside) => notices.addSetAside(setAside))
  await tokens.load()
  const responders = new RespondersService({
    store: responderStore,
    tokens,
    inbox,
    starter,
    scriptEntry: options.responderScriptEntry,
    rootsChanged: (id) => servers.notifyRootsChanged(id),
    keyOf: (id) => (id === EMBEDDED_ID ? id : approvalKey(workspaceFile(workspace), id)),
  })
  const authorizations = new AuthorizationService({
    secretStore,
    keyOf: (id) => approvalKey(workspaceFile(workspace), id),
    openUrl: options.openUrl ?? openInBrowser,
    changed: () => events.publish({ type: 'part', part: 'authorizations' }),
    onSecret: (secret) => traffic.redact(secret),
    tapOf: (id) => tapOf({ serverId: id, serverName: servers.state(id).name, side: 'client' }, 'http'),
    target: (id) => servers.approvedTarget(id),
    connect: (id) => servers.connect(id),
  })
  const closing = new AbortController()
  const tidying = tidy(files, closing.signal, notices)
  const servers: ServersService = new ServersService({
    store: store,
    processes: journal,
    traffic,
    tapOf,
    events,
    identity,
    declaration: { identity, capabilities: withTasks(responders.capabilities) },
    outputChecks,
    answering: (server) => responders.connect(server),
    authorizationFor: (id, target) => authorizations.forTarget(id, target),
    embeddedTarget: () => embedded.target(),
    ...(startFolder !== undefined && { startFolder }),
  })
  const conformance = new ConformanceService({
    folder: files.conformance,
    approved: (id) => servers.startable(id),
    reachedAt: (id) => servers.reachedAt(id),
    keyOf: (id) => approvalKey(workspaceFile(workspace), id),
    words: (name) => [
      '--server',
      name,
      ...(files.folder === defaultProfile() ? [] : ['--profile', files.folder]),
      ...(options.workspace === undefined ? [] : ['--workspace', workspace]),
    ],
    program: typedProgram(options.installation),
    masking: traffic.masking,
    processes: journal,
    version: options.version,
    changed: () => events.publish({ type: 'part', part: 'conformance' }),
    onSetAside: (setAside) => notices.addSetAside(setAside),
  })
  const definitions = new DefinitionsService({
    folder: path.join(files.conformance, 'definitions'),
    keyOf: (id) => approvalKey(workspaceFile(workspace), id),
    lists: (id) =>
      servers
        .live(id)
        .inspection.lists.read(servers.connection(id), { kinds: LIST_KINDS, signal: undefined }),
    onSetAside: (setAside) => notices.addSetAside(setAside),
  })
  const editor = new EditorService({
    folder: workspace,
    drafts: files.drafts,
    isTrusted: (folder) => registry.isTrusted(folder),
    processes: journal,
  })
  const launcher = launcherOf(
    options.cliEntry ?? path.join(import.meta.dirname, '..', 'cli', 'patchbay.ts'),
    options.installation,
  )
  const surroundings = options.surroundings ?? thisMachine()
  const taps = new TapsService({
    files,
    traffic,
    launcher,
    surroundings,
    onSetAside: (setAside) => notices.addSetAside(setAside),
    changed: () => events.publish({ type: 'part', part: 'taps' }),
  })
  const install = new InstallService({
    store: store,
    workspace,
    served: () => ({ folder: registry.folder, isUsual: registry.folder === files.defaultWorkspace }),
    mayRun: (folder) => registry.isTrusted(folder),
    profile: files.folder,
    launcher,
    identity,
    surroundings,
    addServer: (draft) => servers.add(draft, 'imported'),
  })
  const info = (): AppInfo => ({
    name: 'Patchbay',
    version: options.version,
    mode: options.mode,
    platform: process.platform,
    profile: files.folder,
    isUsualProfile: files.folder === defaultProfile(),
    workspace,
    startFolder: startFolder ?? workspace,
    command: typedProgram(options.installation),
    secrets: secretStore.description,
    notices: notices.list(),
  })
  const stateFolder = path.join(
    files.windowState,
    createHash('sha256').update(workspace).digest('hex').slice(0, 32),
  )
  const masks = () => recordings.recorder.masks
  const windowState = new WindowStateStore({
    file: path.join(stateFolder, 'state.json'),
    workspace,
    masks,
    onSetAside: (setAside) => notices.addSetAside(setAside),
  })
  const callFiles = new CallFiles({
    folder: path.join(stateFolder, 'calls'),
    masks,
    onSetAside: (setAside) => notices.addSetAside(setAside),
    onTrouble: (detail) =>
      notices.addOnce({ tone: 'warning', title: 'Calls are not stored beyond this run', detail }),
  })
  const parts: HostParts = {
    info,
    settings,
    notices,
    events,
    traffic,
    recordings,
    conformance,
    definitions,
    servers,
    outputChecks,
    embedded,
    calls: new Calls({
      files: callFiles,
      isRecorded: (serverId) => recordings.recorder.isRecorded(serverId),
      traffic,
      events,
      outputChecks,
      questions: {
        measureWait: (serverId) => inbox.measureWait(serverId),
        urlRequired: ({ serverId, callId }, failed) =>
          responders.urlRequired({ id: serverId, name: servers.state(serverId).name }, { ...failed, callId }),
      },
      activeFaults: (serverId) => (serverId === EMBEDDED_ID ? faults.control.active : 0),
    }),
    authorizations,
    inbox,
    responders,
    responderStore: responderStore,
    registry,
    faults,
    mocks,
    editor,
    install,
    taps,
    windowState,
  }
  events.connect({
    servers: () => servers.states(),
    notices: () => notices.list(),
    embedded: () => embedded.state(),
    inspections: () => servers.inspections(),
    latencies: () => servers.latencies(),
    tasks: () => servers.tasks(),
    inbox: () => inbox.list(),
    authorizations: () => authorizations.states(),
    registry: () => registry.state(),
    registryActivity: (keys) => registry.activity(keys),
    faults: () => faults.state(),
    mocks: () => mocks.state(),
    taps: () => taps.state(),
    conformance: () => conformance.state(),
    counts: () => traffic.counts(),
    rows: () => traffic.shownRows(),
  })
  const opening = registry.start().catch((error: unknown) => {
    const detail = messageOf(error)
    notices.add({ tone: 'error', title: 'The workspace could not be opened', detail })
  })
  const openWorkspace = (folder: string): void => {
    registry.openWorkspace(folder).catch((error: unknown) => {
      const detail = messageOf(error)
      notices.add({ tone: 'error', title: `The workspace ${folder} could not be opened`, detail })
    })
  }
  await taps.start().catch((error: unknown) => {
    const detail = messageOf(error)
    notices.add({ tone: 'warning', title: 'Taps cannot reach this window', detail })
  })
  await store.settle()
  await servers.refresh()
  const refreshFromDisk = (): void => {
    servers.refreshFromDisk().catch((error: unknown) => {
      const detail = messageOf(error)
      notices.add({ tone: 'error', title: 'The stored servers could not be read', detail })
    })
  }
  const stopWatching = watchStoredChanges([workspaceFile(workspace), files.approvals], refreshFromDisk)
  const startEmbedded = async (): Promise<void> => {
    try {
      // A workspace that takes longer is served as it comes.
      await Promise.race([opening, wait(OPENING_MS)])
      await embedded.start()
      if (embedded.target() !== undefined) await servers.connect(EMBEDDED_ID)
    } catch (error) {
      // Everything else works without it.
      const detail = messageOf(error)
      notices.add({ tone: 'error', title: 'The server of this app could not be started', detail })
    }
  }
  const ready = startEmbedded()
  return {
    router: createRouter(parts),
    ready,
    activate: (asked) => {
      if (asked !== undefined) openWorkspace(asked)
      events.publish({ type: 'activate' })
    },
    openServer: (draft) => openTypedServer(servers, draft),
    close: async () => {
      await ready
      events.close()
      stopTraffic()
      await (
        await stopWatching
      )()
      await conformance.close()
      await editor.close()
      await servers.close()
      closing.abort()
      await tidying
      await reaping
      await authorizations.close()
      await embedded.close()
      await served?.close()
      await registry.close()
      await taps.close()
      await recordings.close()
      await windowState.close()
      await callFiles.close()
      journal.close()
    },
  }
}

/** What is typed before the name of a command. */
function typedProgram(installation: Installation | undefined): string {
  return installation === undefined ? 'npm run -s patchbay --' : typedCommand(installation)
}

/** Removes from the profile what killed runs and older versions left. Everything else goes on meanwhile. */
async function tidy(files: ProfileFiles, signal: AbortSignal, notices: Notices): Promise<void> {
  try {
    await renewSecretCopies([files.secrets, files.sealedSecrets])
    await tidyProfile(files.folder, signal)
  } catch (error) {
    const detail = messageOf(error)
    notices.add({ tone: 'warning', title: 'Leftover files in the profile could not be removed', detail })
  }
}

/** The tokens of the variable, or a notice of what is wrong with it. */
function tokensOf(text: string | undefined, notices: Notices): readonly NamedToken[] {
  if (text === undefined) return []
  try {
    return readTokenList(text, 'PATCHBAY_TOKENS')
  } catch (error) {
    if (!(error instanceof TokenTextError)) throw error
    notices.add({ tone: 'error', title: 'Named tokens are not used', detail: error.message })
    return []
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
