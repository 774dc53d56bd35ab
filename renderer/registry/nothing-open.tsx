import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { openScript } from './open-line.ts'
import { openPage } from './registry-view.ts'

/** Shown while nothing is open: the next steps. */
export function NothingOpen({ state: { scripts, opening } }: { state: RegistryState }) {
  const [first] = scripts
  // The table says what goes on.
  if (opening) return null
  return (
    <EmptyState
      title={first === undefined ? 'Write the first tool' : 'Nothing is open'}
      actions={
        <>
          <Button icon="plus" onClick={() => openPage({ kind: 'new-script', template: 'tool' })}>
            New tool
          </Button>
          {first !== undefined && <Button onClick={() => openScript(first.file)}>Open {first.file}</Button>}
        </>
      }
    >
      {first === undefined
        ? 'A tool is one file. Save it, and every client that is connected has it half a second later.'
        : 'Choose an entry on the left to see the code that makes it.'}
    </EmptyState>
  )
}
