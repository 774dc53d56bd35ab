import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { history, undo } from '@codemirror/commands'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { HostError } from '../../../server-core/host/host-error.ts'
import { WorkspaceFiles } from '../../../server-core/host/editor/workspace-files.ts'
import { EditedDocument, type FileHost } from './document.ts'

const FILE = 'a.ts'
let folder: string
let host: FileHost

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-document-'))
  const files = new WorkspaceFiles(folder)
  host = {
    read: ({ file }) => files.read(file),
    save: ({ file, text, version }) => files.save(file, text, version),
  }
  await onDisk('one\ntwo\n')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const onDisk = (text: string): Promise<void> => writeFile(path.join(folder, FILE), text)
const read = (): Promise<string> => readFile(path.join(folder, FILE), 'utf8')
const open = async (): Promise<EditedDocument> =>
  new EditedDocument(FILE, await host.read({ file: FILE }), host, () => [history()])
const textOf = (document: EditedDocument): string => document.state.doc.toString()
const type = (document: EditedDocument, text: string): void =>
  document.dispatch({ changes: { from: 0, insert: text }, userEvent: 'input.type' })
const undone = (document: EditedDocument): boolean =>
  undo({ state: document.state, dispatch: (transaction) => document.took(transaction.state) })

it('is unsaved from the first letter until it is saved or undone', async () => {
  const document = await open()
  expect(document.facts.get().isUnsaved).toBe(false)
  type(document, 'x')
  expect(document.facts.get().isUnsaved).toBe(true)
  undone(document)
  expect(document.facts.get().isUnsaved).toBe(false)
  type(document, 'mine ')
  expect(await document.save()).toBe('saved')
  expect(document.facts.get()).toEqual({
    isUnsaved: false,
    isSaving: false,
    conflict: undefined,
    isMerging: false,
  })
  expect(await read()).toBe('mine one\ntwo\n')
})

it('stays unsaved when something was typed while it was being saved', async () => {
  const slow: FileHost = {
    ...host,
    save: (input) => {
      if (input.text.startsWith('first')) type(document, 'second ')
      return host.save(input)
    },
  }
  const document = new EditedDocument(FILE, await host.read({ file: FILE }), slow, () => [])
  type(document, 'first ')
  await document.save()
  expect(document.facts.get().isUnsaved).toBe(true)
  await Promise.all([document.save(), document.save()])
  expect(await read()).toBe('second first one\ntwo\n')
})

it('takes over what others write, as a change that can be undone, unless something is unsaved', async () => {
  const document = await open()
  await onDisk('one\nother\ntwo\n')
  await document.look()
  expect(textOf(document)).toBe('one\nother\ntwo\n')
  expect(document.facts.get()).toMatchObject({ isUnsaved: false, conflict: undefined })
  undone(document)
  expect(textOf(document)).toBe('one\ntwo\n')
  expect(document.facts.get().isUnsaved).toBe(true)

  await onDisk('theirs\n')
  await document.look()
  expect(textOf(document)).toBe('one\ntwo\n')
  expect(document.facts.get().conflict).toMatchObject({ kind: 'changed', text: 'theirs\n' })
})

it('is merged with what others wrote, and saved over that only', async () => {
  const document = await open()
  type(document, 'mine\n')
  await onDisk('theirs\n')
  expect(await document.save()).toBe('conflict')
  const { conflict } = document.facts.get()
  if (conflict === undefined) throw new Error('there is no conflict')
  await onDisk('theirs again\n')
  expect(await document.resolve(conflict, 'mine\ntheirs\n')).toBe('conflict')
  expect(await read()).toBe('theirs again\n')
  const again = document.facts.get().conflict
  if (again === undefined) throw new Error('there is no conflict')
  expect(await document.resolve(again, 'mine\ntheirs again\n')).toBe('saved')
  expect(await read()).toBe('mine\ntheirs again\n')
  undone(document)
  expect(textOf(document)).toBe('mine\ntheirs\n')
})

it('forgets a conflict that went away: the disk is as it was, or as what is here', async () => {
  const document = await open()
  type(document, 'mine\n')
  await onDisk('theirs\n')
  await document.look()
  await onDisk('one\ntwo\n')
  await document.look()
  expect(document.facts.get().conflict).toBeUndefined()
  await onDisk('mine\none\ntwo\n')
  await document.look()
  expect(document.facts.get()).toMatchObject({ isUnsaved: false, conflict: undefined })
})

it('is kept when its file was removed, and creates it again on request', async () => {
  const document = await open()
  const remote: FileHost = {
    ...host,
    // What a refusal of the host is in the page.
    read: (input) =>
      host.read(input).catch((error: unknown) => {
        if (error instanceof HostError) throw Object.assign(new Error(error.message), { code: error.code })
        throw error
      }),
  }
  const far = new EditedDocument(FILE, await host.read({ file: FILE }), remote, () => [])
  await rm(path.join(folder, FILE))
  await far.look()
  expect(far.facts.get().conflict).toEqual({ kind: 'gone' })
  expect(await document.save()).toBe('gone')
  expect(await document.resolve({ kind: 'gone' }, textOf(document))).toBe('saved')
  expect(await read()).toBe('one\ntwo\n')
})

it('shows a draft over what is on the disk; undo goes back to that', async () => {
  const document = await open()
  const { version } = await host.read({ file: FILE })
  document.takeDraft({ text: 'one\nthree\n', version })
  expect(document.facts.get()).toMatchObject({ isUnsaved: true, conflict: undefined })
  undone(document)
  expect(textOf(document)).toBe('one\ntwo\n')

  const other = await open()
  other.takeDraft({ text: 'old\n', version: 'of another file' })
  expect(other.facts.get().conflict).toMatchObject({ kind: 'changed', text: 'one\ntwo\n' })
  expect(await other.save()).toBe('conflict')
  expect(await read()).toBe('one\ntwo\n')

  const gone = new EditedDocument(FILE, undefined, host, () => [])
  gone.takeDraft({ text: 'kept\n', version: 'any' })
  expect(gone.facts.get()).toMatchObject({ isUnsaved: true, conflict: { kind: 'gone' } })
})
