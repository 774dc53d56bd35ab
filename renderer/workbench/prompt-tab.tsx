import { useCallback, useMemo } from 'react'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { CallTab } from './call-tab.tsx'
import { namedRequest } from './named-request.ts'
import { promptSchema } from './prompt-schema.ts'
import { useListed } from './use-listed.ts'
import { workOf } from './work-store.ts'

interface PromptTabProps {
  id: string
  serverId: string
  name: string
}

const NOTHING: JsonObject = {}

/** A prompt: its arguments, and the messages it gives (MCP, prompts: prompts/get). */
export function PromptTab({ id, serverId, name }: PromptTabProps) {
  const work = workOf(id, promptSchema(NOTHING), 'call')
  const find = useCallback((lists: Lists) => lists.prompts.find((prompt) => prompt.name === name), [name])
  const definition = useListed(work, serverId, find)
  const value = definition.listed?.value
  const prompt = isJsonObject(value) ? value : NOTHING
  const schema = useMemo(() => promptSchema(prompt), [prompt])
  const { description } = prompt
  const request = useMemo(() => namedRequest('prompts/get', name), [name])
  const completes = useMemo(() => ({ type: 'ref/prompt', name }) as const, [name])
  return (
    <CallTab
      id={id}
      work={work}
      serverId={serverId}
      title={name}
      marks={[]}
      description={typeof description === 'string' ? description : undefined}
      definition={definition}
      noun="prompt"
      schema={schema}
      verb="Get"
      pageName="Messages"
      kind="prompt"
      request={request}
      completes={completes}
    />
  )
}
