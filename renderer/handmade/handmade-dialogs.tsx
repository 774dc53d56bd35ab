import { keyOfEntry } from '../../server-core/host/contract/handmade.ts'
import { live } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { blankEntry, entryForm } from './entry-form.ts'
import { handmadeTarget } from './open-handmade.ts'
import { OverrideDialog } from './override-dialog.tsx'

interface HandmadeDialogsProps {
  /** An entry was made or changed by hand. */
  onSaved: (key: string) => void
}

/** The form that was opened for an entry without code, or for an answer in the place of a tool. */
export function HandmadeDialogs({ onSaved }: HandmadeDialogsProps) {
  const target = useObservable(handmadeTarget)
  const state = useObservable(live.handmade)
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
    case 'edit': {
      const entry = state.entries.find((each) => keyOfEntry(each) === target.key)
      if (entry === undefined) return null
      return <EntryDialog key={target.key} first={entryForm(entry)} replaces={target.key} onSaved={onSaved} />
    }
    case 'override': {
      const override = state.overrides.find(({ key }) => key === target.key)
      return <OverrideDialog key={target.key} toolKey={target.key} override={override} />
    }
  }
}
