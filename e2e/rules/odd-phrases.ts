/** Phrases that a native writer of technical English avoids, and what to write instead. */
export type OddPhrase = { readonly pattern: RegExp; readonly instead: string }

/** Each pattern is matched against one line of code, comment, message or document, whatever its case. */
export const ODD_PHRASES: readonly OddPhrase[] = [
  odd(
    String.raw`(?<!there )\b(?:is|are|was|were|be|been) none\b`,
    'name the state: "is invalid", "does not exist", "is missing"',
  ),
  odd(String.raw`\bwhat (?:is|are|was|were) (?:no|not)\b(?! longer)`, 'a noun: "an invalid message"'),
  odd(String.raw`\bdeeds?\b`, '"action"'),
  odd(String.raw`\banew\b`, '"again"'),
  odd(
    String.raw`/\*\*\s*(?:Gives|Tells|Says|Takes)\b`,
    'a verb that says what the function does: "Returns", "Logs", "Notifies", "Reports"',
    '',
  ),
  odd(String.raw`^\s*\* (?:Gives|Tells|Says)\b`, '"Returns", "Logs", "Notifies", "Reports"', ''),
  odd(
    String.raw`\b(?:is|are|was|were|be|been) told\b(?! apart)`,
    '"is notified", "is logged", "is reported", "receives"',
  ),
  odd(String.raw`\btells? (?:of|about)\b`, '"reports", "logs", "notifies"'),
  odd(String.raw`\b(?:of|like) ours\b`, '"our own", or the name of the thing'),
  odd(String.raw`\b(?:is|are|was|were) gone\b`, '"no longer exists", "has ended", "was removed"'),
  odd(String.raw`\b(?:spoken|speaks?) to\b`, '"connected to", "the protocol with"'),
  odd(String.raw`\bmend(?:s|ed|ing)?\b`, '"fix"'),
  odd(String.raw`\bshall\b`, '"must" or "should"'),
  odd(String.raw`\bput(?:s|ting)? back\b`, '"restore"'),
  odd(
    String.raw`\b(?:stands?|stood|standing) (?:in|at|on|there|beside|among|around|behind|between|before|after)\b`,
    '"is in", "appears", "is next to"',
  ),
  odd(String.raw`\bnothing (?:is|was) (?:asked|said|told)\b|\bnothing said\b`, 'what is the case'),
  odd(String.raw`\bwere it\b|\bbe it\b`, '"even if it is"'),
  odd(
    String.raw`(?<!there |there\n)\b(?:is|are|was|were) no (?!longer|more|other|one|such|need|use|matter|way|room|telling|different|better|worse|less|later|sooner|wider|larger|longer|end|new|good|point)[a-z\x60"]`,
    '"is not a …"',
  ),
  odd(String.raw`\bheld against\b`, '"checked against", "validated against"'),
  odd(String.raw`\bonce more\b(?! than)`, '"again"'),
  odd(String.raw`\bhears (?:of|what|why|the|nothing)\b|\bhear of\b`, '"learns of", "receives"'),
  odd(String.raw`(?<!nobody )\btells (?:what|which|that|whether|where|who|how)\b`, '"reports", "returns"'),
  odd(String.raw`\bwhat (?:came|comes) of\b`, '"the result of"'),
  odd(String.raw`\bfor want of\b`, '"for lack of", "without"'),
  odd(String.raw`\bin this house\b|\bthis room\b|\brooms? (?:of|above|below)\b`, '"module" or "directory"'),
]

function odd(source: string, instead: string, flags: 'i' | '' = 'i'): OddPhrase {
  return { pattern: new RegExp(source, flags), instead }
}

export type FoundPhrase = { readonly line: number; readonly phrase: string; readonly instead: string }

/**
 * Finds odd phrases in the text of a file.
 * @returns one entry for each phrase on each line, in order; `line` counts from 1
 */
export function findOddPhrases(text: string): readonly FoundPhrase[] {
  return text.split('\n').flatMap((line, index) =>
    ODD_PHRASES.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(line)
      return found === null ? [] : [{ line: index + 1, phrase: found[0].trim(), instead }]
    }),
  )
}
