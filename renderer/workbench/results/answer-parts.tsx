import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { indexJson, valueSource } from '../../json/json-index.ts'
import { nodeAtPointer } from '../../json/json-pointer.ts'
import { SafeText } from '../../text/safe-text.tsx'
import type { Answer, ResultKind } from './answer.ts'
import { ContentBlock } from './content-block.tsx'
import styles from './results.module.css'
import { workbenchResultsText } from './text.ts'

interface AnswerPartsProps {
  answer: Answer
  kind: ResultKind
  serverId: string
}

/** The content blocks of a tool's result, the contents of a resource, or the messages of a prompt. */
export function AnswerParts({ answer, kind, serverId }: AnswerPartsProps) {
  if (answer.parts.length === 0) {
    return (
      <p className={styles.note}>
        {EMPTY[kind]} {workbenchResultsText.answerParts.fullResponseNote}
      </p>
    )
  }
  const isAlone = answer.parts.length === 1 && kind !== 'prompt'
  return (
    <div className={isAlone ? styles.only : styles.blocks}>
      {answer.description !== undefined && (
        <p className={styles.note}>
          <SafeText>{answer.description}</SafeText>
        </p>
      )}
      {answer.parts.map(({ node, source }, place) => (
        <ContentBlock
          key={node}
          serverId={serverId}
          place={place + 1}
          isAlone={isAlone}
          {...partOf(kind, source)}
        />
      ))}
    </div>
  )
}

const EMPTY: Record<ResultKind, string> = {
  tool: workbenchResultsText.answerParts.noContentBlocks,
  resource: workbenchResultsText.answerParts.noContents,
  prompt: workbenchResultsText.answerParts.noMessages,
}

/** The content block of a part, and its head. */
function partOf(kind: ResultKind, source: string): { source: string; lead?: string } {
  if (kind === 'tool') return { source }
  if (kind === 'resource') return { source: `{"type":"resource","resource":${source}}` }
  const message: unknown = JSON.parse(source)
  const role = isJsonObject(message) && typeof message['role'] === 'string' ? message['role'] : 'no role'
  const indexed = indexJson(source)
  const content = indexed.ok ? nodeAtPointer(indexed.index, '/content') : undefined
  return {
    source: indexed.ok && content !== undefined ? valueSource(indexed.index, content) : source,
    lead: role,
  }
}
