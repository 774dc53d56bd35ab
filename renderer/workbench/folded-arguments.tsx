import { useMemo } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { useSelected, type Observable } from '../state/observable.ts'
import { SafeText } from '../text/safe-text.tsx'
import { argumentsText } from './form/arguments-state.ts'
import styles from './call-layout.module.css'
import { workbenchText } from './text.ts'
import { changeWork, type Work } from './work-store.ts'

/** Characters of arguments that one line shows at most. */
const MAX_LENGTH = 1_000

/** The arguments as JSON on one line, as far as they fit, with a button that unfolds them. */
export function FoldedArguments({ work }: { work: Observable<Work> }) {
  return (
    <div className={styles.folded}>
      <IconButton
        tight
        icon="chev-r"
        label={workbenchText.callTab.unfoldArguments}
        keys="["
        onClick={() => changeWork(work, { isFolded: false })}
      />
      <span className="clip">
        <ArgumentsLine work={work} />
      </span>
    </div>
  )
}

/** The arguments as JSON on one line. */
export function ArgumentsLine({ work }: { work: Observable<Work> }) {
  const spec = useSelected(work, (now) => now.spec)
  const typed = useSelected(work, (now) => now.arguments)
  const line = useMemo(() => {
    const text = typed.typed ?? argumentsText(spec, typed)
    return text.replaceAll(/\s*\n\s*/g, ' ').slice(0, MAX_LENGTH)
  }, [spec, typed])
  return <SafeText>{line}</SafeText>
}
