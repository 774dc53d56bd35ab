import { describe, expect, it } from 'vitest'
import { Expert, UNKNOWN, type Facts } from './expert.ts'
import { KNOWLEDGE, readKnowledge } from './knowledge.ts'

const expert = new Expert(KNOWLEDGE)

/** Asks as the tool does; the answers are those of a bird, `other` where it has none. */
function identify(needs: Facts, start: Facts = {}) {
  const facts: Record<string, string> = { ...start }
  const asked: string[] = []
  for (;;) {
    const judged = expert.judge(facts)
    if (judged.next === undefined) return { ...judged, asked }
    const { attribute, values } = judged.next
    asked.push(attribute)
    const seen = needs[attribute] ?? 'other'
    facts[attribute] = Object.hasOwn(values, seen) ? seen : 'other'
  }
}

const proofs = KNOWLEDGE.birds.flatMap(({ id }) =>
  expert.proofsOf(id).map((proof, at) => ({ id, at, proof })),
)

describe('the expert', () => {
  it.each(proofs)('finds $id by its signs ($at), in few questions', ({ id, proof }) => {
    const { proved, asked } = identify(proof.needs)
    expect(proved[0]?.bird.id).toBe(id)
    expect(asked.length).toBeLessThanOrEqual(Object.keys(proof.needs).length + 3)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('asks for nothing that is known already', () => {
    const [proof] = expert.proofsOf('barn_owl')
    const known = { feet: 'talons', bill: 'hooked', awake: 'night', voice: 'screech' }
    expect(identify(proof?.needs ?? {}, known).asked).toEqual(['head'])
    expect(expert.judge({ ...known, head: 'heart_face' }).next).toBeUndefined()
  })

  it('offers the answers only that decide something', () => {
    const { next } = expert.judge({ feet: 'talons', bill: 'hooked', awake: 'night' })
    expect(next).toMatchObject({
      attribute: 'head',
      values: { heart_face: expect.any(String), ear_tufts: expect.any(String) },
    })
    expect(Object.keys(next?.values ?? {})).toHaveLength(2)
  })

  it('says why it asks, and by which rules it knows', () => {
    const known = { feet: 'talons', bill: 'hooked', awake: 'night' }
    expect(expert.judge(known).next?.why).toBe(
      'It decides on Barn owl, Great horned owl, of 2 birds that are possible.',
    )
    expect(expert.judge({ ...known, head: 'ear_tufts' }).next?.why).toBe(
      'It confirms whether it is a Great horned owl.',
    )
    expect(expert.judge({ ...known, head: 'ear_tufts', voice: 'hoot' }).proved[0]?.steps).toEqual([
      'order = owl: because feet = talons and bill = hooked and awake = night',
      'Great horned owl: because order = owl and head = ear_tufts and voice = hoot',
    ])
  })

  it('goes on without what nobody saw, and gives up where nothing fits', () => {
    const unseen = expert.judge({
      feet: 'talons',
      bill: 'hooked',
      awake: 'night',
      head: UNKNOWN,
      voice: UNKNOWN,
    })
    expect(unseen.possible.map(({ bird }) => bird.id)).toEqual(['barn_owl', 'great_horned_owl'])
    expect(unseen).toMatchObject({ proved: [] })
    expect(unseen.next).toBeUndefined()
    expect(identify({})).toMatchObject({ proved: [], possible: [] })
  })
})

describe('rules', () => {
  const attributes = { size: { question: 'How large?', values: { small: 'Small' } } }
  const bird = { id: 'wren', name: 'Wren', latin: 'T.', about: '', signs: [{ size: 'small' }] }

  it.each([
    [{ birds: [{ ...bird, signs: [{ size: 'huge' }] }] }, 'The bird wren asks for size = huge'],
    [{ birds: [bird, bird] }, 'two birds wren'],
    [{ rules: [{ if: { size: 'small' }, then: { size: 'small' } }] }, 'says what size is'],
    [
      {
        rules: [
          { if: { b: 'y' }, then: { a: 'x' } },
          { if: { a: 'x' }, then: { b: 'y' } },
        ],
      },
      'round in a circle',
    ],
  ])('that cannot be used are refused: %j', (wrong, problem) => {
    expect(() => readKnowledge({ attributes, rules: [], birds: [bird], ...wrong })).toThrow(problem)
  })
})
