import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { TextField } from '../controls/text-field.tsx'
import type { PromptArgument } from './entry-form.ts'
import styles from './mocks.module.css'
import { mocksText } from './text.ts'

interface ArgumentListProps {
  list: readonly PromptArgument[]
  onChange: (list: readonly PromptArgument[]) => void
}

/** The arguments of a prompt, all of them texts. */
export function ArgumentList({ list, onChange }: ArgumentListProps) {
  const set = (at: number, change: Partial<PromptArgument>): void =>
    onChange(list.map((each, place) => (place === at ? { ...each, ...change } : each)))
  return (
    <section className={styles.part} aria-label={mocksText.argumentList.arguments}>
      <h3>{mocksText.argumentList.arguments}</h3>
      {list.map((argument, at) => (
        <div
          key={at}
          className={styles.argument}
          role="group"
          aria-label={mocksText.argumentList.argument(at + 1)}
        >
          <TextField
            mono
            aria-label={mocksText.argumentList.nameOfArgument(at + 1)}
            placeholder={mocksText.argumentList.name}
            value={argument.name}
            onValueChange={(name) => set(at, { name })}
          />
          <TextField
            aria-label={mocksText.argumentList.descriptionOfArgument(at + 1)}
            placeholder={mocksText.argumentList.description}
            value={argument.description}
            onValueChange={(description) => set(at, { description })}
          />
          <Checkbox checked={argument.required} onCheckedChange={(required) => set(at, { required })}>
            {mocksText.argumentList.required}
          </Checkbox>
          <IconButton
            icon="close"
            label={mocksText.argumentList.removeArgument(at + 1)}
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
          {mocksText.argumentList.addArgument}
        </Button>
      </div>
    </section>
  )
}
