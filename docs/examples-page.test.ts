import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync(path.join(import.meta.dirname, 'examples.md'), 'utf8')
const folder = path.join(import.meta.dirname, '../examples')
const workspaces = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())

test('examples.md walks through every workspace', () => {
  const sections = Array.from(page.matchAll(/^## (.*)$/gm), ([, name]) => name)
  expect(sections).toEqual(expect.arrayContaining(workspaces.map(({ name }) => name)))
  for (const { name } of workspaces) expect(page, name).toContain(`](../examples/${name}/README.md)`)
})

test('what examples.md shows is in the files that it names', () => {
  const shown = Array.from(page.matchAll(/^\[[^\]]+\]\((\S+\.ts)\)\n\n```ts\n(.*?)^```$/gms))
  expect(shown.length).toBe(page.match(/^```ts$/gm)?.length)
  for (const [, file = '', piece = ''] of shown) {
    // A piece begins at the margin, wherever it is in its file.
    const source = atMargin(readFileSync(path.join(import.meta.dirname, file), 'utf8'))
    expect(source, `this piece is not in ${file}:\n${piece}`).toContain(atMargin(piece))
  }
})

test('every file that the pages of the workspaces name is there', () => {
  for (const { name } of workspaces) {
    const readme = readFileSync(path.join(folder, name, 'README.md'), 'utf8')
    const files = Array.from(
      readme.matchAll(/`([\w-]+\/[\w/-]+\.(?:ts|json|yaml)|[\w-]+\.ts|[\w-]+\.yaml)`/g),
    )
    const near = ['', 'lib', 'guardrails'].map((part) => path.join(folder, name, part))
    for (const [, file = ''] of files)
      expect(
        near.some((place) => existsSync(path.join(place, file))),
        `${name}: ${file}`,
      ).toBe(true)
  }
})

function atMargin(text: string): string {
  return text.replaceAll(/^ +/gm, '')
}
