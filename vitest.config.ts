import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests of what a process does once: each gets a process of its own. */
const ALONE = ['server-core/server/deprecated/warnings.test.ts']

export default defineConfig({
  test: {
    // Only what hangs takes so long: a machine with much to do is slow in everything.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000, interval: 20 } },
    maxWorkers: 2,
    // The processes that tests start load the same modules again and again.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules', '.cache', 'compiled') },
    setupFiles: ['server-core/close-left-open.test-support.ts', 'server-core/same-draws.test-support.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: [
            'server-core/**/*.test.ts',
            'renderer/**/*.test.{ts,tsx}',
            'electron/**/*.test.ts',
            'e2e/**/*.test.ts',
            'api/**/*.test.ts',
            'docs/**/*.test.ts',
            'examples/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...ALONE],
          // Nothing that a file leaves behind may trouble the next; loading everything again for each doubles the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        // The fast path of the listener changes nothing: what holds with it holds without it.
        extends: true,
        test: {
          name: 'without the fast path',
          include: ['server-core/server/interop/http-*.test.ts'],
          env: { PATCHBAY_FAST_PATH: 'off' },
          isolate: false,
        },
      },
    ],
  },
})
