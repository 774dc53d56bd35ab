import { Autocomplete } from '@base-ui/react/autocomplete'
import { useEffect, useRef, useState } from 'react'
import type { Completion } from '../../../../server-core/host/contract/inspection.ts'
import { classes } from '../../../controls/classes.ts'
import { matchesKeys } from '../../../controls/keys.ts'
import menuStyles from '../../../controls/menu.module.css'
import { countText } from '../../../text/measures.ts'
import { SafeText } from '../../../text/safe-text.tsx'
import type { Complete } from '../form-context.ts'
import { namedBy, type ControlProps } from './field-props.ts'
import { workbenchFormFieldsText } from './text.ts'

/** Milliseconds without a keystroke before the server is asked. */
const PAUSE_MS = 150

interface CompletedTextProps {
  control: ControlProps
  complete: Complete
  text: string
  placeholder: string
  onText: (text: string) => void
}

type Asked = { readonly type: 'nothing' } | Completion

const NOTHING: Asked = { type: 'nothing' }
const NO_VALUES: readonly string[] = []

/**
 * A field whose values the server knows (specification: Completion). They are asked for when the field gets the
 * focus and when typing pauses; only the newest answer counts. Arrow keys choose, Enter takes, Escape closes; Alt with
 * Down asks again.
 */
export function CompletedText({ control, complete, text, placeholder, onText }: CompletedTextProps) {
  const [asked, setAsked] = useState<Asked>(NOTHING)
  const [isOpen, setOpen] = useState(false)
  const question = useRef<AbortController | undefined>(undefined)
  const values = asked.type === 'values' ? asked.values : NO_VALUES
  const isShown = isOpen && asked.type !== 'nothing'

  useEffect(() => () => question.current?.abort(), [])

  const ask = (value: string, afterMs: number): void => {
    question.current?.abort()
    const abort = new AbortController()
    question.current = abort
    const timer = setTimeout(() => {
      complete(control.label, value, abort.signal).then(
        (completion) => {
          if (!abort.signal.aborted) setAsked(completion)
        },
        (error: unknown) => {
          if (!abort.signal.aborted) setAsked({ type: 'problem', message: String(error) })
        },
      )
    }, afterMs)
    abort.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  return (
    <Autocomplete.Root
      items={values}
      value={text}
      mode="none"
      open={isShown}
      onOpenChange={(open) => setOpen(open)}
      onValueChange={(next) => {
        onText(next)
        setOpen(true)
        ask(next, PAUSE_MS)
      }}
    >
      <Autocomplete.Input
        {...namedBy(control)}
        placeholder={placeholder}
        spellCheck={false}
        onFocus={() => ask(text, PAUSE_MS)}
        onBlur={() => {
          question.current?.abort()
          setOpen(false)
        }}
        onKeyDown={(event) => {
          if (matchesKeys(event, 'mod+enter')) {
            // That one is the tab's: it sends.
            event.preventBaseUIHandler()
            setOpen(false)
          } else if (event.key === 'ArrowDown' && !isOpen) {
            setOpen(true)
            ask(text, 0)
          }
        }}
      />
      {isShown && (
        <Autocomplete.Portal role="region" aria-label={workbenchFormFieldsText.completedText.values}>
          <Autocomplete.Positioner className={menuStyles.positioner} sideOffset={4} align="start">
            {/* Autocomplete.Popup would hide the page, which can still be used, from assistive technology. */}
            <div
              className={classes(menuStyles.menu, menuStyles.select)}
              onMouseDown={(event) => event.preventDefault()}
            >
              <Autocomplete.Status className={menuStyles.label}>
                <SafeText>{statusText(asked)}</SafeText>
              </Autocomplete.Status>
              <Autocomplete.List>
                {(value: string) => (
                  <Autocomplete.Item
                    key={value}
                    value={value}
                    className={menuStyles.item}
                    onClick={() => {
                      onText(value)
                      setOpen(false)
                    }}
                  >
                    <span className="clip">
                      <SafeText>{value}</SafeText>
                    </span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </div>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      )}
    </Autocomplete.Root>
  )
}

function statusText(asked: Asked): string {
  if (asked.type === 'problem') return workbenchFormFieldsText.completedText.noValues(asked.message)
  if (asked.type === 'nothing' || asked.values.length === 0)
    return workbenchFormFieldsText.completedText.noCompletion
  const { values, total, hasMore } = asked
  const shown = countText(values.length)
  if (total !== undefined && total > values.length)
    return workbenchFormFieldsText.completedText.ofFromTheServer(shown, countText(total))
  return hasMore === true ? `the first ${shown}, from the server` : 'from the server'
}
