import type { TestCommand } from './test-flags.ts'

/** The names of Playwright's own configuration files. */
export const CONFIG_FILES = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((end) => `playwright.config.${end}`)

/** The text of a Playwright configuration for a folder without one: all tests in it, in parallel, with reports. */
export function readyMadeConfig(command: TestCommand, folder: string): string {
  const { server, revisions, transports } = command
  const cells = (revisions.length === 0 ? ['auto'] : revisions).flatMap((revision) =>
    (transports.length === 0 ? ['auto'] : transports).map((transport) => ({
      name: `${revision} ${transport}`,
      use: { revision, transport },
    })),
  )
  const isMatrix = revisions.length + transports.length > 0
  const config = {
    testDir: folder,
    testMatch: '**/*.{spec,test}.{ts,js,mts,mjs}',
    // A folder of a package has more than tests of a server in it.
    testIgnore: ['**/node_modules/**', '**/dist/**', '**/build/**'],
    outputDir: `${folder}/test-results`,
    fullyParallel: true,
    reporter: [['list'], ['html', { open: 'never', outputFolder: `${folder}/playwright-report` }]],
    use: { ...(server !== undefined && { server }) },
    ...(isMatrix && { projects: cells }),
  }
  return `export default ${JSON.stringify(config, undefined, 2)}\n`
}
