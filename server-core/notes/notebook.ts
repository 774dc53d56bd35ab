import type { SharedStore } from '../registry/invocation.ts'
import type { Note } from './note.ts'

const NOTES_KEY = 'notes'
const WORDS_KEY = 'notes/words'

/** Most notes that are kept. */
export const MAX_NOTES = 1_000
export const MAX_TITLE_LENGTH = 200
export const MAX_TEXT_LENGTH = 20_000
export const MAX_TAGS = 20
export const MAX_TAG_LENGTH = 40

type Kept = { readonly nextId: number; readonly notes: readonly Note[] }

/** What `index_notes` found, for the index resource. */
export type WordIndex = { readonly at: string; readonly words: readonly { word: string; count: number }[] }

/**
 * The notes in a store. One writes after the other, so that two calls at the same time lose nothing; the handlers
 * of one store run in one process.
 */
export class Notebook {
  #writing: Promise<unknown> = Promise.resolve()

  /** All notes, oldest first. */
  async all(store: SharedStore): Promise<readonly Note[]> {
    return (await read(store)).notes
  }

  async find(store: SharedStore, id: string): Promise<Note | undefined> {
    return (await this.all(store)).find((note) => note.id === id)
  }

  /** Keeps a new note. Rejects with an error that says so if there is no more room. */
  create(store: SharedStore, note: Pick<Note, 'title' | 'text' | 'tags'>): Promise<Note> {
    const created = this.#writing.then(async () => {
      const { nextId, notes } = await read(store)
      if (notes.length >= MAX_NOTES) {
        throw new Error(
          `There are ${MAX_NOTES} notes, which is all that is kept. Restart Patchbay to begin anew.`,
        )
      }
      const kept: Note = { id: String(nextId), ...note, createdAt: new Date().toISOString() }
      await store.set(NOTES_KEY, { nextId: nextId + 1, notes: [...notes, kept] } satisfies Kept)
      return kept
    })
    this.#writing = created.catch(() => undefined)
    return created
  }

  async words(store: SharedStore): Promise<WordIndex | undefined> {
    return (await store.get(WORDS_KEY)) as WordIndex | undefined
  }

  async keepWords(store: SharedStore, words: WordIndex): Promise<void> {
    await store.set(WORDS_KEY, words)
  }
}

/** Every tag in use, in alphabetical order. */
export function tagsOf(notes: readonly Note[]): string[] {
  return [...new Set(notes.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b))
}

async function read(store: SharedStore): Promise<Kept> {
  // Only this file writes the key.
  return ((await store.get(NOTES_KEY)) as Kept | undefined) ?? { nextId: 1, notes: [] }
}
