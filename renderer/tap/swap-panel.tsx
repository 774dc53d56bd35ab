import { useState } from 'react'
import type { TapState } from '../../server-core/host/contract/taps.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { TextField } from '../controls/text-field.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import styles from './tap.module.css'
import { tapText } from './text.ts'

const text = tapText.swapPanel

const OPEN_REQUESTS = [
  { value: 'wait', label: text.wait },
  { value: 'again', label: text.again },
  { value: 'error', label: text.error },
] as const
type OpenRequests = (typeof OPEN_REQUESTS)[number]['value']

/** Restarts the server behind a tap, or puts another one there, while the client stays connected. */
export function SwapPanel({ tap }: { tap: TapState }) {
  const { id, server, swaps, command } = tap
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState<OpenRequests>('wait')
  const [busy, setBusy] = useState(false)
  const swap = async (): Promise<void> => {
    setBusy(true)
    try {
      const commandLine = typed.trim() === '' ? {} : { commandLine: typed }
      await api.taps.swap({ id, ...commandLine, openRequests: open })
      setTyped('')
    } catch (error) {
      showFailure(text.couldNotSwap, error)
    } finally {
      setBusy(false)
    }
  }
  const now = visibleText(server?.serverInfo ?? command)
  return (
    <section className={styles.network} aria-label={text.server}>
      <Bar end={<span className={styles.count}>{swaps > 0 && text.swaps(swaps)}</span>}>
        <h2>{text.server}</h2>
        <span className="t3 clip" title={visibleText(command)}>
          {now}
        </span>
      </Bar>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void swap()
        }}
      >
        <TextField
          mono
          aria-label={text.command}
          placeholder={text.sameCommand}
          value={typed}
          onValueChange={setTyped}
        />
        <div className={styles.swap}>
          <span className="t2">{text.openRequests}</span>
          <Segmented label={text.openRequests} options={OPEN_REQUESTS} value={open} onValueChange={setOpen} />
          <Button type="submit" icon="restart" disabled={busy}>
            {typed.trim() === '' ? text.restart : text.swap}
          </Button>
        </div>
        {server !== undefined && (
          <ul className={styles.changes} aria-label={text.changes}>
            {server.failed > 0 && <li>{text.failed(server.failed)}</li>}
            {server.changes.length === 0 && <li>{text.nothing}</li>}
            {server.changes.map((change) => (
              <li key={change}>{visibleText(change)}</li>
            ))}
          </ul>
        )}
      </form>
    </section>
  )
}
