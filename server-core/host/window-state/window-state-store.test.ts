import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Redaction } from '../../capture/redaction.ts'
import { leftOpen } from '../../left-open.test-support.ts'
import { maskedPart } from './mask-stored.ts'
import { WindowStateStore } from './window-state-store.ts'

let folder: string
let file: string
let redaction: Redaction
let setAside: string[]
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-state-'))
  leftOpen.push(() => rm(folder, { recursive: true, force: true }))
  file = path.join(folder, 'here', 'state.json')
  redaction = new Redaction()
  setAside = []
})

function store(): WindowStateStore {
  return new WindowStateStore({
    file,
    workspace: '/work',
    masks: () => redaction,
    onSetAside: ({ reason, restored }) => setAside.push(`${reason} ${restored}`),
  })
}

describe('the state of the window', () => {
  it('is empty, then what was saved last of each part, in a file of its owner', async () => {
    const first = store()
    expect(await first.load()).toEqual({})
    await Promise.all([
      first.save({ tabs: '{"a":1}' }),
      first.save({ timeline: '{"b":2}' }),
      first.save({ tabs: '{"a":12345678901234567890}' }),
    ])
    const parts = { tabs: '{"a":12345678901234567890}', timeline: '{"b":2}' }
    expect(await first.load()).toEqual(parts)
    expect(await store().load()).toEqual(parts)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: 1, workspace: '/work' })
  })

  it.each(['', '{', 'null', '{"version":1,"parts":{"tabs":7}}', '{"version":2,"parts":{}}'])(
    'begins with the save before if the file is damaged, and keeps the file: %j',
    async (text) => {
      await store().save({ tabs: '[1]' })
      await writeFile(file, text)
      expect(await store().load()).toEqual({ tabs: '[1]' })
      expect(setAside).toEqual([expect.stringContaining(' true')])
      await store().save({ tabs: '[2]' })
      const aside = (await readdir(path.dirname(file))).filter((name) => name.includes('set-aside'))
      expect(aside).toHaveLength(1)
      expect(await readFile(path.join(path.dirname(file), aside[0] ?? ''), 'utf8')).toBe(text)
    },
  )

  it('begins empty if the copy is damaged too', async () => {
    await store().save({ tabs: '[1]' })
    await writeFile(file, '{')
    await writeFile(`${file}.previous`, '{')
    expect(await store().load()).toEqual({})
    expect(setAside).toEqual([expect.stringContaining(' false')])
  })

  it('is copied aside for a page that cannot read a part of it', async () => {
    const opened = store()
    await opened.save({ tabs: '{"format":0}' })
    const place = await opened.setAside()
    await opened.save({ tabs: '{}' })
    expect(await readFile(place, 'utf8')).toContain('format')
  })

  it('is not written if it is not JSON, and the next save is', async () => {
    const opened = store()
    await expect(opened.save({ tabs: '{' })).rejects.toThrow(SyntaxError)
    await opened.save({ tabs: '[]' })
    expect(await store().load()).toEqual({ tabs: '[]' })
  })
})

describe('secrets', () => {
  it('that are stored are in neither the file nor its copy', async () => {
    redaction.register('hunter2-"quoted"')
    redaction.register('12345678')
    const opened = store()
    const typed = JSON.stringify({
      text: 'x hunter2-"quoted" y',
      json: '{ "a": "hunter2-\\"quoted\\"" }',
      n: 12345678,
    })
    await opened.save({ tabs: typed })
    for (const name of await readdir(path.dirname(file))) {
      const text = await readFile(path.join(path.dirname(file), name), 'utf8')
      expect(text).not.toMatch(/hunter2|12345678/)
    }
    const { tabs = '' } = await store().load()
    expect(JSON.parse(tabs)).toEqual({ text: 'x  y', json: '{ "a": "" }', n: '' })
  })

  it('are found in any JSON, and what has none stays as it was', () => {
    redaction.register('s3cret')
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.boolean(), (json, isSecret) => {
        const text = isSecret ? `[${json},{"x s3cret":"s3cret"}]` : json
        fc.pre(!json.includes('s3cret'))
        const masked = maskedPart(text, redaction)
        expect(masked).not.toContain('s3cret')
        if (!isSecret) expect(masked).toBe(text)
        expect(() => JSON.parse(masked) as unknown).not.toThrow()
      }),
    )
  })
})
