import type { Pair } from '../../server-core/host/contract/servers.ts'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { TextField } from '../controls/text-field.tsx'
import styles from './forms.module.css'
import type { FormErrors } from './server-form.ts'
import { serversText } from './text.ts'

interface PairsEditorProps {
  /** Name of one pair: "header", "variable". */
  noun: string
  /** The prefix of its errors. */
  field: 'env' | 'headers'
  pairs: readonly Pair[]
  onChange: (pairs: readonly Pair[]) => void
  errors: FormErrors
}

/** Edits names and values in order. A stored, hidden value stays unchanged until it is replaced. */
export function PairsEditor({ noun, field, pairs, onChange, errors }: PairsEditorProps) {
  const replace = (index: number, pair: Pair): void =>
    onChange(pairs.map((old, place) => (place === index ? pair : old)))
  return (
    <div className={styles.pairs} role="group" aria-label={`${noun}s`}>
      {pairs.map((pair, index) => {
        const error = errors[`${field}.${index}`]
        const shown = pair.name === '' ? `${noun} ${index + 1}` : pair.name
        return (
          // The index is the only identity of a pair while its name is edited.
          <div key={index}>
            <div className={styles.pair}>
              <TextField
                mono
                aria-label={serversText.pairsEditor.nameOf(noun, index + 1)}
                value={pair.name}
                invalid={error !== undefined}
                onValueChange={(name) => replace(index, { ...pair, name })}
              />
              <TextField
                mono
                aria-label={serversText.pairsEditor.valueOf(shown)}
                value={pair.kept === true ? '' : pair.value}
                placeholder={pair.kept === true ? serversText.pairsEditor.storedTypeToReplace : ''}
                onValueChange={(value) => replace(index, { name: pair.name, value })}
              />
              <IconButton
                icon="close"
                label={serversText.pairsEditor.remove(shown)}
                onClick={() => onChange(pairs.filter((_pair, place) => place !== index))}
              />
            </div>
            {error !== undefined && <div className="field-error">{error}</div>}
          </div>
        )
      })}
      <div className={styles.acts}>
        <Button icon="plus" onClick={() => onChange([...pairs, { name: '', value: '' }])}>
          {serversText.pairsEditor.add} {noun}
        </Button>
      </div>
    </div>
  )
}
