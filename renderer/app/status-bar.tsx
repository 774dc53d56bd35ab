import { useAppInfo, useCounts } from '../host/live.ts'
import { ActiveFaults } from '../faults/active-faults.tsx'
import { usePage } from '../state/page.ts'
import { countText } from '../text/measures.ts'
import { pages } from './pages.tsx'
import styles from './status-bar.module.css'
import { appText } from './text.ts'

/** One line about the subject of the page, and about the traffic that is stored. */
export function StatusBar() {
  const { Status } = pages[usePage()]
  const counts = useCounts()
  const info = useAppInfo()
  return (
    <footer className={styles.bar} aria-label={appText.statusBar.status}>
      <Status />
      <ActiveFaults />
      <span className={styles.end}>
        {info !== undefined && (
          <span className={styles.optional}>
            {appText.statusBar.patchbay} {info.version}
          </span>
        )}
        <span>
          {countText(counts.frames)} {appText.statusBar.frames}
        </span>
        <span className={counts.dropped > 0 ? 'is-warn' : undefined} title={appText.statusBar.droppedFrames}>
          {appText.statusBar.dropped} {countText(counts.dropped)}
        </span>
      </span>
    </footer>
  )
}
