import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { openScript } from './open-line.ts'
import { openPage } from './registry-view.ts'
import { registryText } from './text.ts'

/** Shown while nothing is open: the next steps. */
export function NothingOpen({ state: { scripts, opening } }: { state: RegistryState }) {
  const [first] = scripts
  // The table says what goes on.
  if (opening) return null
  return (
    <EmptyState
      title={
        first === undefined
          ? registryText.nothingOpen.writeTheFirstTool
          : registryText.nothingOpen.nothingOpen
      }
      actions={
        <>
          <Button icon="plus" onClick={() => openPage({ kind: 'new-script', template: 'tool' })}>
            {registryText.nothingOpen.newTool}
          </Button>
          {first !== undefined && (
            <Button onClick={() => openScript(first.file)}>
              {registryText.nothingOpen.open} {first.file}
            </Button>
          )}
        </>
      }
    >
      {first === undefined ? registryText.nothingOpen.toolFileNote : registryText.nothingOpen.selectEntry}
    </EmptyState>
  )
}
