import { cp, mkdir, readdir, readFile, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  connect,
  connectSdk,
  faultOf,
  SDKS,
  serveWorkspace,
  SLOW,
  textOf,
  type Peer,
} from '../workspace-clients.test-support.ts'

const folder = import.meta.dirname
const TOOLS = [
  'pre_action',
  'get_session_context',
  'query_decisions',
  'check_action',
  'log_decision',
  'review_outcome',
  'get_stats',
  'get_decision',
  'get_reason_stats',
  'update_decision',
  'record_thought',
  'ready',
  'link_decisions',
  'get_graph',
  'get_neighbors',
]
const headers = { authorization: 'Bearer open-sesame' }

let data = ''
const served = serveWorkspace(async (temporary) => {
  data = path.join(temporary, 'decisions')
  await cp(path.join(folder, 'decisions'), data, { recursive: true })
  return { folder, env: { DECISIONS_PATH: data, PATCHBAY_TOKEN: 'open-sesame' } }
})
const overHttp = () => ({ url: served.url, headers })

const ways: readonly (readonly [string, () => Promise<Peer>])[] = [
  ...SDKS.map((sdk) => [`${sdk}, HTTP`, () => connectSdk(sdk, overHttp())] as const),
  ...SDKS.filter((sdk) => sdk !== 'SDK v2, 2025-11-25').map(
    // Without a token: who starts the process owns it.
    (sdk) => [`${sdk}, stdio`, () => connectSdk(sdk, { folder, env: { DECISIONS_PATH: data } })] as const,
  ),
]

describe.each(ways)('the journal of decisions, for %s', SLOW, (_name, connected) => {
  let peer: Peer
  beforeAll(async () => {
    peer = await connected()
  }, SLOW.timeout)
  afterAll(() => peer.close())

  it('is searched, checked, written, reviewed, scored and linked', async () => {
    expect(peer.getServerVersion()?.name).toBe('decisions')
    const { tools } = await peer.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS.toSorted())

    // Search, three ways.
    const query = (more: object) =>
      call(peer, 'query_decisions', { query: 'which database for orders', ...more }) as Promise<{
        decisions: { id: string; distance: number }[]
      }>
    for (const retrieval_mode of ['semantic', 'keyword', 'hybrid']) {
      const { decisions } = await query({ retrieval_mode, limit: 3, filters: { category: 'architecture' } })
      expect(decisions[0]).toMatchObject({ id: '3fa81c20', category: 'architecture', outcome: 'success' })
    }
    expect(
      await query({ query: 'survive failures of another service', bridge_side: 'function', limit: 1 }),
    ).toMatchObject({ decisions: [{ id: 'e85f1d4c' }] })

    // What the guardrails say.
    const blocked = await call(peer, 'check_action', {
      description: 'Deploy to production without tests',
      stakes: 'high',
      confidence: 0.6,
    })
    expect(blocked).toMatchObject({
      allowed: false,
      violations: [{ guardrail_id: 'no-production-without-tests', severity: 'block' }],
      warnings: [],
      evaluated: 6,
    })

    // One that is recorded by itself, with what was thought before it.
    await call(peer, 'record_thought', { text: 'A queue would decouple the two.' })
    const planned = (await call(peer, 'pre_action', {
      action: {
        description: 'Put a queue before the mailer',
        category: 'integration',
        stakes: 'low',
        confidence: 0.9,
      },
      reasons: [
        { type: 'analysis', text: 'Mails may be late, orders not' },
        { type: 'analogy', text: 'Payments do so' },
      ],
      tags: ['queue'],
      pattern: 'Decouple by a queue',
    })) as { decision_id: string; path: string }
    expect(planned).toMatchObject({
      allowed: true,
      recorded: true,
      decision_id: expect.stringMatching(/^[0-9a-f]{8}$/),
      calibration: { category: 'integration', tendency: expect.any(String) },
      guardrails: { violations: [] },
    })
    const id = planned.decision_id
    expect(await call(peer, 'get_decision', { id })).toMatchObject({
      decision: 'Put a queue before the mailer',
      status: 'pending',
      deliberation: {
        // What this client searched and checked above came along.
        inputs: expect.arrayContaining([
          expect.objectContaining({
            source: 'check_action',
            text: expect.stringContaining('blocked by no-production'),
          }),
          expect.objectContaining({ source: 'query_decisions', text: expect.stringContaining('3fa81c20') }),
        ]),
        steps: [{ step: 1, thought: 'A queue would decouple the two.' }],
      },
    })
    const file = await readFile(path.join(data, planned.path), 'utf8')
    expect(file).toContain('decision: Put a queue before the mailer\n')

    // What comes after it.
    await call(peer, 'record_thought', { text: 'Dead letters need a place.', decision_id: id })
    await call(peer, 'update_decision', { id, decision: 'Put a queue with dead letters before the mailer' })
    await call(peer, 'review_outcome', { id, outcome: 'success', lessons: 'Watch its length.' })
    expect(await call(peer, 'get_decision', { id: id.slice(0, 7) })).toMatchObject({
      status: 'reviewed',
      outcome: 'success',
      deliberation: { steps: [{}, { thought: 'Dead letters need a place.' }] },
      earlier: [{ decision: 'Put a queue before the mailer' }],
    })

    // By hand: nothing was searched since, so nothing comes along.
    const logged = (await call(peer, 'log_decision', {
      decision: 'Send mails in batches',
      confidence: 0.5,
      category: 'integration',
      project: 'acme/mail',
      pr: 7,
      bridge: { structure: 'batch', function: 'fewer connections' },
    })) as { id: string }
    expect(logged).toMatchObject({ indexed: true, deliberation_inputs: 0 })
    expect(
      await call(peer, 'query_decisions', {
        query: 'batches of mails',
        limit: 1,
        filters: { has_outcome: false },
      }),
    ).toMatchObject({ decisions: [{ title: 'Send mails in batches', stakes: 'medium' }] })

    const link = { source_id: logged.id, target_id: id, edge_type: 'depends_on', weight: 0.7 }
    expect(await call(peer, 'link_decisions', link)).toMatchObject(link)
    expect(await call(peer, 'get_graph', { node_id: id, depth: 2 })).toMatchObject({
      center: id,
      nodes: [{ id }, { id: logged.id, distance: 1 }],
      edges: [link],
    })
    expect(await call(peer, 'get_neighbors', { node_id: id, direction: 'outgoing' })).toMatchObject({
      neighbors: [],
    })
    expect(await call(peer, 'get_neighbors', { node_id: id })).toMatchObject({
      neighbors: [{ id: logged.id, direction: 'incoming', weight: 0.7 }],
    })

    expect(await call(peer, 'get_stats', { category: 'security' })).toMatchObject({
      reviewed: 2,
      brier_score: 0.365,
      accuracy: 0.5,
      confidence_distribution: { mean: 0.75 },
      by_outcome: { failure: 1, success: 1 },
    })
    expect(
      await call(peer, 'get_reason_stats', { filters: { category: 'security' }, min_reviewed: 2 }),
    ).toMatchObject({
      reason_types: [{ type: 'analysis', decisions: 2, success_rate: 0.5 }],
      too_few_reviews: [{ type: 'authority' }],
    })
  })

  it('reports what a session should know, and what is wrong with a call', async () => {
    const markdown = await call(peer, 'get_session_context', {
      task_description: 'Sign users in with tokens',
    })
    expect(markdown).toMatch(
      /^# Decision context\n\nTask: Sign users in with tokens\n\n## Profile\n\n- \d+ decisions/,
    )
    for (const heading of [
      'Relevant decisions',
      'Guardrails',
      'Calibration',
      'To do',
      'Confirmed patterns',
      'Contradictions',
    ]) {
      expect(markdown).toContain(`\n## ${heading}\n`)
    }
    expect(markdown).toContain('- Make the step small enough to take back (2 of 2 came true)')
    const context = await call(peer, 'get_session_context', {
      format: 'json',
      include: ['decisions'],
      decisions_limit: 2,
    })
    expect(context).toMatchObject({ profile: { weakest_category: 'security' }, decisions: [{}, {}] })
    expect(context).not.toHaveProperty('guardrails')
    expect(await call(peer, 'ready', { min_priority: 'high' })).toMatchObject({ actions: [] })

    expect(
      await call(peer, 'pre_action', { action: { description: 'Commit the secret to git', confidence: 1 } }),
    ).toMatchObject({
      allowed: false,
      recorded: false,
      not_recorded_because: 'a guardrail blocks it; it has no category',
    })
    expect(await faultOf(peer, 'query_decisions')).toEqual({
      error: 'validation_error',
      message: expect.stringMatching(/^The arguments of query_decisions are not valid: query: /),
    })
    const wrong: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      ['log_decision', { decision: 'x', confidence: 1.5, category: 'security' }, /confidence/],
      ['review_outcome', { id: '3fa81c20', outcome: 'splendid' }, /outcome/],
      ['update_decision', { id: '3fa81c20' }, /nothing to change/],
      ['get_decision', { id: 'ffffffff' }, /There is no decision with the id "ffffffff"/],
      ['link_decisions', { source_id: '7bd0e955', target_id: 'c41e77a3', edge_type: 'supersedes' }, /circle/],
    ]
    for (const [tool, args, message] of wrong) {
      expect(await faultOf(peer, tool, args)).toEqual({
        error: 'validation_error',
        message: expect.stringMatching(message),
      })
    }
  })
})

it.each(SDKS)('offers decisions as resources, and a prompt to make one, for %s', async (sdk) => {
  const peer = await connect(sdk, overHttp())
  expect(await textOf(peer, 'decisions://log/c41e77a3')).toContain('edge_type: supersedes')
  expect(await textOf(peer, 'decisions://guardrails')).toContain('id: no-plain-secrets')
  const { resources } = await peer.listResources()
  expect(resources.map(({ uri }) => uri)).toContain('decisions://log/3fa81c20')
  const { messages } = await peer.getPrompt({
    name: 'decide',
    arguments: { question: 'Which database for carts?' },
  })
  expect(messages[0]?.content.text).toContain('`3fa81c20` Use PostgreSQL for the orders service')
  const { completion } = await peer.complete({
    ref: { type: 'ref/resource', uri: 'decisions://log/{id}' },
    argument: { name: 'id', value: 'payment' },
  })
  expect(completion.values).toEqual(['e85f1d4c'])
})

it('lets nobody in over HTTP without the token', async () => {
  await expect(connect('SDK v1, 2025-11-25', { url: served.url })).rejects.toThrow()
  const answer = await fetch(served.url, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
})

it('keeps the deliberations of agents apart that share a connection', async () => {
  const peer = await connect('SDK v2, 2025-11-25', overHttp())
  await call(peer, 'record_thought', { text: 'Mine.', agent_id: 'one' })
  await call(peer, 'record_thought', { text: 'Theirs.', agent_id: 'other' })
  const decision = { decision: 'Go home', confidence: 0.9, category: 'process', agent_id: 'one' }
  const { id } = (await call(peer, 'log_decision', decision)) as { id: string }
  expect(await call(peer, 'get_decision', { id })).toMatchObject({
    agent: 'one',
    deliberation: { inputs: [], steps: [{ thought: 'Mine.' }] },
  })
})

it('says that something is wrong with itself as internal_error', async () => {
  const peer = await connect('SDK v2, 2025-11-25', overHttp())
  // The place of the lock is taken by something else.
  await mkdir(path.join(data, '.lock'))
  expect(await faultOf(peer, 'update_decision', { id: '3fa81c20', context: 'x' })).toEqual({
    error: 'internal_error',
    message: expect.stringMatching(/^update_decision failed: .*EISDIR.* The log of the server says more\.$/),
  })
  await rmdir(path.join(data, '.lock'))
  expect(await call(peer, 'update_decision', { id: '3fa81c20', context: 'x' })).toMatchObject({ versions: 2 })
})

it('leaves nothing behind but decisions', async () => {
  const names = await readdir(data, { recursive: true, withFileTypes: true })
  const others = names.filter(
    (one) => one.isFile() && !/^\d{4}-\d\d-\d\d-decision-[0-9a-f]{8}\.yaml$/.test(one.name),
  )
  expect(others.map(({ name }) => name)).toEqual([])
})
