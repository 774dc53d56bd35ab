/** What scripts do that they must not do: each is one tool of a script that is called again and again. */
export type Misdeed = {
  readonly name: string
  /** The member `run` of the tool, and what comes before it. */
  readonly tool: string
  /** What the result of the call says. */
  readonly says: RegExp
  /** The call has a result all the same. */
  readonly succeeds?: true
  /** The Worker goes on. */
  readonly survives?: true
}

const NEVER = 'return new Promise(() => undefined)'

export const MISDEEDS: readonly Misdeed[] = [
  { name: 'loop', tool: 'timeout: 100, run() { for (;;); }', says: /beyond its time limit of 0\.1 s/ },
  {
    name: 'heap-bomb',
    tool: 'run() { const all = []; for (;;) all.push(Array.from({ length: 100 }, () => ({}))) }',
    says: /ran out of memory/,
  },
  {
    name: 'buffer-bomb',
    tool: 'run() { const all = []; for (;;) all.push(Buffer.alloc(1_000_000, 1)) }',
    says: /ran out of memory/,
  },
  { name: 'exit', tool: 'run() { process.exit(3) }', says: /called process\.exit\(3\)/ },
  { name: 'abort', tool: 'run() { process.abort() }', says: /called process\.abort\(\)/ },
  {
    name: 'rejection',
    tool: `run() { void Promise.reject(new Error('nobody looks')); ${NEVER} }`,
    says: /left a rejection unhandled: nobody looks/,
  },
  {
    name: 'timer',
    tool: `run() { setTimeout(() => { throw new Error('too late') }); ${NEVER} }`,
    says: /threw outside of its handlers: too late/,
  },
  {
    name: 'stdout',
    tool: "run() { for (let n = 0; n < 1_000; n += 1) process.stdout.write('x'.repeat(99_999) + '\\n'); return 'printed' }",
    says: /^printed$/,
    succeeds: true,
    survives: true,
  },
  {
    name: 'cyclic',
    tool: 'run() { const all: { self?: unknown } = {}; all.self = all; return all }',
    says: /JSON cannot carry/,
    survives: true,
  },
  {
    name: 'getter',
    tool: "run() { return { get member() { throw new Error('no member') } } }",
    says: /no member/,
    survives: true,
  },
]
