import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asScript, keptScript } from './kept-script.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-kept-'))
  await mkdir(path.join(folder, 'build-1'))
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  const lazy = "exports.other = () => scriptImport('./other.js')"
  const code = `var exports = module.exports; exports.greet = (name) => 'hello ' + name; ${lazy}`
  await write('build-1/code.cjs', asScript(code))
  await write('build-1/code.js', keptScript('code.cjs', '../kept', ['greet', 'other']))
  await write('build-1/other.js', "export { greet } from './code.js'")
  const run = "const again = await other(); console.log(greet('you'), again.greet === greet)"
  await write('run.js', `import { greet, other } from './build-1/code.js'; ${run}`)
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const write = (name: string, text: string) => writeFile(path.join(folder, name), text)
const start = async () => (await promisify(execFile)(process.execPath, [path.join(folder, 'run.js')])).stdout

test('a script is run once, by whoever imports it, and its code is kept by the first process alone', async () => {
  expect(await start()).toBe('hello you true\n')
  const [kept, ...others] = await readdir(path.join(folder, 'kept'))
  expect([kept, others]).toEqual([`build-1-${process.version}-${process.arch}`, []])
  const file = path.join(folder, 'kept', kept ?? '')
  const { ino, size } = await stat(file)
  expect(size).toBeGreaterThan(0)

  expect(await start()).toBe('hello you true\n')
  expect((await stat(file)).ino).toBe(ino)
})

test('code that V8 does not take is made again', async () => {
  const file = path.join(folder, 'kept', `build-1-${process.version}-${process.arch}`)
  await mkdir(path.dirname(file))
  await writeFile(file, 'none')
  expect(await start()).toBe('hello you true\n')
  expect((await readFile(file)).length).toBeGreaterThan(100)
})

test('where nothing can be kept, it runs all the same', async () => {
  await write('kept', 'a file in the place of the folder')
  expect(await start()).toBe('hello you true\n')
})
