import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFirstWord } from './first-word.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-words-'))
  for (const name of ['docker', 'cal', 'node', 'my-server']) {
    await writeFile(path.join(folder, name), '')
    await chmod(path.join(folder, name), 0o755)
  }
  await writeFile(path.join(folder, 'server.js'), '')
  await writeFile(path.join(folder, 'notes.txt'), '')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const read = (word: string) => readFirstWord(word, folder, { PATH: folder })

test.each([
  ['https://mcp.example/mcp', 'address'],
  ['WS://127.0.0.1:4040/ws', 'address'],
  ['node', 'program'],
  // Two letters away from a command.
  ['docker', 'program'],
  ['./my-server', 'program'],
  ['./cal', 'program'],
])('%s is an %s', async (word, kind) => {
  expect(await read(word)).toBe(kind)
})

test.each([
  // A program on PATH, one letter away from a command.
  ['cal', 'there is no command "cal"; did you mean "call"? To run the program cal: patchbay -- cal'],
  ['lst', 'there is no command "lst"; did you mean "list"'],
  ['server.js', 'to run it as a server: patchbay node server.js'],
  ['./notes.txt', './notes.txt is not an executable file'],
  ['./missing', './missing does not exist'],
  ['frobnicate', 'there is no command "frobnicate" and no such program on PATH'],
])('%s is refused', async (word, message) => {
  await expect(read(word)).rejects.toThrow(message)
})
