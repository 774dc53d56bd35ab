/** What a person does at the client, and the messages by which that is seen. */
export type ExamStep = {
  readonly id: 'connect' | 'tools' | 'call' | 'resources' | 'read' | 'prompts' | 'get'
  /** What to type into a client that has a chat. */
  readonly say?: string
  readonly methods: readonly string[]
}

export const EXAM_STEPS: readonly ExamStep[] = [
  { id: 'connect', methods: ['initialize', 'server/discover'] },
  { id: 'tools', methods: ['tools/list'] },
  { id: 'call', say: 'Use the tool echo of the server exam with the text hello.', methods: ['tools/call'] },
  { id: 'resources', methods: ['resources/list'] },
  { id: 'read', say: 'Read the resource exam://text of the server exam.', methods: ['resources/read'] },
  { id: 'prompts', methods: ['prompts/list'] },
  { id: 'get', say: 'Use the prompt greeting of the server exam.', methods: ['prompts/get'] },
]
