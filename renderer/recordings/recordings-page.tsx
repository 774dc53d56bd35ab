import { useState, type DragEvent } from 'react'
import frameStyles from '../app/frame.module.css'
import { PanelBoundary } from '../app/panel-boundary.tsx'
import { classes } from '../controls/classes.ts'
import { EmptyState } from '../controls/empty-state.tsx'
import { useObservable } from '../state/observable.ts'
import { CommandList } from './command-list.tsx'
import { importFiles } from './recording-actions.ts'
import { RecordingList } from './recording-list.tsx'
import { RecordingView } from './recording-view.tsx'
import styles from './recordings.module.css'
import { shownRecording, useRecordings } from './recordings-state.ts'
import { recordingsText } from './text.ts'

const text = recordingsText.page

/** What was recorded: a list, the recording that is shown, and what can be done with it. A file dropped here is imported. */
export default function RecordingsPage() {
  const { all, isLoaded, problem } = useRecordings()
  const id = useObservable(shownRecording)
  const shown = all.find((each) => each.id === id)
  const [isOver, setOver] = useState(false)

  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void importFiles([...event.dataTransfer.files])
  }

  return (
    <main
      className={classes(styles.page, isOver && styles.over)}
      aria-label={text.recordings}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <section
        className={frameStyles.panel}
        aria-label={text.recordings}
        data-region="recordings"
        tabIndex={-1}
      >
        <PanelBoundary name={text.recordings}>
          <RecordingList all={all} isLoaded={isLoaded} problem={problem} />
        </PanelBoundary>
      </section>
      <section
        className={frameStyles.panel}
        aria-label={text.recording}
        data-region="recording"
        tabIndex={-1}
      >
        <PanelBoundary name={text.recording}>
          {shown === undefined ? (
            <EmptyState title={text.nothingShown}>{text.nothingShownText}</EmptyState>
          ) : (
            <RecordingView key={shown.id} recording={shown} />
          )}
        </PanelBoundary>
      </section>
      {shown !== undefined && (
        <section className={frameStyles.panel} aria-label={text.use} data-region="use" tabIndex={-1}>
          <PanelBoundary name={text.use}>
            <CommandList recording={shown} />
          </PanelBoundary>
        </section>
      )}
      {isOver && (
        <div className={styles.drop} aria-hidden="true">
          {text.drop}
        </div>
      )}
    </main>
  )
}
