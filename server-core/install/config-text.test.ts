import { writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeConfigText, undoConfigText } from './config-text.ts'

let folder = ''
let file = ''

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-config-'))
  file = path.join(folder, 'mcp.json')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

test('what another program writes meanwhile is not lost', async () => {
  await writeFile(file, 'old')
  let calls = 0
  await changeConfigText({ file }, (text) => {
    calls += 1
    // It knows nothing of the lock.
    if (calls === 1) writeFileSync(file, 'theirs')
    return `${text}, ours`
  })
  expect(await readFile(file, 'utf8')).toBe('theirs, ours')
  await undoConfigText({ file })
  expect(await readFile(file, 'utf8')).toBe('theirs')
})

test('a program that never stops is reported', async () => {
  await writeFile(file, '')
  let calls = 0
  const change = changeConfigText({ file }, (text) => {
    calls += 1
    writeFileSync(file, `theirs ${calls}`)
    return `${text}, ours`
  })
  await expect(change).rejects.toMatchObject({ code: 'contended' })
  expect(await readFile(file, 'utf8')).toBe(`theirs ${calls}`)
  expect(await readdir(folder)).toEqual(['mcp.json'])
})

test('changes are taken back one after another, the last five at most', async () => {
  await writeFile(file, 'state 0')
  for (let number = 1; number <= 7; number += 1) {
    const { backup = '' } = await changeConfigText({ file }, () => `state ${number}`)
    // Clocks of file systems are coarse.
    await utimes(backup, number, number)
  }
  for (let number = 6; number >= 2; number -= 1) {
    await undoConfigText({ file })
    expect(await readFile(file, 'utf8')).toBe(`state ${number}`)
  }
  await expect(undoConfigText({ file })).rejects.toMatchObject({ code: 'no-undo' })
})
