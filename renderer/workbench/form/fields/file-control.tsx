import { useRef, useState } from 'react'
import { classes } from '../../../controls/classes.ts'
import { Icon } from '../../../controls/icon.tsx'
import { bytesText } from '../../../text/measures.ts'
import { base64OfBytes, sizeOfBase64 } from '../../results/base64.ts'
import { takeFile } from '../draft-edits.ts'
import { useForm } from '../form-context.ts'
import type { ControlProps } from './field-props.ts'
import styles from './fields.module.css'
import { workbenchFormFieldsText } from './text.ts'
import { messageOf } from '../../../../server-core/protocol/error-message.ts'

/** A file, sent as base64. */
export function FileControl(props: ControlProps) {
  const { spec, draft, path, invalid, label } = props
  const { edit } = useForm()
  const input = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const body = draft.presence === 'set' && draft.body.type === 'text' ? draft.body : undefined
  const mediaType = spec.shape.type === 'string' ? spec.shape.mediaType : undefined

  const take = async (file: File): Promise<void> => {
    try {
      edit(path, takeFile(base64OfBytes(new Uint8Array(await file.arrayBuffer())), file.name))
      setRefusal(undefined)
    } catch (error) {
      setRefusal(workbenchFormFieldsText.fileControl.couldNotBeRead(file.name, messageOf(error)))
    }
  }

  return (
    <span className={classes(styles.field, (invalid || refusal !== undefined) && styles.invalid)}>
      <Icon name="resource" />
      <span className="clip grow">
        {refusal ??
          body?.fileName ??
          (body === undefined
            ? workbenchFormFieldsText.fileControl.noFile
            : workbenchFormFieldsText.fileControl.base64Text)}
      </span>
      {body !== undefined && <span className={styles.affix}>{bytesText(sizeOfBase64(body.text))}</span>}
      <button
        type="button"
        className={styles.affixButton}
        {...(props.describedBy === undefined ? {} : { 'aria-describedby': props.describedBy })}
        onClick={() => input.current?.click()}
      >
        {workbenchFormFieldsText.fileControl.choose}
        <span className="vh">
          {' '}
          {workbenchFormFieldsText.fileControl.aFileFor} {label}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        {...(mediaType === undefined ? {} : { accept: mediaType })}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file !== undefined) void take(file)
          event.currentTarget.value = ''
        }}
      />
    </span>
  )
}
