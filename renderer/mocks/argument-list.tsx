import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { TextField } from '../controls/text-field.tsx'
import type { PromptArgument } from './entry-form.ts'
import styles from './mocks.module.css'

interface ArgumentListProps {
  list: readonly PromptArgument[]
  onChange: (list: readonly PromptArgument[]) => void
}

/** The arguments of a prompt, all of them texts. */
export function ArgumentList({ list, onChange }: ArgumentListProps) {
  const set = (at: number, change: Partial<PromptArgument>): void =>
    onChange(list.map((each, place) => (place === at ? { ...each, ...change } : each)))
  return (
    <section className={styles.part} aria-label="Arguments">
      <h3>Arguments</h3>
      {list.map((argument, at) => (
        <div key={at} className={styles.argument} role="group" aria-label={`Argument ${at + 1}`}>
          <TextField
            mono
            aria-label={`Name of argument ${at + 1}`}
            placeholder="name"
            value={argument.name}
            onValueChange={(name) => set(at, { name })}
          />
          <TextField
            aria-label={`Description of argument ${at + 1}`}
            placeholder="description"
            value={argument.description}
            onValueChange={(description) => set(at, { description })}
          />
          <Checkbox checked={argument.required} onCheckedChange={(required) => set(at, { required })}>
            required
          </Checkbox>
          <IconButton
            icon="close"
            label={`Remove argument ${at + 1}`}
            onClick={() => onChange(list.filter((_, place) => place !== at))}
          />
        </div>
      ))}
      <div>
        <Button
          tone="quiet"
          icon="plus"
          onClick={() => onChange([...list, { name: '', description: '', required: false }])}
        >
          Add argument
        </Button>
      </div>
    </section>
  )
}
