import { oc } from '@orpc/contract'
import { z } from 'zod'

export const noticeSchema = z.object({
  id: z.string(),
  tone: z.enum(['info', 'warning', 'error']),
  /** What happened. */
  title: z.string(),
  /** What it means and what to do. */
  detail: z.string(),
  at: z.number(),
})
export type Notice = z.infer<typeof noticeSchema>

export const appInfoSchema = z.object({
  name: z.string(),
  version: z.string(),
  mode: z.enum(['desktop', 'browser', 'headless']),
  platform: z.string(),
  profile: z.string(),
  /** Commands use the same data folder without being told. */
  isUsualProfile: z.boolean(),
  workspace: z.string(),
  /** Where a command starts that names no folder. */
  startFolder: z.string(),
  /** What is typed before the name of a command of Patchbay. */
  command: z.string(),
  /** Where secrets are kept, in words ("a file only you can read, not encrypted"). */
  secrets: z.string(),
  notices: z.array(noticeSchema),
})
export type AppInfo = z.infer<typeof appInfoSchema>

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** Sizes of panels, by the name of their group. */
  layout: z.record(z.string(), z.array(z.number())).default({}),
})
export type Settings = z.infer<typeof settingsSchema>

/** The server that Patchbay itself hosts. */
export const embeddedStateSchema = z.object({
  status: z.enum(['listening', 'port-taken', 'stopped']),
  /** The address to give to a client, e.g. `http://127.0.0.1:4040/mcp`. */
  address: z.string().optional(),
  port: z.number(),
  /** Later starts use the same port; false if `--mcp-port` chose it for this run. */
  keepsPort: z.boolean(),
  /** The usual port, if another program held it at the first start and `port` was used instead. */
  movedFrom: z.object({ port: z.number(), takenBy: z.string().optional() }).optional(),
  /** Who holds the port, if that could be found out. */
  takenBy: z.string().optional(),
  /** A free port that `setPort` would accept. */
  offeredPort: z.number().optional(),
  tokenRequired: z.boolean(),
  /** Connected clients, Patchbay's own connection not counted. */
  otherClients: z.number(),
})
export type EmbeddedState = z.infer<typeof embeddedStateSchema>

export const appContract = {
  info: oc.output(appInfoSchema),
  dismissNotice: oc.input(z.object({ id: z.string() })).output(z.object({ dismissed: z.boolean() })),
  settings: oc.output(settingsSchema),
  saveSettings: oc.input(settingsSchema.partial()).output(settingsSchema),
}

export const embeddedContract = {
  state: oc.output(embeddedStateSchema),
  setPort: oc.input(z.object({ port: z.number().int().min(0).max(65_535) })).output(embeddedStateSchema),
  /** On unless the user switches it off. */
  setTokenRequired: oc.input(z.object({ required: z.boolean() })).output(embeddedStateSchema),
  /** The stored token, for the user to copy. */
  revealToken: oc.output(z.object({ token: z.string() })),
}
