import { Button } from '../../controls/button.tsx'
import type { Observable } from '../../state/observable.ts'
import { SafeText } from '../../text/safe-text.tsx'
import { ArgumentsLine } from '../folded-arguments.tsx'
import type { Work } from '../work-store.ts'
import { toggleMaximized } from './maximized.ts'
import styles from './results.module.css'
import { workbenchResultsText } from './text.ts'

interface MaximizedHeadProps {
  work: Observable<Work>
  subject: string
  verb: string
  onRun: (() => void) | undefined
}

/** Above a maximized result: what it is the result of, the way back, and the button that sends it again. */
export function MaximizedHead({ work, subject, verb, onRun }: MaximizedHeadProps) {
  return (
    <div className={styles.maximizedHead}>
      <Button icon="restore" keys="F9" onClick={toggleMaximized}>
        {workbenchResultsText.maximizedHead.restore}
      </Button>
      <b>
        <SafeText>{subject}</SafeText>
      </b>
      <span className="mono clip">
        <ArgumentsLine work={work} />
      </span>
      <Button icon="restart" keys="mod+enter" disabled={onRun === undefined} onClick={onRun}>
        {workbenchResultsText.maximizedHead.again(verb)}
      </Button>
    </div>
  )
}
