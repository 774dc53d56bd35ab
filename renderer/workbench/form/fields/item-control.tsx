import { useId } from 'react'
import { SafeText } from '../../../text/safe-text.tsx'
import { useForm, useMessage } from '../form-context.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { brokenJsonMessage } from './json-control.tsx'
import { unfinishedMessage } from './number-control.tsx'
import { ScalarControl } from './scalar-control.tsx'

/** The control of a value without a label beside it, and below it what is wrong. */
export function ItemControl(props: FieldProps) {
  const id = useId()
  const { onFocus } = useForm()
  const found = useMessage(props.pointer)
  const message = unfinishedMessage(props.draft) ?? brokenJsonMessage(props.draft) ?? found
  return (
    <span
      className={styles.stack}
      data-pointer={props.pointer}
      onFocus={(event) => {
        event.stopPropagation()
        onFocus(props.pointer)
      }}
    >
      <ScalarControl
        {...props}
        id={undefined}
        describedBy={message === undefined ? undefined : id}
        invalid={found !== undefined}
      />
      {message !== undefined && (
        <span id={id} className={styles.wrong}>
          <SafeText>{message}</SafeText>
        </span>
      )}
    </span>
  )
}
