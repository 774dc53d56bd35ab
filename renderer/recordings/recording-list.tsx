import { useRef, useState, type KeyboardEvent } from 'react'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { LinkButton } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { FilteredPanel } from '../controls/filtered-panel.tsx'
import { Icon, type IconName } from '../controls/icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Select } from '../controls/select.tsx'
import { useObservable } from '../state/observable.ts'
import { bytesText, countText } from '../text/measures.ts'
import { dayText, secondText } from '../text/times.ts'
import { nameOf, ORDERS, statesOf, type ListedRecording } from './list-order.ts'
import { importFiles } from './recording-actions.ts'
import styles from './recordings.module.css'
import { chosenOrder, shownRecording, typedSearch, useListed } from './recordings-state.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { recordingsText } from './text.ts'

const text = recordingsText.list
/** Rows that are shown at first, and that are added at once. */
const ROWS = 200

interface RecordingListProps {
  all: readonly ListedRecording[]
  isLoaded: boolean
  problem: string | undefined
}

/** The recordings of the profile, with search, order and import. */
export function RecordingList({ all, isLoaded, problem }: RecordingListProps) {
  const search = useObservable(typedSearch)
  const order = useObservable(chosenOrder)
  const listed = useListed(all)
  const shownId = useObservable(shownRecording)
  const [most, setMost] = useState(ROWS)
  const [areSettingsOpen, setSettingsOpen] = useState(false)
  const file = useRef<HTMLInputElement>(null)

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const step = STEPS[event.key]
    if (step === undefined) return
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
    const here = buttons.indexOf(document.activeElement as HTMLElement)
    event.preventDefault()
    buttons[step(here, buttons.length)]?.focus()
  }

  return (
    <>
      {areSettingsOpen && <SettingsDialog shown={shownId} onClose={() => setSettingsOpen(false)} />}
      <Bar
        end={
          <>
            <input
              ref={file}
              type="file"
              accept=".ndjson,.jsonl,.har,.json,.http,application/x-ndjson"
              multiple
              hidden
              aria-label={text.chooseFile}
              onChange={(event) => {
                const { files } = event.currentTarget
                void importFiles([...(files ?? [])])
                event.currentTarget.value = ''
              }}
            />
            <IconButton
              icon="settings"
              label={recordingsText.settings.open}
              onClick={() => setSettingsOpen(true)}
            />
            <IconButton icon="import" label={text.import} onClick={() => file.current?.click()} />
          </>
        }
      >
        <h2>{recordingsText.page.recordings}</h2>
        <span className={styles.count} role="status">
          {countText(listed.length)}
        </span>
      </Bar>
      <FilteredPanel
        label={text.search}
        placeholder={text.placeholder}
        text={search}
        onTextChange={(next) => typedSearch.set(next)}
      >
        <div className={styles.order}>
          <Select
            label={text.order}
            options={ORDERS.map((value) => ({ value, label: text.orders[value] }))}
            value={order}
            onValueChange={(next) => chosenOrder.set(next)}
          />
        </div>
        {problem !== undefined && <EmptyState title={text.couldNotList}>{problem}</EmptyState>}
        {isLoaded && all.length === 0 && <EmptyState title={text.empty}>{text.emptyText}</EmptyState>}
        {all.length > 0 && listed.length === 0 && <EmptyState title={text.noMatch} />}
        <div className={styles.list}>
          <ul aria-label={text.list} onKeyDown={onKeyDown}>
            {listed.slice(0, most).map((each) => (
              <RecordingRow key={each.id} recording={each} isShown={each.id === shownId} />
            ))}
          </ul>
          {listed.length > most && (
            <LinkButton className={styles.more} onClick={() => setMost(most + ROWS)}>
              {text.more(countText(Math.min(ROWS, listed.length - most)))}
            </LinkButton>
          )}
        </div>
      </FilteredPanel>
    </>
  )
}

/** The row that a key leads to from the row at `here` of `count`. */
const STEPS: Readonly<Record<string, (here: number, count: number) => number>> = {
  ArrowDown: (here, count) => Math.min(here + 1, count - 1),
  ArrowUp: (here) => Math.max(here - 1, 0),
  Home: () => 0,
  End: (_here, count) => count - 1,
}

function RecordingRow({ recording, isShown }: { recording: ListedRecording; isShown: boolean }) {
  const { serverName, startedAt, bytes, facts, isOpen, name } = recording
  const states = statesOf(recording)
  const icon: IconName = isOpen
    ? 'st-on'
    : recording.imported === true
      ? 'import'
      : name === undefined
        ? 'clock'
        : 'save'
  const sub = [
    ...(name === undefined ? [] : [serverName]),
    ...(facts?.client === undefined ? [] : [text.as(facts.client)]),
    `${dayText(startedAt)} ${secondText(startedAt)}`,
  ]
  return (
    <li className={styles.item}>
      <span className={isOpen ? 'is-ok' : 't3'}>
        <Icon name={icon} />
      </span>
      <button
        type="button"
        className={styles.row}
        aria-current={isShown ? 'true' : undefined}
        onClick={() => shownRecording.set(recording.id)}
      >
        <span className={styles.name}>
          <span className="clip">{visibleText(nameOf(recording))}</span>
          {states.map((state) => (
            <span key={state} className={state === 'damaged' ? styles.bad : styles.state}>
              {text.states[state]}
            </span>
          ))}
        </span>
        <span className={styles.sub}>
          <span className="clip">{visibleText(sub.join(', '))}</span>
          <span className={styles.measure}>
            {facts !== undefined && `${countText(facts.frames)}, `}
            {bytesText(bytes)}
          </span>
        </span>
      </button>
    </li>
  )
}
