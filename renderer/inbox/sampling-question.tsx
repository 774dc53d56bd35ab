import { useMemo } from 'react'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { JsonView } from '../json/json-view.tsx'
import { counted } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { ContentBlock } from '../workbench/results/content-block.tsx'
import styles from './inbox.module.css'
import { modelHints, samplingFacts } from './sampling-facts.ts'
import { inboxText } from './text.ts'

/** What a model is asked: system prompt, messages with all they hold, tools and limits (client features: sampling). */
export function SamplingQuestion({ params, serverId }: { params: JsonObject; serverId: string }) {
  const { systemPrompt, tools } = params
  const blocks = useMemo(() => blocksOf(params), [params])
  const hints = modelHints(params)
  const facts = samplingFacts(params)
  const offered = Array.isArray(tools) ? (tools as unknown[]) : []
  return (
    <>
      <dl className={styles.terms}>
        <dt>{inboxText.samplingQuestion.system}</dt>
        <dd className={styles.prose}>
          {typeof systemPrompt === 'string' ? (
            <SafeText>{systemPrompt}</SafeText>
          ) : (
            <span className="t3">{inboxText.samplingQuestion.none}</span>
          )}
        </dd>
        {hints.length > 0 && (
          <>
            <dt>{inboxText.samplingQuestion.model}</dt>
            <dd className="mono">
              <SafeText>{hints.join(', ')}</SafeText>
            </dd>
          </>
        )}
        {facts.length > 0 && (
          <>
            <dt>{inboxText.samplingQuestion.with}</dt>
            <dd>
              <SafeText>{facts.join(' · ')}</SafeText>
            </dd>
          </>
        )}
      </dl>
      <section className={styles.messages} aria-label={inboxText.samplingQuestion.messages}>
        {blocks.map(({ role, source }, place) => (
          <ContentBlock
            key={place}
            source={source}
            serverId={serverId}
            place={place + 1}
            isAlone={false}
            lead={role}
            noun="Message"
          />
        ))}
      </section>
      {offered.length > 0 && (
        <details className={styles.tools}>
          <summary>
            {counted(offered.length, 'tool')} {inboxText.samplingQuestion.offeredToTheModel}
          </summary>
          {offered.map((tool, place) => (
            <section
              key={place}
              className={styles.json}
              aria-label={inboxText.samplingQuestion.tool(nameOf(tool))}
            >
              <JsonView text={JSON.stringify(tool)} label={inboxText.samplingQuestion.tool(nameOf(tool))} />
            </section>
          ))}
        </details>
      )}
    </>
  )
}

/** Every block of every message, with who says it. A message may hold one block or a list of them. */
function blocksOf({ messages }: JsonObject): readonly { role: string; source: string }[] {
  if (!Array.isArray(messages)) return []
  return (messages as unknown[]).flatMap((message) => {
    if (!isJsonObject(message)) return [{ role: '?', source: JSON.stringify(message) }]
    const role = typeof message['role'] === 'string' ? message['role'] : '?'
    const { content } = message
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content ?? null]
    return blocks.map((block) => ({ role, source: JSON.stringify(block) }))
  })
}

function nameOf(tool: unknown): string {
  return isJsonObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : 'without a name'
}
