import { z } from 'zod'
import type { FileSystem } from '../workspace/atomic-file.ts'
import { DocumentFile, type OnSetAside } from '../workspace/document-file.ts'

/** What a user sets and expects to find again. */
const settingsDocumentSchema = z.looseObject({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** Sizes of panels, by the name of their group. */
  layout: z.record(z.string(), z.array(z.number())).default({}),
  /** The port of the embedded server. Missing until it listened once. */
  mcpPort: z.number().int().min(0).max(65_535).optional(),
  /** Clients of the embedded server must send the stored token; missing if the user never chose. */
  tokenRequired: z.boolean().optional(),
  /** The folder whose registry is served, where it is not the one in the profile. */
  registryFolder: z.string().optional(),
  /** What is recorded and for how long, in the words of the recorder; missing if the user never chose. */
  recording: z.record(z.string(), z.unknown()).optional(),
})
export type SettingsDocument = z.infer<typeof settingsDocumentSchema>

/** Opens the settings of a profile. */
export function settingsFile(
  file: string,
  onSetAside: OnSetAside,
  files?: FileSystem,
): DocumentFile<SettingsDocument> {
  return new DocumentFile({
    file,
    version: 1,
    schema: settingsDocumentSchema,
    empty: () => settingsDocumentSchema.parse({}),
    onSetAside,
    ...(files === undefined ? {} : { files }),
  })
}
