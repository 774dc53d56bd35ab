import { useMemo, useState } from 'react'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { Button } from '../controls/button.tsx'
import { useAppInfo } from '../host/live.ts'
import { AnswerActs, FaultList } from './answer-acts.tsx'
import { changeDraft, useAnswerDraft } from './answer-draft.ts'
import { answerEntry, type Faults } from './inbox-actions.ts'
import { rootProblem, rootsResult, RootsEditor, type Root } from './roots-editor.tsx'
import { inboxText } from './text.ts'

interface RootsAnswerProps {
  entry: InboxEntry
  proposalText: string | undefined
}

/** Which folders are sent to the server: none before the user has named one. */
export function RootsAnswer({ entry, proposalText }: RootsAnswerProps) {
  const { roots: typed } = useAnswerDraft(entry.id)
  const workspace = useAppInfo()?.workspace
  const proposal = useMemo(() => rootsOf(proposalText), [proposalText])
  const roots = typed ?? proposal
  const isOther = proposalText !== undefined && JSON.stringify(proposal) !== JSON.stringify(roots)
  const [faults, setFaults] = useState<Faults>([])
  const isBroken = roots.some((root) => rootProblem(root) !== undefined)

  const answer = (): void => {
    const resultText = JSON.stringify(rootsResult(roots))
    void answerEntry(entry, { type: 'result', resultText }).then(setFaults)
  }

  return (
    <>
      <RootsEditor
        roots={roots}
        suggestion={workspace}
        onChange={(next) => changeDraft(entry.id, { roots: next })}
      />
      <FaultList faults={faults} />
      <AnswerActs
        entry={entry}
        onUseProposal={isOther ? () => changeDraft(entry.id, { roots: proposal }) : undefined}
      >
        <Button tone="primary" disabled={isBroken} onClick={answer}>
          {roots.length === 0 ? inboxText.rootsAnswer.sendNoRoots : inboxText.rootsAnswer.sendRoots}
        </Button>
      </AnswerActs>
    </>
  )
}

function rootsOf(proposalText: string | undefined): readonly Root[] {
  const result: unknown = proposalText === undefined ? undefined : JSON.parse(proposalText)
  const roots = isJsonObject(result) ? result['roots'] : undefined
  if (!Array.isArray(roots)) return []
  return (roots as unknown[]).flatMap((root) => {
    if (!isJsonObject(root) || typeof root['uri'] !== 'string') return []
    return [{ uri: root['uri'], name: typeof root['name'] === 'string' ? root['name'] : '' }]
  })
}
