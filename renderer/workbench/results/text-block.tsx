import { lazy, Suspense, useMemo, useState } from 'react'
import { Segmented } from '../../controls/segmented.tsx'
import { JsonView } from '../../json/json-view.tsx'
import { LongText } from '../../json/long-text.tsx'
import { indexJson } from '../../json/json-index.ts'
import { looksLikeMarkdown, MAX_MARKDOWN } from './markdown/looks-like-markdown.ts'
import styles from './results.module.css'
import { workbenchResultsText } from './text.ts'

/** Loaded with the first Markdown that is shown. */
const MarkdownView = lazy(() => import('./markdown/markdown-view.tsx'))

/** Text this long is not tried as JSON by itself; the choice is there all the same. */
const MAX_TRIED = 256 * 1024

type TextAs = 'text' | 'json' | 'markdown'

const CHOICES: readonly { readonly value: TextAs; readonly label: string }[] = [
  { value: 'json', label: workbenchResultsText.textBlock.json },
  { value: 'markdown', label: workbenchResultsText.textBlock.markdown },
  { value: 'text', label: workbenchResultsText.textBlock.text },
]

interface TextBlockProps {
  text: string
  label: string
  /** It is the only thing to see, so it takes all the height. */
  isAlone: boolean
  /** What the sender says that it is. */
  says?: 'json' | 'markdown' | undefined
}

/**
 * Text, never markup. A JSON object or array is shown as a tree and Markdown as what it means, with the text as it came
 * one press away.
 */
export function TextBlock({ text, label, isAlone, says }: TextBlockProps) {
  const forms = useMemo(() => formsOf(text, says), [text, says])
  const [chosen, setChosen] = useState<TextAs | undefined>(undefined)
  const [first = 'text'] = forms
  const as = chosen !== undefined && forms.includes(chosen) ? chosen : first
  return (
    <div className={isAlone ? styles.whole : styles.part}>
      {forms.length > 1 && (
        <div className={styles.choice}>
          <Segmented
            label={workbenchResultsText.textBlock.showAs(label)}
            options={CHOICES.filter(({ value }) => forms.includes(value))}
            value={as}
            onValueChange={setChosen}
          />
        </div>
      )}
      {as === 'json' && <JsonView text={text} label={label} />}
      {as === 'markdown' && (
        <Suspense fallback={<LongText text={text} label={label} />}>
          <MarkdownView text={text} label={label} />
        </Suspense>
      )}
      {as === 'text' && <LongText text={text} label={label} />}
    </div>
  )
}

/** The forms in which a text can be shown, the first of which is shown at first. */
function formsOf(text: string, says: TextBlockProps['says']): readonly TextAs[] {
  if (says === 'json') return ['json', 'text']
  if (says === 'markdown' && text.length <= MAX_MARKDOWN) return ['markdown', 'text']
  if (/^\s*[[{]/.test(text)) {
    // A long text may be slow to read, so the user chooses.
    if (text.length > MAX_TRIED) return ['text', 'json']
    if (indexJson(text).ok) return ['json', 'text']
  }
  return looksLikeMarkdown(text) ? ['markdown', 'text'] : ['text']
}
