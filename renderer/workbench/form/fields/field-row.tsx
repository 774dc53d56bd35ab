import { memo } from 'react'
import { isScalar } from '../field-spec.ts'
import type { FieldProps } from './field-props.ts'
import { GroupField } from './group-field.tsx'
import { Row } from './row.tsx'
import { ScalarControl } from './scalar-control.tsx'

/** One field of the form. Groups have their fields below. */
export const FieldRow = memo(function FieldRow(props: FieldProps) {
  return isScalar(props.spec) || props.draft.misfit !== undefined ? (
    <Row {...props} control={(control) => <ScalarControl {...control} />} />
  ) : (
    <GroupField {...props} />
  )
})
