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

it('every test of testing.md passes, and every configuration loads', async () => {
  const tests = blocks.filter((code) => !isConfig(code))
  const configs = blocks.filter(isConfig)
  expect([tests.length, configs.length]).toEqual([3, 2])
  const loads = configs.map(
    (_, index) => `test('configuration ${index}', () => import('./config-${index}.ts'))`,
  )
  const ran = await runTests(
    {
      ...Object.fromEntries(tests.map((code, index) => [`page-${index}.spec.ts`, code])),
      ...Object.fromEntries(configs.map((code, index) => [`config-${index}.ts`, code])),
      'configs.spec.ts': `import { test } from '@playwright/test'\n${loads.join('\n')}\n`,
    },
    { reporter: 'list', timeout: 60_000 },
  )
  onTestFinished(() => removeRun(ran))
  expect(ran.code, ran.stdout).toBe(0)
  expect(ran.stdout).toContain('6 passed')
}, 300_000)
