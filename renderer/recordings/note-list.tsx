import type { RecordingNoteData } from '../../server-core/host/contract/recordings.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Icon } from '../controls/icon.tsx'
import { counted, countText } from '../text/measures.ts'
import { timeText } from '../text/times.ts'
import styles from './recordings.module.css'
import { recordingsText } from './text.ts'

const text = recordingsText.view
const MOST = 200

/** Marks, comments and gaps of a recording, in time order. */
export function NoteList({ notes }: { notes: readonly RecordingNoteData[] }) {
  return (
    <section className={styles.notes} aria-label={text.notes} tabIndex={0}>
      <ul>
        {notes.slice(0, MOST).map((note, place) => (
          <li key={place}>
            <span className={styles.at}>{timeText(note.type === 'gap' ? note.from : note.at)}</span>
            <span className={note.type === 'gap' ? 'is-warn' : 't3'}>
              <Icon name={note.type === 'comment' ? 'prompt' : note.type === 'gap' ? 'warn' : 'pin'} small />
            </span>
            <span className={styles.note}>{visibleText(wordsOf(note))}</span>
          </li>
        ))}
      </ul>
      {notes.length > MOST && <p className={styles.hint}>{text.moreNotes(countText(notes.length - MOST))}</p>}
    </section>
  )
}

function wordsOf(note: RecordingNoteData): string {
  switch (note.type) {
    case 'comment':
      return note.text
    case 'gap':
      return text.gap(counted(note.frames, 'frame'))
    case 'mark':
      return [note.name, note.phase, note.verdict, note.text].filter((part) => part !== undefined).join(', ')
  }
}
