import { useCallback, useMemo } from 'react'
import type { Observable } from '../state/observable.ts'
import { changeArguments } from './form/arguments-state.ts'
import type { Check } from './form/check-arguments.ts'
import type { Change, Path } from './form/draft-edits.ts'
import type { Finding } from './form/finding-message.ts'
import { changeWork, type Work } from './work-store.ts'

const NO_FINDINGS: readonly Finding[] = []

/** Edits a field of the arguments. */
export function useEdit(work: Observable<Work>): (path: Path, change: Change) => void {
  return useCallback(
    (path, change) => {
      const { spec, arguments: before } = work.get()
      changeWork(work, { arguments: changeArguments(spec, before, path, change) })
    },
    [work],
  )
}

/** The findings of a check, and those that the fields show: a missing value is shown once it was sent without it. */
export function useFindings(
  check: Check | undefined,
  isTried: boolean,
): { readonly findings: readonly Finding[]; readonly told: readonly Finding[] } {
  const findings = check?.state === 'invalid' ? check.findings : NO_FINDINGS
  const told = useMemo(
    () => (isTried ? findings : findings.filter(({ isMissing }) => isMissing !== true)),
    [findings, isTried],
  )
  return { findings, told }
}
