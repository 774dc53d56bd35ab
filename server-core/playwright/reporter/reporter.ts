import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { FullConfig, FullResult, Reporter, Suite, TestError } from '@playwright/test/reporter'
import { messageOf } from '../../protocol/error-message.ts'
import { githubAnnotations, githubSummary } from './github.ts'
import { html } from './html.ts'
import { junit } from './junit.ts'
import type { RunReport } from './report-schema.ts'
import { runReport } from './run-report.ts'
import { sarif } from './sarif.ts'
import { tap } from './tap.ts'

/** Which reports are written, by file; relative to the folder of the configuration. */
export type ReporterOptions = {
  /** One HTML file that works offline. */
  readonly html?: string
  readonly junit?: string
  readonly sarif?: string
  readonly json?: string
  /** A file, or `-` for stdout. */
  readonly tap?: string
  /** Annotations and the summary of a job; where GitHub runs the tests unless given. */
  readonly github?: boolean
}

const FORMATS = { html, junit, sarif, json: jsonText, tap } as const
type Format = keyof typeof FORMATS
const NAMES = new Set(['configDir', ...Object.keys(FORMATS), 'github'])

/**
 * The reporter for `reporter` of a Playwright configuration, for example
 * `['mcp-patchbay/reporter', { html: 'report.html', junit: 'junit.xml' }]`. Without a file it writes `patchbay-report.html`.
 *
 * @example
 * ```ts
 * import { defineConfig } from '@playwright/test'
 * import type { ReporterOptions } from 'patchbay/reporter'
 *
 * const reports: ReporterOptions = { html: 'report.html', junit: 'junit.xml', github: false }
 * const config = defineConfig({ reporter: [['list'], ['patchbay/reporter', reports]] })
 * console.log(config.reporter)
 * ```
 */
export class PatchbayReporter implements Reporter {
  readonly #options: ReporterOptions
  readonly #errors: TestError[] = []
  #config: FullConfig | undefined
  #suite: Suite | undefined

  /** Made by Playwright. Throws a `TypeError` for an unknown option. */
  constructor(options: ReporterOptions = {}) {
    const unknown = Object.keys(options).filter((name) => !NAMES.has(name) && !name.startsWith('_'))
    if (unknown.length > 0) {
      const known = [...Object.keys(FORMATS), 'github'].join(', ')
      throw new TypeError(`mcp-patchbay/reporter has no option "${unknown.join('", "')}"; there are ${known}`)
    }
    const isNothing = [...Object.keys(FORMATS), 'github'].every(
      (name) => options[name as Format] === undefined,
    )
    this.#options = isNothing ? { html: 'patchbay-report.html' } : options
  }

  printsToStdio(): boolean {
    return this.#options.tap === '-'
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.#config = config
    this.#suite = suite
  }

  onError(error: TestError): void {
    this.#errors.push(error)
  }

  async onEnd(result: FullResult): Promise<void> {
    if (this.#config === undefined || this.#suite === undefined) return
    const report = runReport({ config: this.#config, suite: this.#suite, result, errors: this.#errors })
    const { configFile, rootDir } = this.#config
    const folder = configFile === undefined ? rootDir : path.dirname(configFile)
    for (const format of Object.keys(FORMATS) as Format[]) {
      const file = this.#options[format]
      if (file === '-') process.stdout.write(FORMATS[format](report))
      else if (file !== undefined) await write(path.resolve(folder, file), FORMATS[format](report))
    }
    const { github = process.env['GITHUB_ACTIONS'] === 'true' } = this.#options
    if (github) await tellGithub(report)
  }
}

async function tellGithub(report: RunReport): Promise<void> {
  process.stdout.write(githubAnnotations(report))
  const summary = process.env['GITHUB_STEP_SUMMARY']
  if (summary !== undefined && summary !== '') await appendFile(summary, githubSummary(report))
}

/** A report that cannot be written is not a failure of the tests. */
async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    process.stderr.write(`mcp-patchbay/reporter: ${file} cannot be written: ${messageOf(error)}\n`)
  }
}

function jsonText(report: RunReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`
}
