import type { Masking } from '../../capture/redaction.ts'
import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import { loadChecks } from '../checks/load-checks.ts'
import { conformanceReport, type ReportParts } from '../report/conformance-report.ts'
import { repeatingWords, shellLine } from '../report/repeat-command.ts'
import type { ConformanceReport } from '../report/report-schema.ts'
import { suiteNamed, type SuiteName } from '../suites/suite.ts'
import type { Cell } from '../verdict.ts'
import type { RunOptions, RunReport } from './run-options.ts'

/** A whole run takes at most so long unless a timeout was chosen. */
const BUDGET_MS = 15 * 60_000

/** What was chosen about a run, whoever starts it. */
export type RunChoices = {
  readonly suite: SuiteName
  readonly slow: boolean
  readonly ends: boolean
  readonly destructive: boolean
  readonly grep?: string
  readonly repeat?: number
  readonly seed?: number
  readonly parallel?: number
}

/** What a run needs of whoever starts it. */
export type RunSurroundings = {
  readonly signal: AbortSignal
  readonly masking: Masking
  readonly versions: ConformanceReport['versions']
  /** What is typed before the name of a command; `patchbay` if not given. */
  readonly program?: string
  /** Milliseconds for the whole run; 15 minutes if not given. */
  readonly budgetMs?: number
  /** Failures that are expected. */
  readonly baseline?: NonNullable<ReportParts['baseline']>
  /** Runs only these checks in these cells, such as those that failed before. */
  readonly only?: (id: string, cell: Cell) => boolean
}

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

export type PlannedRun = {
  readonly options: Omit<RunOptions, 'subject'>
  /** What a report has beside the results of its run. `peer` is what the peer calls itself. */
  readonly parts: (seed: number, examined: Examined, peer: RunReport['peer']) => ReportParts
  readonly report: (results: RunReport, examined: Examined) => ConformanceReport
}

/** Loads the checks of a run and settles its options and the parts of its report. */
export async function planRun(choices: RunChoices, surroundings: RunSurroundings): Promise<PlannedRun> {
  const { signal, masking, versions, program = 'patchbay', budgetMs = BUDGET_MS } = surroundings
  const { only, baseline } = surroundings
  const [catalogue, checks] = await Promise.all([loadCatalogue(), loadChecks()])
  const suite = await suiteNamed(choices.suite, catalogue)
  const { grep, repeat, seed: chosenSeed, parallel } = choices
  const startedAt = new Date()
  const parts = (seed: number, { side, name, target, words }: Examined, peer: RunReport['peer']) => {
    const command = side === 'server' ? 'check' : 'exam'
    const repeated = { ...choices, seed }
    const line = (all: readonly string[]): string => masking.text(shellLine(all))
    const commandLine = (all: readonly string[]): string => `${program} ${line([...all, ...words])}`
    return {
      catalogue,
      masking,
      startedAt,
      subject: {
        side,
        name: masking.text(peer?.name ?? name),
        ...(peer?.version !== undefined && { version: masking.text(peer.version) }),
        target: line(target),
      },
      versions,
      command: commandLine(repeatingWords(command, repeated)),
      repeat: (id: string, cell: Cell) => commandLine(repeatingWords(command, repeated, { id, cell })),
      suite: { name: choices.suite, hasScore: suite.hasScore },
      ...(baseline !== undefined && { baseline }),
    }
  }
  return {
    options: {
      catalogue,
      checks,
      only: (id, cell) => (suite.only?.(id, cell) ?? true) && (only?.(id, cell) ?? true),
      slow: choices.slow || suite.slow === true,
      ends: choices.ends || suite.ends === true,
      destructive: choices.destructive || suite.destructive === true,
      budgetMs,
      signal,
      ...(grep !== undefined && { grep }),
      ...(repeat !== undefined && { repeat }),
      ...(chosenSeed !== undefined && { seed: chosenSeed }),
      ...(parallel !== undefined && { parallel }),
    },
    parts,
    report: (results, examined) => conformanceReport(results, parts(results.seed, examined, results.peer)),
  }
}
