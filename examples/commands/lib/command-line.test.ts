import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandLine } from './command-line.ts'
import { inputSchema, type Program } from './declaration.ts'

const program: Program = {
  title: 'Example',
  description: 'An example.',
  program: 'example',
  words: ['--no-pager', 'log'],
  arguments: {
    count: { description: 'How many', type: 'number', option: '--max-count', joined: true, default: 10 },
    quiet: { description: 'Quiet', type: 'flag', option: '-q' },
    author: { description: 'By whom', type: 'text', option: '--author' },
    files: { description: 'Which', type: 'paths' },
    input: { description: 'Input', type: 'text', isInput: true },
  },
  endsOptions: true,
  readOnly: true,
}
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'commands-'))
  await mkdir(path.join(folder, 'src'))
  await writeFile(path.join(folder, 'src', '-rf $(x).txt'), '')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

test('each value is a word of its own, whatever is in it', async () => {
  const values = {
    quiet: true,
    author: 'a b; rm -rf "$HOME"',
    files: ['src/-rf $(x).txt', 'src'],
    input: 'x',
  }
  expect(await commandLine(program, values, folder)).toEqual({
    words: [
      '--no-pager',
      'log',
      '--max-count=10',
      '-q',
      '--author',
      'a b; rm -rf "$HOME"',
      '--',
      path.join('src', '-rf $(x).txt'),
      'src',
    ],
    input: 'x',
  })
})

test('a path that leads out of the folder is refused, also through a link', async () => {
  await symlink('/', path.join(folder, 'root'))
  for (const file of ['..', '../x', '/', 'root/etc', 'src/../..'])
    await expect(commandLine(program, { files: [file] }, folder)).rejects.toThrow(
      /"files" (leads out|names nothing)/,
    )
})

test('a value that could pass for an option is refused where the program does not end its options', async () => {
  const { endsOptions: _ends, ...rest } = program
  const open: Program = { ...rest, arguments: { word: { description: 'A word', type: 'text' } } }
  await expect(commandLine(open, { word: '--output=/etc/passwd' }, folder)).rejects.toThrow(
    '"word" may not begin with -',
  )
  await expect(commandLine(open, { word: 'a\0b' }, folder)).rejects.toThrow('"word" has a character')
})

test('the declared arguments are the schema', () => {
  expect(inputSchema(program)).toEqual({
    type: 'object',
    properties: {
      count: { type: 'integer', description: 'How many', default: 10 },
      quiet: { type: 'boolean', description: 'Quiet' },
      author: { type: 'string', description: 'By whom' },
      files: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Which' },
      input: { type: 'string', description: 'Input' },
    },
    additionalProperties: false,
  })
})
