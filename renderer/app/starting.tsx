import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { useSlow } from '../controls/use-slow.ts'
import { live, useHostState } from '../host/live.ts'
import { windowLoaded } from '../host/stored-window.ts'
import type { HostState } from '../host/session.ts'
import { useObservable } from '../state/observable.ts'
import styles from './frame.module.css'
import { Frame } from './frame.tsx'
import { useSettings } from './settings.ts'
import { appText } from './text.ts'

/** The frame as soon as the host has told its state; until then why it is not there yet. */
export function Starting() {
  const state = useHostState()
  const ready = useObservable(live.ready)
  const isLoaded = useObservable(windowLoaded)
  const settings = useSettings()
  if (ready && isLoaded && settings !== undefined) return <Frame settings={settings} />
  return (
    <main className={styles.starting} aria-busy={state.status !== 'unreachable'}>
      <Waiting state={state} />
    </main>
  )
}

function Waiting({ state }: { state: HostState }) {
  const slow = useSlow()
  if (state.status === 'unreachable' && state.code === 'no-token') {
    return <EmptyState title={appText.starting.tokenMissing}>{state.reason}</EmptyState>
  }
  if (state.status === 'unreachable') {
    return (
      <EmptyState
        title={appText.starting.hostUnreachable}
        actions={<Button onClick={() => location.reload()}>{appText.starting.reload}</Button>}
      >
        {state.reason} {appText.starting.retrying}
      </EmptyState>
    )
  }
  return slow ? <EmptyState title={appText.starting.connectingToTheHost} /> : null
}
