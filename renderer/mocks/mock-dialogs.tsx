import { useEffect, useState } from 'react'
import { keyOfEntry, type MockEntry } from '../../server-core/host/contract/mocks.ts'
import { live } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { blankEntry, entryForm } from './entry-form.ts'
import { mockDialogTarget } from './open-mock-dialog.ts'
import { OverrideDialog } from './override-dialog.tsx'

interface MockDialogsProps {
  /** A mock entry was created or changed. */
  onSaved: (key: string) => void
}

/** The form that was opened for an entry without code, or for an answer in the place of a tool. */
export function MockDialogs({ onSaved }: MockDialogsProps) {
  const target = useObservable(mockDialogTarget)
  const state = useObservable(live.parts.mocks)
  if (target === undefined || state === undefined) return null
  switch (target.type) {
    case 'new':
      return (
        <EntryDialog
          key={target.kind}
          first={blankEntry(target.kind)}
          replaces={undefined}
          onSaved={onSaved}
        />
      )
    case 'edit':
      return <EditDialog key={target.key} entryKey={target.key} entries={state.entries} onSaved={onSaved} />
    case 'override': {
      const override = state.overrides.find(({ key }) => key === target.key)
      return <OverrideDialog key={target.key} toolKey={target.key} override={override} />
    }
  }
}

type EditDialogProps = MockDialogsProps & {
  entryKey: string
  entries: readonly MockEntry[]
}

/** Begins with the entry as it is when the dialog opens, and stays with what is typed, whatever becomes of the entry. */
function EditDialog({ entryKey, entries, onSaved }: EditDialogProps) {
  const [entry] = useState(() => entries.find((each) => keyOfEntry(each) === entryKey))
  useEffect(() => {
    // It was removed before it could be shown.
    if (entry === undefined) mockDialogTarget.set(undefined)
  }, [entry])
  if (entry === undefined) return null
  return <EntryDialog first={entryForm(entry)} replaces={entryKey} onSaved={onSaved} />
}
