import { LinkButton } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { SafeText } from '../text/safe-text.tsx'
import styles from './below.module.css'
import { faultWords } from './fault-words.ts'
import { openScript } from './open-line.ts'
import type { Problem } from './problems.ts'
import { registryText } from './text.ts'

/** All problems with their places and what is served meanwhile. */
export function ProblemList({ problems, isOpening }: { problems: readonly Problem[]; isOpening: boolean }) {
  if (problems.length === 0) {
    return (
      <p className={styles.note}>
        {isOpening ? registryText.problemList.openingTheWorkspace : registryText.problemList.noProblems}
      </p>
    )
  }
  return (
    <ul className="scroll" aria-label={registryText.problemList.problems} tabIndex={0}>
      {problems.map(({ tone, where, fault, meanwhile }) => (
        <li
          key={`${where} ${fault.at?.line} ${fault.at?.column} ${fault.code} ${fault.message}`}
          className={styles.problem}
        >
          <span className={tone === 'error' ? 'is-error' : 'is-warn'}>
            <Icon name={tone === 'error' ? 'kind-error' : 'warn'} />
          </span>
          <div>
            <SafeText>{fault.message}</SafeText> <span className="t3">{faultWords(fault.code)}</span>
            {fault.at !== undefined && fault.at.text !== '' && (
              <code>
                <SafeText>{fault.at.text.trim()}</SafeText>
              </code>
            )}
            {meanwhile !== undefined && <p className="t3">{meanwhile}</p>}
          </div>
          <Place where={where} fault={fault} />
        </li>
      ))}
    </ul>
  )
}

function Place({ where, fault: { at } }: Pick<Problem, 'where' | 'fault'>) {
  if (at === undefined) {
    return (
      <span className="mono t2">
        <SafeText>{where}</SafeText>
      </span>
    )
  }
  return (
    <LinkButton onClick={() => openScript(at.file, at)}>
      <SafeText>{`${at.file}:${at.line}:${at.column}`}</SafeText>
    </LinkButton>
  )
}
