import { oc } from '@orpc/contract'
import { z } from 'zod'
import { serverDraftSchema } from './servers.ts'

/** Other programs that start servers, their configuration files, and our entries in them. */

export const clientIdSchema = z.enum([
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'openclaw',
])
export type ClientId = z.infer<typeof clientIdSchema>

export const installedEntrySchema = z.object({
  name: z.string(),
  /**
   * `current`: starts this Patchbay; `stale`: written by a Patchbay, but starts a missing or different one;
   * `foreign`: an entry of this name that Patchbay did not write.
   */
  state: z.enum(['current', 'stale', 'foreign']),
  /** Why it is stale, as a clause. */
  reason: z.string().optional(),
  /** The command line or URL. */
  summary: z.string(),
})
export type InstalledEntry = z.infer<typeof installedEntrySchema>

export const clientStateSchema = z.object({
  id: clientIdSchema,
  title: z.string(),
  /** Its file, absolute; where it would be if the client is not on this machine. */
  file: z.string(),
  /** `absent`: the client is not on this machine; `broken`: its file cannot be read and is left as it is. */
  state: z.enum(['absent', 'ready', 'broken']),
  /** What is broken, and where. */
  problem: z.string().optional(),
  entries: z.array(installedEntrySchema),
})
export type ClientState = z.infer<typeof clientStateSchema>

export const changeSchema = z.object({
  file: z.string(),
  name: z.string(),
  change: z.enum(['added', 'changed', 'removed', 'none']),
  /** The file that was written, if `file` leads there by a symbolic link. */
  realFile: z.string().optional(),
  /** What the file was before. */
  backup: z.string().optional(),
})
export type ClientChange = z.infer<typeof changeSchema>

/** A whole file is as it was before, whichever entries that concerns. */
export const restoredSchema = z.object({
  file: z.string(),
  change: z.literal('restored'),
  realFile: z.string().optional(),
})
export type ClientRestored = z.infer<typeof restoredSchema>

export const trialSchema = z.object({
  ok: z.boolean(),
  /** Milliseconds from the start to the last answer, or to the failure. */
  ms: z.number(),
  /** Name and version, as the server says them. */
  server: z.string().optional(),
  revision: z.string().optional(),
  tools: z.array(z.string()),
  /** A tool that takes no arguments and changes nothing, which was called. */
  called: z.string().optional(),
  /** What went wrong, with its cause. */
  failure: z.string().optional(),
})
export type Trial = z.infer<typeof trialSchema>

export const importableSchema = z.object({
  id: clientIdSchema,
  title: z.string(),
  file: z.string(),
  servers: z.array(
    z.object({
      /** As the file has it; names it for `import`. */
      name: z.string(),
      draft: serverDraftSchema,
      /** A server that is reached in the same way is stored already. */
      isThere: z.boolean(),
    }),
  ),
  problems: z.array(z.object({ name: z.string(), reason: z.string() })),
})
export type Importable = z.infer<typeof importableSchema>

const entry = z.object({ client: clientIdSchema, name: z.string().min(1).max(120) })

export const installContract = {
  /** Every client that is known, whether it is here or not. */
  clients: oc.output(z.array(clientStateSchema)),
  /**
   * Writes one entry into a client's file: the open workspace, or a stored server through the proxy. Our own entry
   * is updated; a foreign one of the same name is left unless `replace` is given.
   */
  install: oc
    .input(
      z.object({
        client: clientIdSchema,
        /** The id of a stored server; the open workspace if missing. */
        server: z.string().optional(),
        /** Made of the folder or the server if missing. */
        name: z.string().min(1).max(120).optional(),
        replace: z.boolean().optional(),
      }),
    )
    .output(changeSchema),
  uninstall: oc.input(entry).output(changeSchema),
  /** Restores the file as it was before the last change, if nobody changed it since. */
  undo: oc.input(z.object({ client: clientIdSchema })).output(restoredSchema),
  /** Starts exactly what one of our entries says, and connects to it. */
  test: oc.input(entry).output(trialSchema),
  /** The servers of all clients that are here. Stores nothing and starts nothing. */
  importable: oc.output(z.array(importableSchema)),
  /** Stores some of them, unapproved. Those that are there already are passed over. */
  import: oc
    .input(z.object({ client: clientIdSchema, names: z.array(z.string()).max(1_000) }))
    .output(z.object({ added: z.array(z.string()) })),
}
