import type { Path } from '../draft-edits.ts'
import type { Draft } from '../draft.ts'
import type { FieldSpec } from '../field-spec.ts'

/** One field: what the schema asks for, what was typed, and where it stands. */
export type FieldProps = {
  readonly spec: FieldSpec
  readonly draft: Draft
  readonly path: Path
  /** The JSON pointer of its value. */
  readonly pointer: string
  /** The name a person reads: the property, or the place in its array. */
  readonly label: string
  readonly required: boolean
}

/** A control inside a row or a list. */
export type ControlProps = FieldProps & {
  /** The id its label points at; undefined where it has no label beside it and is named by itself. */
  readonly id: string | undefined
  /** The id of what explains it: its message, or its description. */
  readonly describedBy: string | undefined
  readonly invalid: boolean
}

/** The attributes that name and explain the element a person types into. */
export function namedBy({ id, label, describedBy, required, invalid }: ControlProps): object {
  return {
    ...(id === undefined ? { 'aria-label': label } : { id }),
    ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
    ...(invalid ? { 'aria-invalid': true } : {}),
    'aria-required': required,
  }
}
