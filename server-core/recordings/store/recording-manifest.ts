import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../workspace/atomic-file.ts'

const FILE = 'recording.json'
const OWNER_ONLY = 0o600
const OWNER_FOLDER = 0o700

const manifestSchema = z.object({
  version: z.literal(1),
  serverId: z.string(),
  serverName: z.string(),
  side: z.enum(['client', 'server']),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  /** The process that writes it. */
  pid: z.int(),
  /** A tap writes it, beside the app: several processes may. */
  tap: z.boolean().optional(),
  /** It came from a file: nothing here recorded it. */
  imported: z.boolean().optional(),
  /** The recorder was closed. */
  closed: z.boolean().optional(),
  /** The name by which the user keeps it. */
  name: z.string().optional(),
})

/** What is known of a recording of the profile beside its frames. */
export type RecordingManifest = z.infer<typeof manifestSchema>

/** Reads the manifest of a recording's folder; undefined if it is missing or damaged. */
export async function readManifest(folder: string): Promise<RecordingManifest | undefined> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(path.join(folder, FILE), 'utf8')))
  } catch {
    return undefined
  }
}

/** Writes the manifest of a recording's folder, and makes the folder. A crash leaves the old one or the new one. */
export async function writeManifest(folder: string, manifest: RecordingManifest): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_FOLDER })
  await replaceFile(path.join(folder, FILE), `${JSON.stringify(manifest)}\n`, OWNER_ONLY)
}
