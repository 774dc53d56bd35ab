import { Bar } from '../controls/bar.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { SafeText } from '../text/safe-text.tsx'
import type { ListedRecording } from './list-order.ts'
import { recordingCommands } from './recording-commands.ts'
import styles from './recordings.module.css'
import { useCommandLine } from './recordings-state.ts'
import { recordingsText } from './text.ts'

const text = recordingsText.commands

/** Commands for a recording, to be copied into a shell. */
export function CommandList({ recording }: { recording: ListedRecording }) {
  const line = useCommandLine()
  const commands = line === undefined ? [] : recordingCommands(recording, line)
  return (
    <>
      <Bar>
        <h2>{text.title}</h2>
      </Bar>
      <div className={styles.commands} tabIndex={0} role="group" aria-label={text.title}>
        {commands.map(({ name, command }) => (
          <section key={name} className={styles.command} aria-label={text.names[name]}>
            <div className={styles.commandHead}>
              <h3>{text.names[name]}</h3>
              <CopyButton tight label={text.copy(text.names[name])} text={command} />
            </div>
            <code className={styles.code}>
              <SafeText>{command}</SafeText>
            </code>
            {name === 'replay' && (
              <p className={styles.hint}>
                {text.calledAgain} {command.endsWith('-- COMMAND') && text.replaceCommand}
              </p>
            )}
          </section>
        ))}
      </div>
    </>
  )
}
