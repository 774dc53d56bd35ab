import { z } from 'zod'
import { tapRulesSchema, type TapRules } from '../../tap/rules/rule-schema.ts'
import { DocumentFile, type OnSetAside } from '../../workspace/document-file.ts'

const documentSchema = z.looseObject({ rules: z.record(z.string(), tapRulesSchema).default({}) })
type RulesDocument = z.infer<typeof documentSchema>

/** The rules of taps, by the names of client and server. */
export class TapRulesStore {
  readonly #document: DocumentFile<RulesDocument>
  #rules: Readonly<Record<string, TapRules>> = {}

  constructor(file: string, onSetAside: OnSetAside) {
    this.#document = new DocumentFile({
      file,
      version: 1,
      schema: documentSchema,
      empty: () => ({ rules: {} }),
      onSetAside,
    })
  }

  async load(): Promise<void> {
    this.#rules = (await this.#document.read()).rules
  }

  find(key: string): TapRules | undefined {
    return Object.hasOwn(this.#rules, key) ? this.#rules[key] : undefined
  }

  async save(key: string, rules: TapRules): Promise<void> {
    const saved = await this.#document.update((current) => ({
      ...current,
      rules: { ...current.rules, [key]: rules },
    }))
    this.#rules = saved.rules
  }
}
