import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { useState } from 'react'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { TypedNumber } from '../controls/typed-number.tsx'
import styles from './mocks.module.css'
import { choicesText, readChoices, typeOf, withKeyword, type Schema, type TypeName } from './schema-edit.ts'
import { mocksText } from './text.ts'

/** Least and most of a type: whether only whole numbers fit, from zero. */
const RANGES: Readonly<Partial<Record<TypeName, readonly [least: string, most: string]>>> = {
  string: ['minLength', 'maxLength'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
}

interface BoundsProps {
  path: string
  schema: Schema
  onChange: (schema: Schema) => void
}

/** The range, the form and the choices of a value. */
export function PropertyBounds({ path, schema, onChange }: BoundsProps) {
  const type = typeOf(schema)
  const range = type === undefined ? undefined : RANGES[type]
  const isCount = type === 'string' || type === 'array'
  return (
    <>
      {range !== undefined && (
        <div className={styles.range}>
          {range.map((keyword) => (
            <label key={keyword}>
              {keyword}
              <TypedNumber
                label={mocksText.propertyBounds.ofText(keyword, path)}
                text={numberText(schema[keyword])}
                read={(text) => readNumber(text, isCount || type === 'integer', isCount)}
                onNumber={(value) => onChange(withKeyword(schema, keyword, value))}
              />
            </label>
          ))}
        </div>
      )}
      {type === 'string' && (
        <div className={styles.range}>
          {['pattern', 'format'].map((keyword) => (
            <label key={keyword}>
              {keyword}
              <TextField
                mono
                aria-label={mocksText.propertyBounds.ofText(keyword, path)}
                value={typeof schema[keyword] === 'string' ? schema[keyword] : ''}
                onValueChange={(text) =>
                  onChange(withKeyword(schema, keyword, text === '' ? undefined : text))
                }
              />
            </label>
          ))}
        </div>
      )}
      {type !== 'object' && type !== 'array' && type !== 'null' && (
        <Choices path={path} schema={schema} onChange={onChange} />
      )}
    </>
  )
}

/** The values that may be given, one a line. */
function Choices({ path, schema, onChange }: BoundsProps) {
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const read = draft === undefined ? undefined : readChoices(draft, typeOf(schema))
  const problem = typeof read === 'string' ? read : undefined
  return (
    <label className={styles.choices}>
      {mocksText.propertyBounds.choicesOnePerLine}
      <TextArea
        mono
        rows={2}
        aria-label={mocksText.propertyBounds.choicesOf(path)}
        value={draft ?? choicesText(schema)}
        invalid={problem !== undefined}
        onValueChange={setDraft}
        onBlur={() => {
          if (draft === undefined || typeof read === 'string') return
          setDraft(undefined)
          onChange(withKeyword(schema, 'enum', read))
        }}
      />
      {problem !== undefined && (
        <span className="field-error">
          {mocksText.propertyBounds.expected} {problem}
        </span>
      )}
    </label>
  )
}

function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : ''
}

function readNumber(text: string, isWhole: boolean, isCount: boolean): Parsed<number | undefined> {
  if (text.trim() === '') return { ok: true, value: undefined }
  const value = Number(text)
  if (!Number.isFinite(value)) return { ok: false, reason: 'a number' }
  if (isCount && value < 0) return { ok: false, reason: 'a whole number from 0' }
  if (isWhole && !Number.isInteger(value)) return { ok: false, reason: 'a whole number' }
  return { ok: true, value }
}
