import { existsSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { provideBrowser } from '../browser.ts'
import { shellExecutable } from '../shell/executable.ts'
import {
  countPlaywright,
  countProgram,
  countSummaryLine,
  countVitest,
  sum,
  SUMMARY_LINE,
  type Counts,
} from './reports.ts'
import { partFailures } from './failures.ts'
import { repository, runProgram } from './run-program.ts'

export type Runner = {
  readonly name: string
  /** What it checks, in words. */
  readonly what: string
  /** It leaves a processor idle for most of its time: the next one begins at once, and its words come when it is over. */
  readonly sharesMachine?: boolean
  /** `say` takes the words of what it starts; they are shown as they come if it is not given. */
  run(say?: (line: string) => void): Promise<Counts>
}

/** The same in every run, so that what was green stays green; `npm run soak` takes another each time. */
const SEED = '20261122'

const MODULES = ['server-core', 'api', 'tools', 'renderer', 'electron', 'e2e', 'bench', 'docs', 'examples']
const IMPORTS = ['--config', '.dependency-cruiser.cjs', ...MODULES]
const KNIP = ['--no-progress', '--treat-config-hints-as-errors']
const PRETTIER = ['--check', '--log-level', 'warn', '.']

/** All that `npm test` runs, in its order. */
export const RUNNERS: readonly Runner[] = [
  {
    name: 'typecheck',
    what: 'types',
    run: () => check('node_modules/typescript7/bin/tsc', ['-b']),
  },
  {
    name: 'lint',
    what: 'rules, imports between modules, unused code, format, phrases',
    sharesMachine: true,
    run: async (say) => {
      // The first takes as long as all the others.
      const rules = check('node_modules/oxlint/bin/oxlint', [], say)
      const others = [await check('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', IMPORTS, say)]
      others.push(await check('node_modules/knip/bin/knip.js', KNIP, say))
      others.push(await check('node_modules/prettier/bin/prettier.cjs', PRETTIER, say))
      others.push(await check('e2e/rules/check-phrases.ts', [], say))
      return sum([await rules, ...others])
    },
  },
  {
    name: 'unit',
    what: 'unit tests and interoperation',
    run: async () => {
      const report = reportFile('unit')
      const outcome = await runProgram('node_modules/vitest/vitest.mjs', [
        'run',
        '--reporter=dot',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ])
      return countVitest(report, outcome)
    },
  },
  {
    name: 'schemas',
    what: 'our wire schemas against the official schema files, where these are there',
    run: async () => {
      const folder = schemaFolder()
      if (!existsSync(folder)) {
        return {
          passed: 0,
          failed: 0,
          notes: [`did not run: no schema files in ${folder} (PATCHBAY_SCHEMAS)`],
          failures: [],
        }
      }
      const outcome = await runProgram('e2e/schemas/verify.ts', [folder, SEED], { leaveOut: SUMMARY_LINE })
      return countSummaryLine(outcome)
    },
  },
  { name: 'build', what: 'the build', run: () => check('server-core/launcher/build.ts', []) },
  {
    name: 'examples',
    what: 'the suites of the examples, by mcp-patchbay/test',
    run: async () => {
      const report = reportFile('examples')
      const words = ['test', '--config', 'examples/playwright.config.ts']
      const outcome = await runProgram('node_modules/@playwright/test/cli.js', words, {
        env: { PATCHBAY_REPORT: report },
      })
      return countPlaywright(report, outcome)
    },
  },
  {
    name: 'package',
    what: 'the npm package, installed by npm and pnpm, with Node 22 and 24',
    run: async () =>
      countSummaryLine(await runProgram('e2e/package/run.ts', [], { leaveOut: SUMMARY_LINE }), partFailures),
  },
  { name: 'window', what: 'the window in a browser', run: () => playwright('window') },
  {
    name: 'shell',
    what: 'the desktop shell',
    run: async () => {
      const { kind } = shellExecutable()
      const onWhat = kind === 'electron' ? "Electron's own executable" : 'the stand-in, not on Electron'
      const counts = await playwright('shell')
      return { ...counts, notes: [...counts.notes, `ran on ${onWhat}`] }
    },
  },
  {
    name: 'conformance',
    what: 'the official suite, against the floor we have reached',
    run: async () => {
      const outcome = await runProgram('e2e/conformance/run.ts', ['--floor'], { leaveOut: SUMMARY_LINE })
      return countSummaryLine(outcome)
    },
  },
  {
    name: 'soak',
    what: 'bad input and colliding clients, a small size of each',
    run: async () => {
      const outcome = await runProgram('e2e/soak/run.ts', ['--size', 'smoke', '--seed', SEED], {
        leaveOut: SUMMARY_LINE,
      })
      return countSummaryLine(outcome, partFailures)
    },
  },
]

/** One program that passes or fails as a whole. */
async function check(file: string, args: readonly string[], say?: (line: string) => void): Promise<Counts> {
  return countProgram(file, await runProgram(file, args, { say }))
}

async function playwright(project: string): Promise<Counts> {
  const browser = await provideBrowser((line) => console.error(line))
  const report = reportFile(project)
  const outcome = await runProgram(
    'node_modules/@playwright/test/cli.js',
    ['test', '--config', 'e2e/playwright.config.ts', '--project', project],
    // Traces take a third of the time: a spec that failed is run again by itself for one.
    { env: { PATCHBAY_CHROMIUM: browser, PATCHBAY_REPORT: report, PATCHBAY_TRACE: 'off' } },
  )
  return countPlaywright(report, outcome)
}

/** The official schema files are not part of the project: a folder that is named, or one beside it. */
function schemaFolder(): string {
  return path.resolve(repository, process.env['PATCHBAY_SCHEMAS'] ?? '../shared/schemas')
}

function reportFile(name: string): string {
  return path.join(mkdtempSync(path.join(os.tmpdir(), 'patchbay-report-')), `${name}.json`)
}
