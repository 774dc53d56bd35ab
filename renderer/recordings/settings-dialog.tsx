import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  RecordingSettingsData,
  RedactionPreviewData,
} from '../../server-core/host/contract/recordings.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { FirstLoaded, FormDialog } from '../controls/form-dialog.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { Switch } from '../controls/switch.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { api, query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { countText } from '../text/measures.ts'
import { linesOf, rulesOf } from './redaction-lines.ts'
import styles from './recordings.module.css'
import { recordingsText } from './text.ts'

const text = recordingsText.settings
const MEBIBYTE = 1024 * 1024

interface SettingsDialogProps {
  /** The recording that rules are tried on. */
  shown: string | undefined
  onClose: () => void
}

/** What is recorded, for how long, what is masked, and where spans go. */
export function SettingsDialog({ shown, onClose }: SettingsDialogProps) {
  const asked = useQuery({ ...query.recordings.settings.queryOptions(), staleTime: 0 })
  return (
    <FirstLoaded asked={asked} failure={text.couldNotRead} onClose={onClose}>
      {(settings) => <SettingsForm settings={settings} shown={shown} onClose={onClose} />}
    </FirstLoaded>
  )
}

function SettingsForm({
  settings,
  shown,
  onClose,
}: SettingsDialogProps & { settings: RecordingSettingsData }) {
  const [on, setOn] = useState(settings.on)
  const [size, setSize] = useState(String(Math.round(settings.bytes / MEBIBYTE)))
  const [days, setDays] = useState(String(settings.days))
  const [rules, setRules] = useState(linesOf(settings.redact))
  const [otlp, setOtlp] = useState(settings.otlp)
  const [preview, setPreview] = useState<RedactionPreviewData | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)

  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const save = (): Promise<void> =>
    run(async () => {
      const bytes = wholeOf(size, text.size) * MEBIBYTE
      const change = { on, bytes, days: wholeOf(days, text.days), redact: rulesOf(rules), otlp: otlp.trim() }
      const saved = await api.recordings.saveSettings(change)
      queryClient.setQueryData(query.recordings.settings.queryKey(), saved)
      onClose()
    })
  const tryRules = (): Promise<void> =>
    run(async () => {
      setPreview(await api.recordings.previewRedaction({ id: shown ?? '', redact: rulesOf(rules) }))
    })

  return (
    <FormDialog
      wide
      title={text.title}
      description={text.description}
      disabled={busy}
      problem={problem}
      onClose={onClose}
      onSubmit={() => void save()}
      more={
        <Button
          disabled={busy || shown === undefined}
          title={text.previewHint}
          onClick={() => void tryRules()}
        >
          {text.preview}
        </Button>
      }
    >
      <div className={styles.settings}>
        <div className={styles.switchRow}>
          <Switch checked={on} aria-label={text.record} onCheckedChange={setOn} />
          <span aria-hidden="true">{text.record}</span>
        </div>
        <FormRow label={text.size}>
          {(control) => (
            <TextField {...control} mono inputMode="numeric" value={size} onValueChange={setSize} />
          )}
        </FormRow>
        <FormRow label={text.days}>
          {(control) => (
            <TextField {...control} mono inputMode="numeric" value={days} onValueChange={setDays} />
          )}
        </FormRow>
        <FormRow label={text.masks} note={text.masksHint}>
          {(control) => <TextArea {...control} mono rows={3} value={rules} onValueChange={setRules} />}
        </FormRow>
        {preview !== undefined && <Preview preview={preview} />}
        <FormRow label={text.otlp} note={text.otlpHint}>
          {(control) => (
            <TextField {...control} mono placeholder={text.otlpNone} value={otlp} onValueChange={setOtlp} />
          )}
        </FormRow>
      </div>
    </FormDialog>
  )
}

function Preview({ preview: { frames, masked, uncovered } }: { preview: RedactionPreviewData }) {
  return (
    <section aria-label={text.preview} className={styles.preview}>
      <p>{text.masked(countText(masked), countText(frames))}</p>
      {uncovered.length === 0 ? (
        <p className="t3">{text.noneUncovered}</p>
      ) : (
        <>
          <p className="is-warn">{text.uncovered}</p>
          <ul>
            {uncovered.map(({ start, length, kind }) => (
              <li key={`${start} ${length} ${kind}`}>{text.value(visibleText(start), length, kind)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function wholeOf(typed: string, label: string): number {
  if (!/^[1-9]\d{0,8}$/.test(typed.trim())) throw new RangeError(text.notWhole(label, typed))
  return Number(typed)
}
