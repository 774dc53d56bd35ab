import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from './limits.ts'

it('are documented one by one, with their defaults', () => {
  const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` +\| +([\d,]+) \| \S.*? +\| (\S.*?) +\|$/gm)]
  const documented = rows.map(([, name, value]) => [name, Number(value?.replaceAll(',', ''))])
  expect(documented).toEqual(Object.entries(DEFAULT_LIMITS))
})
