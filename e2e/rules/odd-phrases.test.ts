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
])('reports the phrase in %j', (text, phrase) => {
  expect(findOddPhrases(`first line\n${text}`)).toEqual([
    { line: 2, phrase: phrase.trim(), instead: expect.any(String) },
  ])
})

it.each([
  'If there is none, it rejects.',
  '/** Returns an unsubscribe function. */',
  'The two are told apart by their ids.',
  'the stand-in for Electron',
  'what is no longer needed',
])('accepts %j', (text) => {
  expect(findOddPhrases(text)).toEqual([])
})
