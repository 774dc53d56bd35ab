import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'server-core/**/*.test.ts',
      'renderer/**/*.test.{ts,tsx}',
      'electron/**/*.test.ts',
      'e2e/**/*.test.ts',
      'docs/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
  },
})
