import { expect, it } from 'vitest'
import { exampleResults, reportOf } from '../../conformance/report/report.test-support.ts'
import { describeReport } from './show-report.ts'

it('shows problems, the pages of failed checks and the counts', async () => {
  const text = describeReport(await reportOf(exampleResults()), false)
  expect(text).toMatch(/^failed +jsonrpc\.unknown-method\.server +2025-11-25 +stdio/)
  expect(text).toMatch(
    /What the failed checks examine:\n {2}https:.*\/docs\/checks\/jsonrpc\.unknown-method\.server\.md\n\n/,
  )
  // Warnings have no page here: there may be many.
  expect(text).not.toContain('checks/ping')
  expect(text).toContain('2 passed, 1 failed, 1 warned, 1 inconclusive, 1 not applicable')
})
