import type { Project } from '@playwright/test'
import type { McpOptions } from './options.ts'

/** Which revisions and transports a suite runs on. */
export type Matrix = {
  readonly revisions?: readonly McpOptions['revision'][]
  readonly transports?: readonly McpOptions['transport'][]
}

/**
 * Returns a Playwright project for each pair of revision and transport, for `projects` of the configuration. Each is named
 * by its cell (`2025-11-25 http`), so that `--project` can choose one.
 *
 * @example
 * ```ts
 * import { defineConfig } from '@playwright/test'
 * import { matrix, type McpOptions } from 'patchbay/test'
 *
 * const config = defineConfig<McpOptions>({
 *   use: { server: { command: 'node', args: ['server.js'] } },
 *   projects: matrix({ revisions: ['2025-11-25', '2026-07-28'], transports: ['stdio'] }),
 * })
 * console.log(config.projects?.map(({ name }) => name)) // 2025-11-25 stdio, 2026-07-28 stdio
 * ```
 */
export function matrix({ revisions = ['auto'], transports = ['auto'] }: Matrix): Project<McpOptions>[] {
  return revisions.flatMap((revision) =>
    transports.map((transport) => ({
      name: revision === transport ? 'auto' : `${revision} ${transport}`,
      use: { revision, transport },
    })),
  )
}
