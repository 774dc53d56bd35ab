import { loadCatalogue } from '../../conformance/catalogue/load-catalogue.ts'
import { loadChecks } from '../../conformance/checks/load-checks.ts'
import { conformanceReport } from '../../conformance/report/conformance-report.ts'
import type { ConformanceReport } from '../../conformance/report/report-schema.ts'
import type { RunOptions, RunReport } from '../../conformance/run/run-options.ts'
import { suiteNamed } from '../../conformance/suites/suite.ts'
import { masking } from '../output/output.ts'
import { failuresOf, readBaseline, type NamedBaseline } from './baseline-file.ts'
import type { RunSettings } from './report-flags.ts'
import { repeatingWords, shellLine } from './run-command.ts'
import { versionsHere } from './versions.ts'

/** A whole run takes at most so long unless a timeout was chosen. */
const BUDGET_MS = 15 * 60_000

/** What was examined, in words of the command line. */
export type Examined = {
  readonly side: 'server' | 'client'
  /** Where the peer does not give its own name. */
  readonly name: string
  /** Where it is: an address or a command. */
  readonly target: readonly string[]
  /** The words that name it and what may be called, so that a line of the report can repeat a check. */
  readonly words: readonly string[]
}

export type PreparedRun = {
  readonly baseline: NamedBaseline | undefined
  readonly options: Omit<RunOptions, 'subject'>
  report(results: RunReport, examined: Examined): ConformanceReport
}

/**
 * Reads what a run of `check` or `exam` needs before it begins: catalogue, suite, baseline, and the failures of an
 * earlier report. Rejects with a `UsageError` for a file that cannot be used.
 *
 * @param budgetMs milliseconds for the whole run; 15 minutes if not given
 */
export async function prepareRun(
  settings: RunSettings,
  signal: AbortSignal,
  budgetMs: number = BUDGET_MS,
): Promise<PreparedRun> {
  const baseline = await readBaseline(settings)
  const only = settings.again === undefined ? undefined : await failuresOf(settings.again)
  const [catalogue, checks] = await Promise.all([loadCatalogue(), loadChecks()])
  const suite = await suiteNamed(settings.suite, catalogue)
  const { grep, repeat, seed, parallel } = settings
  const startedAt = new Date()
  return {
    baseline,
    options: {
      catalogue,
      checks,
      only: (id, cell) => (suite.only?.(id, cell) ?? true) && (only?.(id, cell) ?? true),
      slow: settings.slow || suite.slow === true,
      ends: settings.ends || suite.ends === true,
      destructive: settings.destructive || suite.destructive === true,
      budgetMs,
      signal,
      ...(grep !== undefined && { grep }),
      ...(repeat !== undefined && { repeat }),
      ...(seed !== undefined && { seed }),
      ...(parallel !== undefined && { parallel }),
    },
    report(results, { side, name, target, words }) {
      const command = side === 'server' ? 'check' : 'exam'
      const repeated = { ...settings, seed: results.seed }
      const line = (all: readonly string[]) => masking.text(shellLine(all))
      const { peer } = results
      return conformanceReport(results, {
        catalogue,
        masking,
        startedAt,
        subject: {
          side,
          name: masking.text(peer?.name ?? name),
          ...(peer?.version !== undefined && { version: masking.text(peer.version) }),
          target: line(target),
        },
        versions: versionsHere(),
        command: line([...repeatingWords(command, repeated), ...words]),
        repeat: (id, cell) => line([...repeatingWords(command, repeated, { id, cell }), ...words]),
        suite: { name: settings.suite, hasScore: suite.hasScore },
        ...(baseline !== undefined && { baseline }),
      })
    },
  }
}
