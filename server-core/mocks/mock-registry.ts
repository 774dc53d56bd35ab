import type { Handle } from '../registry/definitions.ts'
import type { RegistryView } from '../registry/entries.ts'
import { RegistryError } from '../registry/errors.ts'
import { Registry } from '../registry/registry.ts'
import type { AnswerParts } from './answer-call.ts'
import { promptOf, resourceOf, templateOf, toolOf } from './definitions.ts'
import { keyOfEntry, type MockEntry } from './mock-entry.ts'

/** Why an entry is not served. */
export type MockProblem = { readonly key: string; readonly message: string }

type Placed = { readonly data: string; readonly handle: PlacedHandle }
type PlacedHandle = { update(entry: MockEntry): void; remove(): void }

/** Members that an update takes away where the new definition has none. */
const OPTIONAL = {
  title: undefined,
  description: undefined,
  annotations: undefined,
  input: undefined,
  output: undefined,
  mimeType: undefined,
  arguments: undefined,
}

/** The mock entries of a server: one source of its registry, which follows the data that it is given. */
export class MockRegistry {
  readonly #parts: AnswerParts
  readonly #registry: Registry
  readonly #placed = new Map<string, Placed>()

  constructor(parts: AnswerParts) {
    this.#parts = parts
    // An answer that cannot be made says so to who called; there is no code whose author should learn of it.
    this.#registry = new Registry({ report: () => undefined })
  }

  get view(): RegistryView {
    return this.#registry
  }

  /**
   * Serves these entries from now on. Unchanged ones keep their place, and each list is notified once, if clients can
   * see a change. Gives the entries that cannot be served, and why; the others are served.
   */
  set(entries: readonly MockEntry[]): readonly MockProblem[] {
    const problems: MockProblem[] = []
    const wanted = new Map<string, MockEntry>()
    for (const entry of entries) {
      const key = keyOfEntry(entry)
      if (wanted.has(key)) problems.push({ key, message: `There are two mock entries with the key ${key}.` })
      else wanted.set(key, entry)
    }
    this.#registry.batch(() => {
      for (const [key, { handle }] of [...this.#placed]) {
        if (wanted.has(key)) continue
        handle.remove()
        this.#placed.delete(key)
      }
      for (const [key, entry] of wanted) this.#place(key, entry, problems)
    })
    return problems
  }

  #place(key: string, entry: MockEntry, problems: MockProblem[]): void {
    const data = JSON.stringify(entry)
    const placed = this.#placed.get(key)
    if (placed?.data === data) return
    try {
      placed?.handle.update(entry)
      this.#placed.set(key, { data, handle: placed?.handle ?? this.#add(entry) })
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      placed?.handle.remove()
      this.#placed.delete(key)
      problems.push({ key, message: error.message })
    }
  }

  #add(entry: MockEntry): PlacedHandle {
    const parts = this.#parts
    switch (entry.kind) {
      case 'tool':
        return following('tool', this.#registry.addTool(toolOf(entry, parts)), (next) => toolOf(next, parts))
      case 'resource':
        return following('resource', this.#registry.addResource(resourceOf(entry, parts)), (next) =>
          resourceOf(next, parts),
        )
      case 'template':
        return following('template', this.#registry.addResourceTemplate(templateOf(entry, parts)), (next) =>
          templateOf(next, parts),
        )
      case 'prompt':
        return following('prompt', this.#registry.addPrompt(promptOf(entry, parts)), (next) =>
          promptOf(next, parts),
        )
    }
  }
}

/** Returns why an entry cannot be served, if that is so; nothing is served. */
export function mockDefect(entry: MockEntry): string | undefined {
  return new MockRegistry({}).set([entry])[0]?.message
}

function following<K extends MockEntry['kind'], D>(
  kind: K,
  handle: Handle<D>,
  definitionOf: (entry: Extract<MockEntry, { readonly kind: K }>) => D,
): PlacedHandle {
  return {
    update: (entry) => {
      // A key names a kind, so an entry under the same key is of the same kind.
      if (isOf(entry, kind)) handle.update({ ...OPTIONAL, ...definitionOf(entry) })
    },
    remove: () => {
      handle.remove()
    },
  }
}

function isOf<K extends MockEntry['kind']>(
  entry: MockEntry,
  kind: K,
): entry is Extract<MockEntry, { readonly kind: K }> {
  return entry.kind === kind
}
