import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'

/** Path of a file of the workspace, from its folder on, with `/` between names on every system. */
const fileSchema = z.string().min(1).max(1_000)
/** Absolute path of a workspace. */
const folderSchema = z.string().min(1).max(4_000)
/** Hash of a file's bytes: the same hash means the same file. */
const versionSchema = z.string().min(1).max(100)
/** Text with `\n` between lines, however the file has them. More than can be saved, so that saving says why it cannot. */
const textSchema = z.string().max(2 * DEFAULT_LIMITS.editorFileBytes)

export const workspaceFileSchema = z.object({ file: z.string(), bytes: z.number() })
export type WorkspaceFile = z.infer<typeof workspaceFileSchema>

export const workspaceFilesSchema = z.object({
  /** Absolute path of the workspace's folder. */
  folder: z.string(),
  /** The same as a `file:` URI without a slash at its end: files of the language server are below it. */
  uri: z.string(),
  /** All files that can be edited, in the order of their paths. */
  files: z.array(workspaceFileSchema),
  /** There are more than are listed. */
  isCut: z.boolean(),
})
export type WorkspaceFiles = z.infer<typeof workspaceFilesSchema>

export const fileTextSchema = z.object({
  text: z.string(),
  version: z.string(),
  /** Why it cannot be saved, where it can only be read: it belongs to a package, is written by Patchbay or is write-protected. */
  readOnly: z.string().optional(),
})
export type FileText = z.infer<typeof fileTextSchema>

export const savedSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('saved'), version: z.string() }),
  /** Somebody else changed the file since it was read. Nothing was written. */
  z.object({ state: z.literal('conflict'), text: z.string(), version: z.string() }),
  /** Somebody else removed the file since it was read. Nothing was written; saving without a version makes it again. */
  z.object({ state: z.literal('gone') }),
])
export type Saved = z.infer<typeof savedSchema>

export const templateNameSchema = z.enum(['tool', 'resource', 'template', 'prompt', 'config'])
export type TemplateName = z.infer<typeof templateNameSchema>

/** Text that was typed and is not saved, kept for the page that comes next. */
export const draftSchema = z.object({
  file: fileSchema,
  text: textSchema,
  /** The version that was edited; null for a file that did not exist. */
  version: versionSchema.nullable(),
  /** Milliseconds since 1970. */
  at: z.number(),
})
export type Draft = z.infer<typeof draftSchema>

export const languageServerEventSchema = z.discriminatedUnion('type', [
  /** It runs; `session` names it for `send`. */
  z.object({ type: z.literal('started'), session: z.string() }),
  /** What it said: JSON-RPC messages as text, in their order. */
  z.object({ type: z.literal('messages'), messages: z.array(z.string()) }),
  /**
   * It runs no more, and the stream is over. After `idle` and `crashed` attaching again starts it again; `stopped`
   * means that it crashed too often, and that only `restart: true` starts it.
   */
  z.object({ type: z.literal('ended'), reason: z.enum(['idle', 'crashed', 'stopped']), detail: z.string() }),
])
export type LanguageServerEvent = z.infer<typeof languageServerEventSchema>

export const editorContract = {
  files: oc.output(workspaceFilesSchema),
  read: oc.input(z.object({ file: fileSchema })).output(fileTextSchema),
  /** `version` is what the text was typed over; null where there was no file. */
  save: oc
    .input(z.object({ file: fileSchema, text: textSchema, version: versionSchema.nullable() }))
    .output(savedSchema),
  /** A new script where scripts of its kind belong. `name` may end in `.js`; otherwise it becomes TypeScript. */
  create: oc
    .input(z.object({ template: templateNameSchema, name: z.string().min(1).max(100) }))
    .output(z.object({ file: z.string() })),
  /** Never over another file. */
  rename: oc.input(z.object({ file: fileSchema, to: fileSchema })).output(z.object({ file: z.string() })),
  /** The file is kept where `restore` finds it. */
  remove: oc.input(z.object({ file: fileSchema })).output(z.object({ removal: z.string() })),
  restore: oc.input(z.object({ removal: z.string().min(1).max(100) })).output(z.object({ file: z.string() })),
  /** Files that were made, changed or removed on the disk, by whomever, as they are. */
  watch: oc.output(eventIterator(z.object({ files: z.array(z.string()) }))),
  drafts: oc.output(z.array(draftSchema)),
  /** `folder` is the workspace that the draft belongs to: the one that is open unless given. */
  keepDraft: oc
    .input(draftSchema.extend({ folder: folderSchema.optional() }))
    .output(z.object({ kept: z.literal(true) })),
  dropDraft: oc
    .input(z.object({ file: fileSchema, folder: folderSchema.optional() }))
    .output(z.object({ dropped: z.literal(true) })),
  languageServer: {
    /** What `fetch` would fetch; null if the language server came with this copy of Patchbay, or was fetched. */
    download: oc.output(z.object({ version: z.string(), size: z.string(), folder: z.string() }).nullable()),
    /** Fetches it from the user's npm registry. The user has agreed. */
    fetch: oc.output(z.object({ fetched: z.literal(true) })),
    /** Starts TypeScript's language server for this page; leaving the stream ends it. */
    attach: oc
      .input(z.object({ restart: z.boolean().optional() }))
      .output(eventIterator(languageServerEventSchema)),
    /** Messages in their order; the next ones are sent when these were taken. */
    send: oc
      .input(
        z.object({
          session: z.string().max(64),
          messages: z.array(z.string().max(2 * DEFAULT_LIMITS.editorFileBytes)).max(1_000),
        }),
      )
      .output(z.object({ taken: z.boolean() })),
  },
}
