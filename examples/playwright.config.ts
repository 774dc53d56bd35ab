import { defineConfig } from '@playwright/test'
import type { McpOptions } from 'patchbay/test'

/** The suites of the examples, run by `npm test` as the runner `examples`. */
export default defineConfig<McpOptions>({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results/examples',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // After this a test hangs; a busy machine is slow in everything.
  timeout: 180_000,
  reporter: [
    [process.env['CI'] === undefined ? 'list' : 'dot'],
    ['json', { outputFile: process.env['PATCHBAY_REPORT'] ?? '../test-results/examples.json' }],
  ],
})
