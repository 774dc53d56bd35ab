import { useId, useState } from 'react'
import { parseExact, stringifyExact } from '../../server-core/protocol/exact-json.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { JsonEditor } from '../json/json-editor.tsx'
import styles from './mocks.module.css'
import { PropertyList } from './property-list.tsx'
import { isSchema, type Schema } from './schema-edit.ts'
import { mocksText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

interface SchemaBuilderProps {
  /** What the schema is of, in words, e.g. `arguments`. */
  what: string
  text: string
  onTextChange: (text: string) => void
}

/**
 * The schema of an object, drawn on the left and written on the right. The text is what counts: the drawing changes it
 * in one place at a time, and keywords that the drawing does not know stay. While the text is not JSON the drawing waits.
 */
export function SchemaBuilder({ what, text, onTextChange }: SchemaBuilderProps) {
  const id = useId()
  const read = schemaIn(text)
  const [last, setLast] = useState<Schema>({})
  if (read.ok && stringifyExact(read.value) !== stringifyExact(last)) setLast(read.value)
  const schema = read.ok ? read.value : last
  return (
    <div className={styles.builder}>
      <fieldset
        className={styles.drawing}
        disabled={!read.ok}
        aria-label={mocksText.schemaBuilder.propertiesOfThe(what)}
        aria-describedby={read.ok ? undefined : id}
      >
        <PropertyList
          path={what}
          schema={schema}
          onChange={(next) => onTextChange(stringifyExact(next, 2))}
        />
      </fieldset>
      <div className={styles.text}>
        <JsonEditor
          label={mocksText.schemaBuilder.schemaOfThe(what)}
          text={text}
          onTextChange={onTextChange}
        />
        {!read.ok && (
          <p id={id} className="field-error" role="alert">
            {read.reason}
          </p>
        )}
      </div>
    </div>
  )
}

/** The schema that a text says, or why it says none. */
function schemaIn(text: string): Parsed<Schema> {
  try {
    const value = parseExact(text)
    return isSchema(value) ? { ok: true, value } : { ok: false, reason: mocksText.schemaBuilder.notAnObject }
  } catch (error) {
    return { ok: false, reason: mocksText.schemaBuilder.invalidJSON(messageOf(error)) }
  }
}
