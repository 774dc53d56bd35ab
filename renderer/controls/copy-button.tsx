import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from './clipboard.ts'
import { IconButton } from './icon-button.tsx'
import { showFailure } from './toast.tsx'
import { controlsText } from './text.ts'

interface CopyButtonProps {
  /** The text, or what makes it when the button is pressed. */
  text: string | (() => string | Promise<string>)
  /** What is copied: "Copy result". */
  label: string
  /** With the label beside the drawing. */
  labelled?: boolean
  tight?: boolean
  disabled?: boolean
}

/** Copies, and shows a tick for a second and a half. */
export function CopyButton({
  text,
  label,
  labelled = false,
  tight = false,
  disabled = false,
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async (): Promise<void> => {
    try {
      await copyText(typeof text === 'string' ? text : await text())
      setCopied(true)
    } catch (error) {
      showFailure(controlsText.copyButton.couldNotCopy, error)
    }
  }

  const icon = copied ? 'check' : 'copy'
  return (
    <>
      {labelled ? (
        <Button icon={icon} disabled={disabled} onClick={() => void copy()}>
          {label}
        </Button>
      ) : (
        <IconButton icon={icon} label={label} tight={tight} disabled={disabled} onClick={() => void copy()} />
      )}
      <span className="vh" role="status">
        {copied ? controlsText.copyButton.copied : ''}
      </span>
    </>
  )
}
