import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { PARTS } from '../soak/parts.ts'
import { ATTACKS } from './attacks.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const packageSchema = z.object({ dependencies: z.record(z.string(), z.string()) })

/** The last cell of each row of the table of boundaries, by the first. */
function shownBy(): ReadonlyMap<string, string> {
  const page = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8')
  const [, section = ''] = page.split('## Boundaries\n')
  const [table = ''] = section.split('\n## ')
  const rows = table.split('\n').filter((line) => /^\| [A-Z]/.test(line))
  return new Map(
    rows.slice(1).map((row) => {
      const cells = row.split(' | ')
      return [cells[0]?.replace('| ', '').trim() ?? '', cells.at(-1) ?? '']
    }),
  )
}

const quoted = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name)

function exists(name: string): boolean {
  const isPath = name.includes('/') && !name.startsWith('patchbay/')
  if (isPath) return existsSync(path.join(ROOT, name))
  if (name.startsWith('patchbay/'))
    return readFileSync(path.join(ROOT, 'oxlint.config.ts'), 'utf8').includes(name)
  const pattern = new RegExp(`^${name.replace('*', '.*')}$`)
  return PARTS.some((part) => pattern.test(part.name))
}

test('each trust boundary names tests and attacks that exist', () => {
  const boundaries = shownBy()
  expect(boundaries.size).toBeGreaterThan(15)
  for (const [boundary, cell] of boundaries) {
    expect(quoted(cell), boundary).not.toEqual([])
    expect(
      quoted(cell).filter((name) => !exists(name)),
      boundary,
    ).toEqual([])
  }
})

test('each attack is named at a boundary', () => {
  const page = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8')
  expect(ATTACKS.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('versions of production packages are exact', () => {
  const { dependencies } = packageSchema.parse(
    JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')),
  )
  expect(
    Object.entries(dependencies).filter(([, version]) =>
      /[\^~*x<>|]|^$/.test(version.replace('npm:', '').replace(/.*@/, '')),
    ),
  ).toEqual([])
})
