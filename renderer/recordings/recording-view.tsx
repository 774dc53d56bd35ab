import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EXPORT_ENDINGS, type ExportFormat } from '../../server-core/host/contract/recordings.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { openComparison } from '../comparison/comparison-state.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { Icon } from '../controls/icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu } from '../controls/menu.tsx'
import { query } from '../host/api.ts'
import { useObservable } from '../state/observable.ts'
import { bytesText, counted } from '../text/measures.ts'
import { dayText, secondText } from '../text/times.ts'
import { nameOf, type ListedRecording } from './list-order.ts'
import { NoteList } from './note-list.tsx'
import { RecordedRows } from './recorded-rows.ts'
import { exportAs } from './recording-actions.ts'
import { RecordingDialogs, type RecordingDialog } from './recording-dialogs.tsx'
import { RecordingTimeline } from './recording-timeline.tsx'
import styles from './recordings.module.css'
import { readRecordingsAgain } from './recordings-state.ts'
import { recordingsText } from './text.ts'

const text = recordingsText.view
const FORMATS = Object.keys(EXPORT_ENDINGS) as ExportFormat[]

/** A recording: what it is, what can be done with it, what is missing from it, its rows. */
export function RecordingView({ recording }: { recording: ListedRecording }) {
  const { id, isOpen, name, startedAt, endedAt } = recording
  const opened = useQuery({ ...query.recordings.open.queryOptions({ input: { id } }), staleTime: 0 })
  const [rows] = useState(() => new RecordedRows())
  const view = useObservable(rows.state.timeline.view)
  const selectedId = useObservable(rows.state.selectedExchange)
  const [dialog, setDialog] = useState<RecordingDialog | undefined>(undefined)
  const selected = selectedId === undefined ? undefined : view.rows[view.tree.placeOf(selectedId) ?? -1]
  const { data } = opened
  const noEnd = data !== undefined && !data.isClosed && !isOpen ? [text.noEnd] : []
  const problems = [...(data?.problems ?? []), ...noEnd]
  const duration = durationText(Math.max(0, (data?.endedAt ?? endedAt) - startedAt))
  return (
    <>
      <header className={styles.head}>
        <h2 className="clip" title={visibleText(nameOf(recording))}>
          {visibleText(nameOf(recording))}
        </h2>
        <span className={styles.facts}>
          {visibleText(recording.serverName)}
          {`, ${dayText(startedAt)} ${secondText(startedAt)}, ${duration}`}
          {data !== undefined && `, ${counted(data.frames, 'frame')}, ${bytesText(data.bytes)}`}
        </span>
        <span className={styles.acts}>
          {isOpen && (
            <IconButton icon="restart" label={text.reload} onClick={() => void readRecordingsAgain()} />
          )}
          {name === undefined ? (
            <Button icon="save" onClick={() => setDialog({ type: 'keep' })}>
              {text.keep}
            </Button>
          ) : (
            <Button onClick={() => setDialog({ type: 'rename' })}>{text.rename}</Button>
          )}
          <Button
            icon="diff"
            onClick={() => openComparison.set({ type: 'recordings', before: id, after: undefined })}
          >
            {text.compare}
          </Button>
          <Menu
            trigger={<Button icon="export">{text.export}</Button>}
            entries={FORMATS.map((format) => ({
              type: 'item',
              label: text.formats[format],
              onSelect: () => void exportAs(id, format),
            }))}
          />
          <Menu
            trigger={<IconButton icon="more" label={text.more} />}
            entries={[
              {
                type: 'item',
                icon: 'prompt',
                label: text.comment,
                disabled: isOpen,
                onSelect: () => setDialog({ type: 'comment', at: selected?.startedAt ?? startedAt }),
              },
              ...(name === undefined
                ? []
                : [
                    {
                      type: 'item' as const,
                      icon: 'save' as const,
                      label: text.keep,
                      onSelect: () => setDialog({ type: 'keep' }),
                    },
                  ]),
              { type: 'separator', key: 'delete' },
              {
                type: 'item',
                icon: 'trash',
                label: text.delete,
                disabled: isOpen,
                onSelect: () => setDialog({ type: 'delete' }),
              },
            ]}
          />
        </span>
      </header>
      {problems.length > 0 && (
        <div className={styles.problems} role="status">
          <Icon name="warn" /> <b>{text.problems}</b>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{visibleText(problem)}</li>
            ))}
          </ul>
        </div>
      )}
      {opened.isError ? (
        <EmptyState title={text.damagedTitle}>{visibleText(opened.error.message)}</EmptyState>
      ) : (
        <RecordingTimeline id={id} rows={rows} frames={data?.frames} />
      )}
      {data !== undefined && data.notes.length > 0 && <NoteList notes={data.notes} />}
      {dialog !== undefined && (
        <RecordingDialogs recording={recording} dialog={dialog} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}
