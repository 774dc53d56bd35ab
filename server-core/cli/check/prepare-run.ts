import { planRun, type PlannedRun } from '../../conformance/run/plan-run.ts'
import { masking } from '../output/output.ts'
import { failuresOf, readBaseline, type NamedBaseline } from './baseline-file.ts'
import type { RunSettings } from './report-flags.ts'
import { versionsHere } from './versions.ts'

export type PreparedRun = PlannedRun & { readonly baseline: NamedBaseline | undefined }

/**
 * Reads what a run of `check` or `exam` needs before it begins: catalogue, suite, baseline, and the failures of an
 * earlier report. Rejects with a `UsageError` for a file that cannot be used.
 *
 * @param budgetMs milliseconds for the whole run; 15 minutes if not given
 */
export async function prepareRun(
  settings: RunSettings,
  signal: AbortSignal,
  budgetMs?: number,
): Promise<PreparedRun> {
  const baseline = await readBaseline(settings)
  const only = settings.again === undefined ? undefined : await failuresOf(settings.again)
  const planned = await planRun(settings, {
    signal,
    masking,
    versions: versionsHere(),
    ...(budgetMs !== undefined && { budgetMs }),
    ...(baseline !== undefined && { baseline }),
    ...(only !== undefined && { only }),
  })
  return { ...planned, baseline }
}
