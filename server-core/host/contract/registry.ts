import { TRANSPORT_KINDS } from '../../protocol/transport-kind.ts'
import { oc } from '@orpc/contract'
import { z } from 'zod'
import { addedSourceSchema } from '../../live/added-sources.ts'

export type { AddedSource } from '../../live/added-sources.ts'

/** What is edited, switched and watched on the page of the registry: the server that Patchbay itself hosts, from inside. */

export const entryKindSchema = z.enum(['tool', 'resource', 'template', 'prompt'])
export type EntryKind = z.infer<typeof entryKindSchema>

/** Where a fault is, as its author would look for it. Lines and columns count from 1. */
export const faultPlaceSchema = z.object({
  /** Relative to the workspace folder. */
  file: z.string(),
  line: z.number(),
  column: z.number(),
  /** The line itself. */
  text: z.string(),
})

export const registryFaultSchema = z.object({
  /** What the layer that found it calls it, e.g. `syntax`, `collision`, `stopped`. */
  code: z.string(),
  message: z.string(),
  at: faultPlaceSchema.optional(),
})
export type RegistryFault = z.infer<typeof registryFaultSchema>

export const entryOriginSchema = z.object({
  kind: z.enum([
    'script',
    'config',
    'mount',
    'proxy',
    'openapi',
    'file',
    'directory',
    'url',
    'mock',
    'override',
    'built-in',
  ]),
  /** In words, e.g. `tools/notes.ts` or `proxy docs-search`. */
  label: z.string(),
  /** The file that it comes from, relative to the workspace folder. */
  file: z.string().optional(),
})
export type EntryOrigin = z.infer<typeof entryOriginSchema>

/** What a user changed about an entry without touching its code. */
export const amendmentSchema = z.object({
  enabled: z.boolean().optional(),
  name: z.string().min(1).max(256).optional(),
  title: z.string().max(1_000).optional(),
  description: z.string().max(20_000).optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
})
export type EntryAmendment = z.infer<typeof amendmentSchema>

export const registryEntrySchema = z.object({
  /** Names it for `amend` and `schemaDiff`: kind and original name, e.g. `tool:birds.identify`. */
  key: z.string(),
  kind: entryKindSchema,
  /** As its source calls it, with its prefix; of resources the URI, of templates the template. */
  name: z.string(),
  /** As clients see it. */
  shownName: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  tags: z.array(z.string()).optional(),
  origin: entryOriginSchema,
  enabled: z.boolean(),
  /**
   * `served`: clients can use it. `off`: disabled. `overridden`: a mock result replaces its result.
   * `failing`: it cannot be served; `error` has the reason. While `served`, `error` is that of a newer revision of its script.
   */
  state: z.enum(['served', 'off', 'overridden', 'failing']),
  error: registryFaultSchema.optional(),
  amendment: amendmentSchema.optional(),
  calls: z.number(),
  /** Calls that ended with an error. */
  failures: z.number(),
  lastCaller: z.object({ name: z.string(), at: z.number() }).optional(),
  /** How many clients are subscribed to it; of resources only. */
  subscriptions: z.number(),
})
export type RegistryEntry = z.infer<typeof registryEntrySchema>

export const scriptSchema = z.object({
  /** Relative to the workspace folder, with forward slashes; `patchbay.config.ts` is one too. */
  file: z.string(),
  /** The newest revision that was tried; the first is 1. */
  revision: z.number(),
  /** The revision that answers calls; missing if none ever loaded. */
  answering: z.number().optional(),
  /**
   * `loading`: read for the first time. `loaded`: the newest revision answers. `broken`: it could not be loaded; the one
   * before answers, if there is one. `stopped`: switched off after crashes.
   */
  state: z.enum(['loading', 'loaded', 'broken', 'stopped']),
  error: registryFaultSchema.optional(),
  /** When the newest revision was tried. */
  at: z.number(),
  /** Keys of the entries that it makes. */
  entries: z.array(z.string()),
  /** What it is bundled from beside itself, relative to the workspace folder. */
  imports: z.array(z.string()),
  /** Of its Worker, while one runs. */
  worker: z.object({ memoryBytes: z.number().optional(), limitBytes: z.number().optional() }).optional(),
})
export type Script = z.infer<typeof scriptSchema>

export const connectedClientSchema = z.object({
  id: z.string(),
  /** What it calls itself; empty if it did not say. */
  name: z.string(),
  title: z.string().optional(),
  version: z.string().optional(),
  transport: z.enum(TRANSPORT_KINDS),
  revision: z.string(),
  /** It is this very window. */
  own: z.boolean(),
  since: z.number(),
  lastRequestAt: z.number(),
  /** Requests that call a tool, read a resource, get a prompt or complete an argument. */
  calls: z.number(),
  running: z.number(),
  /** URIs. */
  subscriptions: z.array(z.string()),
  /** Host and port, where there is a socket. */
  address: z.string().optional(),
  pid: z.number().optional(),
  sessionId: z.string().optional(),
  /** Whom its token names. */
  principal: z.string().optional(),
})
export type ConnectedClient = z.infer<typeof connectedClientSchema>

export const registryStateSchema = z.object({
  workspace: z.object({
    folder: z.string(),
    name: z.string(),
    /** It is the one that Patchbay brings along. */
    isDefault: z.boolean(),
    /** Grows each time a folder is opened, also if it is the same one. */
    generation: z.number(),
  }),
  /** `asked`: nothing of it runs until `trust`; `wouldRun` says what that would let run. */
  trust: z.enum(['trusted', 'asked']),
  wouldRun: z.array(z.object({ file: z.string(), bytes: z.number() })),
  /** Its scripts are being loaded, and the servers asked that it passes on: nothing of it is listed yet. */
  opening: z.boolean(),
  /** Off: clients see no entry at all. */
  serving: z.boolean(),
  entries: z.array(registryEntrySchema),
  scripts: z.array(scriptSchema),
  /** Faults of the workspace that belong to no script and no entry, e.g. of `patchbay.json`. */
  faults: z.array(registryFaultSchema),
  /** What was composed into the server by `addSource`. */
  added: z.array(addedSourceSchema),
  clients: z.array(connectedClientSchema),
  /** Undefined pid: it is not running. */
  toolHost: z.object({ pid: z.number().optional(), spareReady: z.boolean() }),
})
export type RegistryState = z.infer<typeof registryStateSchema>

/**
 * What changes of the state with each request of a client, apart from everything else: it is small, however many entries
 * there are.
 */
export const registryActivitySchema = z.object({
  /** The entries that were called since the last batch. */
  entries: z.array(registryEntrySchema.pick({ key: true, calls: true, failures: true, lastCaller: true })),
  clients: z.array(connectedClientSchema),
  toolHost: registryStateSchema.shape.toolHost,
  /** The workers that run, by the files of their scripts. */
  workers: z.record(z.string(), scriptSchema.shape.worker.unwrap()),
})
export type RegistryActivity = z.infer<typeof registryActivitySchema>

export const scriptLogLineSchema = z.object({
  /** Rises from line to line of one generation of the workspace; the next one begins again. */
  id: z.number(),
  file: z.string(),
  revision: z.number(),
  at: z.number(),
  kind: z.enum(['info', 'call', 'done', 'error', 'stdout', 'stderr']),
  text: z.string(),
  /** The line belongs to this call. */
  callId: z.string().optional(),
  /** Of an error. */
  place: faultPlaceSchema.optional(),
})
export type ScriptLogLine = z.infer<typeof scriptLogLineSchema>

/** Lines of one generation of the workspace, oldest first. */
export const scriptLogSchema = z.object({ generation: z.number(), lines: z.array(scriptLogLineSchema) })
export type ScriptLog = z.infer<typeof scriptLogSchema>

export const scriptRevisionSchema = z.object({
  revision: z.number(),
  at: z.number(),
  state: z.enum(['loaded', 'broken']),
  error: registryFaultSchema.optional(),
  /** It answers calls now. */
  answers: z.boolean(),
  /** The source of the script itself. */
  text: z.string(),
  /** Something that clients see changed with it. */
  changedWhatClientsSee: z.boolean(),
})
export type ScriptRevision = z.infer<typeof scriptRevisionSchema>

export const schemaChangeSchema = z.object({
  /** `input` is what callers send, `output` what they get, `definition` everything beside. */
  part: z.enum(['input', 'output', 'definition']),
  /** JSON Pointer into the schema; empty for the whole. */
  pointer: z.string(),
  /** In one sentence, e.g. "days is required now". */
  what: z.string(),
  breaking: z.boolean(),
})

export const schemaDiffSchema = z.object({
  /** Pretty JSON of the definition as clients see it; missing if there was none. */
  before: z.string().optional(),
  after: z.string().optional(),
  changes: z.array(schemaChangeSchema),
  breaking: z.boolean(),
})
export type SchemaDiff = z.infer<typeof schemaDiffSchema>

const file = z.object({ file: z.string().min(1).max(1_024) })

export const registryContract = {
  state: oc.output(registryStateSchema),
  /** Null puts the entry back as its source has it. */
  amend: oc
    .input(z.object({ key: z.string().min(1).max(4_096), amendment: amendmentSchema.nullable() }))
    .output(registryStateSchema),
  setServing: oc.input(z.object({ serving: z.boolean() })).output(registryStateSchema),
  /** The folder has to be the one that is open: what was shown is what is trusted. */
  trust: oc.input(z.object({ folder: z.string().min(1) })).output(registryStateSchema),
  /** The newest lines, oldest first; of all scripts without a file. Later ones come with `events.watch`. */
  log: oc.input(file.partial()).output(scriptLogSchema),
  /** What is kept of a script, newest first. */
  revisions: oc.input(file).output(z.array(scriptRevisionSchema)),
  /** Writes the sources of a revision back; that makes a new one. `written` are the files that were changed by it. */
  backTo: oc
    .input(file.extend({ revision: z.number().int().min(1) }))
    .output(z.object({ written: z.array(z.string()) })),
  /** Lets a script run again that was switched off after crashes. */
  switchOn: oc.input(file).output(registryStateSchema),
  /** How an entry of a script differs between two revisions of the script; the newest loaded one without `to`. */
  schemaDiff: oc
    .input(
      z.object({
        key: z.string().min(1).max(4_096),
        from: z.number().int().min(1),
        to: z.number().int().min(1).optional(),
      }),
    )
    .output(schemaDiffSchema),
  /**
   * Composes another server, another workspace or an HTTP interface into the server, and keeps that in `patchbay.json`.
   * Refused, with the reason, if it cannot be served; then nothing is changed.
   */
  addSource: oc.input(z.object({ source: addedSourceSchema })).output(registryStateSchema),
  removeSource: oc.input(z.object({ source: addedSourceSchema })).output(registryStateSchema),
  /** Serves another folder from now on, and at later starts. Clients stay connected. */
  openWorkspace: oc.input(z.object({ folder: z.string().min(1).max(4_096) })).output(registryStateSchema),
}
