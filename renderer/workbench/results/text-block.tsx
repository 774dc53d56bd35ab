import { useMemo, useState } from 'react'
import { Segmented } from '../../controls/segmented.tsx'
import { JsonView } from '../../json/json-view.tsx'
import { LongText } from '../../json/long-text.tsx'
import { indexJson } from '../../json/json-index.ts'
import styles from './results.module.css'
import { workbenchResultsText } from './text.ts'

/** Text this long is not tried as JSON by itself; the choice is there all the same. */
const MAX_TRIED = 256 * 1024

type TextAs = 'text' | 'json'

const CHOICES = [
  { value: 'text', label: workbenchResultsText.textBlock.text },
  { value: 'json', label: workbenchResultsText.textBlock.json },
] as const

interface TextBlockProps {
  text: string
  label: string
  /** It is the only thing to see, so it takes all the height. */
  isAlone: boolean
  /** The sender says that it is JSON. */
  isJson?: boolean
}

/** Text as it came, never markup. Text that is a JSON object or array can be read as a tree. */
export function TextBlock({ text, label, isAlone, isJson = false }: TextBlockProps) {
  const couldBeJson = useMemo(() => isJson || looksLikeJson(text), [isJson, text])
  const [chosen, setChosen] = useState<TextAs>(isJson ? 'json' : 'text')
  const as = couldBeJson ? chosen : 'text'
  return (
    <div className={isAlone ? styles.whole : styles.part}>
      {couldBeJson && (
        <div className={styles.choice}>
          <Segmented
            label={workbenchResultsText.textBlock.showAs(label)}
            options={CHOICES}
            value={as}
            onValueChange={setChosen}
          />
        </div>
      )}
      {as === 'json' ? <JsonView text={text} label={label} /> : <LongText text={text} label={label} />}
    </div>
  )
}

function looksLikeJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  return text.length > MAX_TRIED || indexJson(text).ok
}
