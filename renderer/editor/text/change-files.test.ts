import { beforeEach, expect, it } from 'vitest'
import type { FileText, Saved } from '../../../server-core/host/contract/editor.ts'
import type { TextEdit } from '../language/symbol-replies.ts'
import { changeFiles, type FilesToChange } from './change-files.ts'
import { EditedDocument, type FileHost } from './document.ts'

class Disk implements FileHost {
  readonly files = new Map<string, FileText>()
  saves = 0

  put(file: string, text: string, readOnly?: string): void {
    this.files.set(file, { text, version: `v ${text}`, ...(readOnly !== undefined && { readOnly }) })
  }

  text(file: string): string | undefined {
    return this.files.get(file)?.text
  }

  read({ file }: { file: string }): Promise<FileText> {
    const found = this.files.get(file)
    return found === undefined
      ? Promise.reject(new Error(`The workspace contains no file ${file}.`))
      : Promise.resolve(found)
  }

  save({ file, text, version }: { file: string; text: string; version: string | null }): Promise<Saved> {
    this.saves += 1
    const found = this.files.get(file)
    if (found === undefined) return Promise.resolve({ state: 'gone' })
    if (found.version !== version) return Promise.resolve({ state: 'conflict', ...found })
    this.put(file, text)
    return Promise.resolve({ state: 'saved', version: `v ${text}` })
  }
}

let disk: Disk
let tabs: Map<string, EditedDocument>
let files: FilesToChange
beforeEach(() => {
  disk = new Disk()
  tabs = new Map()
  disk.put('lib/a.ts', 'export const sun = 1\n')
  disk.put('tools/b.ts', "import { sun } from '../lib/a.ts'\nsun + sun\n")
  disk.put('tools/c.ts', 'const { sun } = all\n')
  files = {
    host: disk,
    open: (file) => {
      const document = tabs.get(file)
      return document && Promise.resolve(document)
    },
    save: async (document) => (await document.save()) === 'saved',
  }
})

function open(file: string): EditedDocument {
  const document = new EditedDocument(file, disk.files.get(file), disk, () => [])
  tabs.set(file, document)
  return document
}

const at = (line: number, character: number, newText = 'moon'): TextEdit => ({
  range: { start: { line, character }, end: { line, character: character + 3 } },
  newText,
})
const SUN = { before: 'sun', kind: 'variable' } as const
const EDITS = new Map([
  ['lib/a.ts', [at(0, 13)]],
  ['tools/b.ts', [at(0, 9), at(1, 0), at(1, 6)]],
  ['tools/c.ts', [at(0, 8)]],
])
const RENAMED = [
  'export const moon = 1\n',
  "import { moon } from '../lib/a.ts'\nmoon + moon\n",
  'const { sun: moon } = all\n',
]
const texts = () => [...EDITS.keys()].map((file) => disk.text(file))

it('changes files with and without a tab on the disk, and takes it back', async () => {
  const before = texts()
  const a = open('lib/a.ts')
  const changed = await changeFiles(EDITS, SUN, files)
  expect(changed).toMatchObject({ files: [...EDITS.keys()], unsaved: [] })
  expect(texts()).toEqual(RENAMED)
  expect(a.state.doc.toString()).toBe(RENAMED[0])
  expect(a.facts.get().isUnsaved).toBe(false)
  expect(await changed.undo()).toEqual([])
  expect(texts()).toEqual(before)
  expect(a.state.doc.toString()).toBe(before[0])
})

it('leaves a file unsaved that had something unsaved, and what was typed in it', async () => {
  const b = open('tools/b.ts')
  b.dispatch({ changes: { from: b.state.doc.length, insert: '// typed' } })
  const { unsaved } = await changeFiles(EDITS, SUN, files)
  expect(unsaved).toEqual(['tools/b.ts'])
  expect(b.state.doc.toString()).toBe(`${RENAMED[1]}// typed`)
  expect(disk.text('tools/b.ts')).toContain('{ sun }')
})

it('changes all or nothing: not where one is read-only, has another text, or cannot be saved', async () => {
  const before = texts()
  disk.put('tools/c.ts', 'const { sun } = all\n', 'Patchbay writes this file.')
  await expect(changeFiles(EDITS, SUN, files)).rejects.toThrow(
    'Cannot change tools/c.ts. Patchbay writes this file. Nothing was changed.',
  )
  expect(disk.saves).toBe(0)

  disk.put('tools/c.ts', '\nconst { sun } = all\n')
  await expect(changeFiles(EDITS, SUN, files)).rejects.toThrow('tools/c.ts changed meanwhile')
  expect(disk.saves).toBe(0)

  disk.put('tools/c.ts', 'const { sun } = all\n')
  const a = open('lib/a.ts')
  const saving: FilesToChange = {
    ...files,
    host: {
      read: (input) => disk.read(input),
      save: (input) => (input.file === 'tools/c.ts' ? Promise.resolve({ state: 'gone' }) : disk.save(input)),
    },
  }
  await expect(changeFiles(EDITS, SUN, saving)).rejects.toThrow('tools/c.ts changed meanwhile')
  expect(texts()).toEqual(before)
  expect(a.state.doc.toString()).toBe(before[0])
})

it('changes nothing where somebody typed while the others were written', async () => {
  const before = texts()
  const a = open('lib/a.ts')
  let hasTyped = false
  const typing: FilesToChange = {
    ...files,
    host: {
      read: (input) => disk.read(input),
      save: (input) => {
        if (!hasTyped) a.dispatch({ changes: { from: 0, insert: '// typed\n' } })
        hasTyped = true
        return disk.save(input)
      },
    },
  }
  await expect(changeFiles(EDITS, SUN, typing)).rejects.toThrow('lib/a.ts changed meanwhile')
  expect(texts()).toEqual(before)
  expect(a.state.doc.toString()).toBe(`// typed\n${before[0]}`)
  expect(a.facts.get().isUnsaved).toBe(true)
})

it('takes nothing back of what was changed since', async () => {
  const a = open('lib/a.ts')
  const changed = await changeFiles(EDITS, SUN, files)
  a.dispatch({ changes: { from: 0, insert: '// more\n' } })
  disk.put('tools/b.ts', 'something else')
  expect(await changed.undo()).toEqual(['lib/a.ts', 'tools/b.ts'])
  expect(a.state.doc.toString()).toBe(`// more\n${RENAMED[0]}`)
  expect(disk.text('tools/b.ts')).toBe('something else')
  expect(disk.text('tools/c.ts')).toBe('const { sun } = all\n')
})
