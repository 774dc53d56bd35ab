import type { SharedStore } from 'patchbay'
import type { Note } from './note.ts'

const NOTES_KEY = 'notes'
const WORDS_KEY = 'notes/words'

/** Most notes that are kept. */
export const MAX_NOTES = 1_000

type Kept = { readonly nextId: number; readonly notes: readonly Note[] }

/** What `index_notes` found, for the index resource. */
export type WordIndex = { readonly at: string; readonly words: readonly { word: string; count: number }[] }

/** All notes, oldest first. What scripts share is in `ctx.store`: it outlives each of them, and every reload. */
export async function allNotes(store: SharedStore): Promise<readonly Note[]> {
  return (await read(store)).notes
}

export async function findNote(store: SharedStore, id: string): Promise<Note | undefined> {
  return (await allNotes(store)).find((note) => note.id === id)
}

/** One write after the other, so that two calls at the same time lose nothing: only `tools/notes.ts` writes. */
let writing: Promise<unknown> = Promise.resolve()

function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = writing.then(work)
  writing = done.catch(() => undefined)
  return done
}

/** Keeps a new note. Rejects with an error that says so if there is no more room. */
export function keepNote(store: SharedStore, note: Pick<Note, 'title' | 'text' | 'tags'>): Promise<Note> {
  return inTurn(async () => {
    const { nextId, notes } = await read(store)
    if (notes.length >= MAX_NOTES) {
      throw new Error(`There are ${MAX_NOTES} notes, which is all that is kept. Delete some to make room.`)
    }
    const kept: Note = { id: String(nextId), ...note, createdAt: new Date().toISOString() }
    await store.set(NOTES_KEY, { nextId: nextId + 1, notes: [...notes, kept] } satisfies Kept)
    return kept
  })
}

/** Removes a note; false if it does not exist. */
export function removeNote(store: SharedStore, id: string): Promise<boolean> {
  return inTurn(async () => {
    const { nextId, notes } = await read(store)
    const left = notes.filter((note) => note.id !== id)
    await store.set(NOTES_KEY, { nextId, notes: left } satisfies Kept)
    return left.length < notes.length
  })
}

export async function foundWords(store: SharedStore): Promise<WordIndex | undefined> {
  return (await store.get(WORDS_KEY)) as WordIndex | undefined
}

export async function keepWords(store: SharedStore, words: WordIndex): Promise<void> {
  await store.set(WORDS_KEY, words)
}

async function read(store: SharedStore): Promise<Kept> {
  // Only this file writes the key.
  return ((await store.get(NOTES_KEY)) as Kept | undefined) ?? { nextId: 1, notes: [] }
}
