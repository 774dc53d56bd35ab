import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { apiReport, reportFile } from '../tools/api-report.ts'
import { readPublicExports } from '../tools/public-exports.ts'

it.each([...readPublicExports()])('the report of %s is up to date', async (entry, exports) => {
  const text = await readFile(reportFile(entry), 'utf8')
  expect(apiReport(entry, exports), 'the public API changed: run "npm run api:report"').toBe(text)
})
