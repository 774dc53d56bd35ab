import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeWorkspace } from '../workspace/new-workspace.ts'
import { readCommand } from './command.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const made = await mkdtemp(path.join(tmpdir(), 'patchbay-documented-'))
afterAll(() => rm(made, { recursive: true, force: true }))

/** Pages that show command lines, by name. */
async function pages(): Promise<ReadonlyMap<string, string>> {
  await makeWorkspace(made)
  const docs = (await readdir(path.join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'))
  const examples = ['birds', 'commands', 'decisions', 'memory', 'notes']
  const files = [
    path.join(ROOT, 'README.md'),
    ...docs.map((name) => path.join(ROOT, 'docs', name)),
    ...examples.map((name) => path.join(ROOT, 'examples', name, 'README.md')),
    path.join(made, 'README.md'),
  ]
  return new Map(
    await Promise.all(
      files.map(async (file) => [path.relative(ROOT, file), await readFile(file, 'utf8')] as const),
    ),
  )
}

/** The words of each `patchbay` command in a block of shell; behind `--` there may be another one. */
function commandsIn(page: string): readonly (readonly string[])[] {
  const blocks = Array.from(page.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block)
  const lines = blocks.join('\n').replaceAll('\\\n', ' ').split('\n')
  return lines.flatMap((line) => {
    const words = wordsOf(line)
    return words.flatMap((word, at) => {
      if (word !== 'patchbay') return []
      return [words.slice(words[at + 1] === '--' ? at + 2 : at + 1)]
    })
  })
}

/** As a shell takes them apart, without comments and files for standard input. */
function wordsOf(line: string): readonly string[] {
  const words = line.replace(/(^|\s)[#<].*/, '').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

it('reads every command line that is shown, on every page and in what init writes', async () => {
  let count = 0
  for (const [name, page] of await pages()) {
    for (const words of commandsIn(page)) {
      count += 1
      await expect(readCommand(words), `${name}: patchbay ${words.join(' ')}`).resolves.toBeDefined()
    }
  }
  expect(count).toBeGreaterThan(30)
})
