import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const folder = path.join(import.meta.dirname, 'examples')
const page = readFileSync(path.join(import.meta.dirname, 'server.md'), 'utf8')
const examples = readdirSync(folder).filter(
  (name) => name.endsWith('.ts') && !/\.(test|test-support)\.ts$/.test(name) && name !== 'run.ts',
)

test('server.md shows every example, and nothing that is not in it', () => {
  const shown = page.split(/^(?=## )/m).flatMap((section) => {
    const [, file] = /\]\(examples\/([\w-]+\.ts)\)/.exec(section) ?? []
    return file === undefined ? [] : [{ file, section }]
  })
  expect(shown.map(({ file }) => file).toSorted()).toEqual(examples.toSorted())
  for (const { file, section } of shown) {
    const source = readFileSync(path.join(folder, file), 'utf8')
    const pieces = Array.from(section.matchAll(/^```ts\n(.*?)^```$/gms), ([, piece = '']) => piece)
    expect(pieces, file).not.toEqual([])
    for (const piece of pieces) expect(source, `this piece is not in ${file}:\n${piece}`).toContain(piece)
  }
})

test('every example is run by a test', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  const tests = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n')
  for (const example of examples)
    expect(tests, example).toMatch(new RegExp(`^(test|inBothEras)\\(\\s*'${path.parse(example).name}'`, 'm'))
})
