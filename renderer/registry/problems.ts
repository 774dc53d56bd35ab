import type { RegistryFault, RegistryState } from '../../server-core/host/contract/registry.ts'
import type { Problem as TextProblem } from '../editor/problems.ts'
import { registryText } from './text.ts'

/** An error or warning about a part of the workspace. */
export interface Problem {
  readonly tone: 'error' | 'warning'
  /** A script, an entry, or the workspace itself. */
  readonly where: string
  readonly fault: RegistryFault
  /** What is served meanwhile, if it prevents anything from being served. */
  readonly meanwhile: string | undefined
}

/**
 * All that is wrong now, scripts first. `found` is what the editor found in the files that are open; what loading them
 * found too is listed once.
 */
export function problemsOf(
  { scripts, entries, faults }: RegistryState,
  found: ReadonlyMap<string, readonly TextProblem[]>,
): readonly Problem[] {
  const ofScripts = scripts.flatMap(({ file, error, state, answering }) =>
    error === undefined
      ? []
      : [{ tone: 'error' as const, where: file, fault: error, meanwhile: meanwhileOf(state, answering) }],
  )
  const broken = new Set(ofScripts.map(({ where }) => where))
  const ofEntries = entries.flatMap(({ shownName, error, origin }) =>
    error === undefined || broken.has(origin.file ?? '')
      ? []
      : [
          {
            tone: 'error' as const,
            where: shownName,
            fault: error,
            meanwhile: registryText.problems.entryNotServed,
          },
        ],
  )
  const ofAll = faults.map((fault) => ({
    tone: 'error' as const,
    where: 'workspace',
    fault,
    meanwhile: registryText.problems.othersServed,
  }))
  const loading = new Set(ofScripts.map(({ fault: { at, message } }) => `${at?.file} ${at?.line} ${message}`))
  const inText = [...found].flatMap(([file, problems]) =>
    problems.flatMap(({ severity, message, source, line, column }) => {
      if (severity === 'info' || severity === 'hint' || loading.has(`${file} ${line} ${message}`)) return []
      const at = { file, line, column, text: '' }
      const fault = { code: source ?? '', message, at }
      return [{ tone: severity, where: file, fault, meanwhile: undefined }]
    }),
  )
  return [...ofAll, ...ofScripts, ...ofEntries, ...inText]
}

function meanwhileOf(state: string, answering: number | undefined): string {
  if (state === 'stopped') return registryText.problems.scriptOff
  return answering === undefined
    ? registryText.problems.notServedYet
    : registryText.problems.revisionIsStillActive(answering)
}
