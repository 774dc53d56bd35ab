import { TabList, TabsRoot } from '../controls/tabs.tsx'
import { useWaiting } from '../inbox/inbox-state.ts'
import { useObservable } from '../state/observable.ts'
import { dockPanel, type DockPanel } from './dock.ts'
import styles from './dock.module.css'
import { useNarrow } from './narrow.ts'

/** The title of a panel at the bottom: in a narrow window, where the two share a place, the tabs that change them. */
export function DockTitle({ panel, title }: { panel: DockPanel; title: string }) {
  const isNarrow = useNarrow()
  const shown = useObservable(dockPanel)
  const waiting = useWaiting()
  if (!isNarrow) return <h2>{title}</h2>
  const tabs = [
    { value: 'timeline', label: 'Timeline' },
    { value: 'inbox', label: 'Inbox', ...(waiting > 0 && { count: waiting }) },
  ] as const
  return (
    <>
      <h2 className="vh">{title}</h2>
      <TabsRoot value={shown} onValueChange={(next) => dockPanel.set(next)} className={styles.tabs}>
        <TabList label={`Dock, ${panel} shown`} tabs={tabs} />
      </TabsRoot>
    </>
  )
}
