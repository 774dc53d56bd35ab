import { useMemo } from 'react'
import type { RegistryEntry, RegistryState, Script } from '../../server-core/host/contract/registry.ts'
import { live } from '../host/live.ts'
import { useObservable, useSelected } from '../state/observable.ts'
import { entryOfLine, linesOf, type EntryLine } from './entry-line.ts'
import { switchedEntries } from './registry-actions.ts'
import { selectedKey } from './registry-view.ts'

/** The server that Patchbay itself hosts, from inside; `undefined` until the host told of it. */
export function useRegistry(): RegistryState | undefined {
  return useObservable(live.parts.registry)
}

/** Which opening of a folder is shown: part of the key of each query about its scripts. */
export function useGeneration(): number | undefined {
  return useSelected(live.parts.registry, (state) => state?.workspace.generation)
}

const NO_LINES: readonly EntryLine[] = []

/** The lines of the table. */
export function useLines(): readonly EntryLine[] {
  const state = useRegistry()
  const switched = useObservable(switchedEntries)
  return useMemo(() => (state === undefined ? NO_LINES : linesOf(state, switched)), [state, switched])
}

/** The script of a file; `undefined` if the file is not a script. */
export function useScript(file: string | undefined): Script | undefined {
  return useSelected(live.parts.registry, (state) => state?.scripts.find((script) => script.file === file))
}

/** The selected entry. */
export function useSelectedEntry(): RegistryEntry | undefined {
  const key = useObservable(selectedKey)
  return useSelected(live.parts.registry, (state) =>
    key === undefined || state === undefined ? undefined : entryOfLine(state.entries, key),
  )
}
