import path from 'node:path'
import { z } from 'zod'
import { baselineSchema, type Baseline } from '../../conformance/report/baseline.ts'
import { DocumentFile, type OnSetAside } from '../../workspace/document-file.ts'
import { callPermissionSchema, type CallPermissionChoice } from '../contract/conformance.ts'

const serverSettingsSchema = z.object({
  /** Which tools may be called, and of which command or address that was said. */
  permission: z.object({ choice: callPermissionSchema, fingerprint: z.string() }).optional(),
  /** Failures that are expected. */
  baseline: baselineSchema.optional(),
})
type ServerSettings = z.infer<typeof serverSettingsSchema>

const documentSchema = z.looseObject({ servers: z.record(z.string(), serverSettingsSchema).default({}) })

/** What the user chose for the checks of each server. */
export class ConformanceSettings {
  readonly #document: DocumentFile<z.infer<typeof documentSchema>>

  constructor(folder: string, onSetAside: OnSetAside) {
    this.#document = new DocumentFile({
      file: path.join(folder, 'settings.json'),
      version: 1,
      schema: documentSchema,
      empty: () => ({ servers: {} }),
      onSetAside,
    })
  }

  /** The tools that may be called; undefined if nobody was asked since the command or address changed. */
  async permission(key: string, fingerprint: string): Promise<CallPermissionChoice | undefined> {
    const { permission } = await this.#of(key)
    return permission?.fingerprint === fingerprint ? permission.choice : undefined
  }

  async savePermission(key: string, fingerprint: string, choice: CallPermissionChoice): Promise<void> {
    await this.#change(key, (settings) => ({ ...settings, permission: { choice, fingerprint } }))
  }

  async baseline(key: string): Promise<Baseline> {
    const { baseline } = await this.#of(key)
    return baseline ?? { format: 'patchbay-conformance-baseline', version: 1, failures: [] }
  }

  /** Adds a failure to those that are expected, or removes it. */
  async expectFailure(
    key: string,
    failure: { readonly check: string; readonly revision: string; readonly transport: string },
    expected: boolean,
  ): Promise<void> {
    const { check, revision, transport } = failure
    await this.#change(key, (settings) => {
      const others = (settings.baseline?.failures ?? []).filter(
        (each) => each.check !== check || each.revision !== revision || each.transport !== transport,
      )
      const failures = expected ? [...others, { check, revision, transport }] : others
      return { ...settings, baseline: { format: 'patchbay-conformance-baseline', version: 1, failures } }
    })
  }

  async #of(key: string): Promise<ServerSettings> {
    return (await this.#document.read()).servers[key] ?? {}
  }

  async #change(key: string, change: (settings: ServerSettings) => ServerSettings): Promise<void> {
    await this.#document.update((document) => ({
      ...document,
      servers: { ...document.servers, [key]: change(document.servers[key] ?? {}) },
    }))
  }
}
