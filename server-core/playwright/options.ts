import type { TransportKind } from '../protocol/transport-kind.ts'
import type { FaultSettings } from '../faults/fault-settings.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { McpServer } from '../server/server.ts'

/** A program that is started for the test, and ended after it. */
export type CommandServer = {
  /** A program on PATH, or a path. It is started without a shell. */
  readonly command: string
  readonly args?: readonly string[]
  /** Variables beside the few that are inherited (`PATH`, `HOME` and the like). */
  readonly env?: Readonly<Record<string, string>>
  /** The folder it starts in; that of the configuration unless given. */
  readonly cwd?: string
  /**
   * Where it listens. Without a URL the program speaks over stdin and stdout. `{port}` here, in `args` and in `env` is
   * replaced by a free port, so that tests can run in parallel.
   */
  readonly url?: string
}

/** A server that runs already. */
export type RemoteServer = {
  /** `http:`, `https:`, `ws:` or `wss:`. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A folder with a Patchbay workspace, served as `patchbay serve FOLDER --trust` serves it. */
export type WorkspaceServer = {
  readonly workspace: string
  readonly env?: Readonly<Record<string, string>>
}

/** A server that answers as the one of a recording did; see docs/recordings.md. */
export type RecordedServerOption = {
  /** The file or folder of the recording; relative to the folder of the configuration. */
  readonly recording: string
  /** What makes a call the same as a recorded one; `exact` unless given. */
  readonly match?: 'exact' | 'shape' | 'target'
  /** Each recorded answer is given once; else the last one is repeated. */
  readonly once?: boolean
  /** Recorded delays times this; 0 unless given. */
  readonly latency?: number
}

/** A server object of the official SDK (v1 or v2): `McpServer` or `Server`. */
export type SdkServer = {
  connect(transport: never): Promise<void>
  close(): Promise<void>
}

/** A server in this process. With `create`, each connection gets a server of its own. */
export type MemoryServer = SdkServer | McpServer | { readonly create: () => SdkServer | McpServer }

/** Where the server under test is. */
export type ServerOption =
  CommandServer | RemoteServer | WorkspaceServer | RecordedServerOption | MemoryServer

/** How requests over HTTP are authorized. */
export type AuthorizationOption =
  | { readonly bearer: string }
  | { readonly username: string; readonly password: string }
  /** The OAuth grant `client_credentials`: the authorization server is found as the specification says. */
  | { readonly clientId: string; readonly clientSecret: string; readonly scopes?: readonly string[] }

/** Faults that are injected into what the server sends: see docs/faults.md for the rules. */
export type FaultOption = {
  readonly rules: readonly FaultRuleInput[]
  /** The same seed injects the same faults. */
  readonly seed?: number
}

/** One rule; `id` is its kind unless given. */
export type FaultRuleInput = {
  readonly [Kind in FaultSettings['rules'][number]['kind']]: {
    readonly kind: Kind
    readonly id?: string
    /** Answers to calls of one tool, or one transport; everything unless given. */
    readonly where?: { readonly tool?: string; readonly transport?: TransportKind }
    /** From 0 to 1; always unless given. */
    readonly probability?: number
  } & Partial<
    Omit<
      Extract<FaultSettings['rules'][number], { kind: Kind }>,
      'kind' | 'id' | 'where' | 'probability' | 'enabled'
    >
  >
}[FaultSettings['rules'][number]['kind']]

/** When the recording of a test is attached to it. */
export type RecordingMode = 'on' | 'off' | 'retain-on-failure'

/** Options of a test, for `test.use` and `use` of the configuration. */
export type McpOptions = {
  /** The server under test. */
  server: ServerOption | undefined
  /** The revision to speak, or `auto`: the newest that both speak. */
  revision: Revision | 'auto'
  /** The transport, or `auto`: what the server option suggests. */
  transport: TransportKind | 'auto'
  /** Who the client says it is. */
  identity: { readonly name: string; readonly version: string } & JsonObject
  /** The client capabilities to declare, instead of everything that `answers` can answer. */
  capabilities: JsonObject | undefined
  authorization: AuthorizationOption | undefined
  /** Faults from the start of the test; the fixture `faults` changes them. */
  faults: FaultOption | undefined
  /** When recordings are attached; `retain-on-failure` unless given, `on` where Playwright's own `trace` is `on`. */
  recording: RecordingMode | undefined
}
