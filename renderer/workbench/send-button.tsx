import { Button } from '../controls/button.tsx'
import { useStaleClickGuard } from '../controls/use-stale-click-guard.ts'
import { workbenchText } from './text.ts'

interface SendButtonProps {
  verb: string
  isRunning: boolean
  /** It was cancelled and has not ended yet. */
  isCancelling: boolean
  /** Why nothing can be sent now. */
  obstacle: string | undefined
  onSend: () => void
  onCancel: () => void
}

/** The button that sends, and cancels while what was sent is under way. The focus stays on it. */
export function SendButton({ verb, isRunning, isCancelling, obstacle, onSend, onCancel }: SendButtonProps) {
  const { button } = useStaleClickGuard(isRunning ? 'cancel' : 'send')
  return isRunning ? (
    <Button icon="stop" onClick={onCancel} {...button}>
      {isCancelling ? workbenchText.sendButton.cancelling : workbenchText.sendButton.cancel}
    </Button>
  ) : (
    <Button
      tone="primary"
      icon="run"
      keys="mod+enter"
      disabled={obstacle !== undefined}
      title={obstacle}
      data-runs
      onClick={onSend}
      {...button}
    >
      {verb}
    </Button>
  )
}
