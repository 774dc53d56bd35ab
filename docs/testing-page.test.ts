import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { removeRun, runTests } from '../server-core/playwright/failures.test-support.ts'

const page = readFileSync(path.join(import.meta.dirname, 'testing.md'), 'utf8')
// In the repository the package has another name.
const blocks = Array.from(page.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) =>
  code.replaceAll('mcp-patchbay/', 'patchbay/'),
)
const isConfig = (code: string): boolean => code.includes('export default')
const isFailing = (code: string): boolean => code.includes('// fails')
const passing = blocks.filter((code) => !isConfig(code) && !isFailing(code))
const configs = blocks.filter(isConfig)
/** The pieces of the output that the page shows for the test that fails. */
const shown = (/^```text\n(.*?)^```$/ms.exec(page)?.[1] ?? '').split(/[\n…]/)

it('every test of testing.md passes but the one that shows a failure, and every configuration loads', async () => {
  expect([passing.length, configs.length, blocks.filter(isFailing).length]).toEqual([4, 2, 1])
  const loads = configs.map(
    (_, index) => `test('configuration ${index}', () => import('./config-${index}.ts'))`,
  )
  const ran = await runTests(
    {
      ...Object.fromEntries(passing.map((code, index) => [`page-${index}.spec.ts`, code])),
      'z-fails.spec.ts': blocks.find(isFailing) ?? '',
      ...Object.fromEntries(configs.map((code, index) => [`config-${index}.ts`, code])),
      'configs.spec.ts': `import { test } from '@playwright/test'\n${loads.join('\n')}\n`,
    },
    { reporter: 'list', timeout: 60_000 },
  )
  onTestFinished(() => removeRun(ran))
  expect(ran.stdout).toMatch(/^ +1 failed\n.* › adds words /m)
  expect(ran.stdout).toMatch(/^ +\d+ passed/m)
  for (const text of shown) expect(ran.stdout).toContain(text)
}, 300_000)
