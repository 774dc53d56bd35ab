import { expect, it } from 'vitest'
import { findOddPhrases } from './odd-phrases.ts'

it.each([
  ['// The token is none.', 'is none'],
  ['/** Gives the function that ends it. */', '/** Gives'],
  [' * Tells whether the session exists.', '* Tells'],
  ["throw new Error('The client is told why.')", 'is told'],
  ['The file is read anew.', 'anew'],
  ['what is no message', 'what is no'],
  ['Nothing is asked', 'Nothing is asked'],
  ['it stands in patchbay.json', 'stands in'],
  ['a line that is no JSON', 'is no J'],
  ['an answer is held against the question', 'held against'],
  ['It is sent once more.', 'once more'],
  ['clients hear of each change', 'hear of'],
  ['tells whether it changed', 'tells whether'],
  ['what came of the call', 'what came of'],
])('reports the phrase in %j', (text, phrase) => {
  expect(findOddPhrases(`first line\n${text}`)).toContainEqual({
    line: 2,
    phrase: phrase.trim(),
    instead: expect.any(String),
  })
})

it.each([
  'If there is none, it rejects.',
  '/** Returns an unsubscribe function. */',
  'The two are told apart by their ids.',
  'the stand-in for Electron',
  'what is no longer needed',
  'There is no session.',
])('accepts %j', (text) => {
  expect(findOddPhrases(text)).toEqual([])
})
