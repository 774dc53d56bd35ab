/** Patchbay's own rules, which the linter loads by `oxlint.config.ts`. */

type Node = { readonly type: string }

type Context = {
  report(problem: { readonly node: Node; readonly message: string }): void
  readonly sourceCode: { getAllComments(): readonly { readonly value: string }[] }
}

export default {
  meta: { name: 'patchbay' },
  rules: {
    'no-shell': banned(
      "Property[key.name='shell'][value.value=true]",
      'A shell would interpret what is data. Spawn the program with its arguments.',
    ),
    'no-barrel': banned(
      'ExportAllDeclaration',
      'No barrel files: import a thing from the file that defines it.',
    ),
    'no-test-left-out': banned(
      'CallExpression[callee.property.name=/^(skip|skipIf|todo|fixme|only|fails)$/][callee.object.name=/^(test|it|describe)$/]',
      'No test is skipped or singled out.',
    ),
    'no-expression-in-match-object': banned(
      "CallExpression[callee.property.name='toMatchObject'] Property > Literal[regex]",
      'toMatchObject takes any text for a regular expression. Use expect.stringMatching.',
    ),
    'text-in-text-file': banned(
      [
        'JSXText[value=/[A-Za-z]{2}/]',
        'JSXAttribute[name.name=/^(title|label|placeholder|description|detail|note|aria-label|confirm|submit)$/] > Literal[value=/[A-Za-z]{2}/]',
      ].join(', '),
      'Text that a user reads is in the text.ts of the module, where it is reviewed as a whole.',
    ),
    'no-rule-off': { create: onlyByConfiguration },
  },
}

/** A rule that reports every node that a selector finds. */
function banned(selector: string, message: string) {
  return {
    create: (context: Context) => ({
      [selector](node: Node) {
        context.report({ node, message })
      },
    }),
  }
}

/** Fails on a comment to the linter. It throws, because that comment could switch off a report. */
function onlyByConfiguration({ sourceCode }: Context) {
  return {
    Program() {
      for (const { value } of sourceCode.getAllComments()) {
        if (/\b(ox|es)lint-(dis|en)able/.test(value)) {
          throw new Error(
            `A rule is switched off in the configuration alone, not by a comment: ${value.trim()}`,
          )
        }
      }
    },
  }
}
