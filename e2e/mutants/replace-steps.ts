import type { DrivenClient, Step, StepOutcome } from '../../server-core/conformance/exam/client-driver.ts'

/**
 * The same client with other steps: `replace` gets what is asked of the client, and a function that does it as the
 * client does. A client that cannot be driven stays as it is.
 */
export function replaceSteps(
  client: DrivenClient,
  replace: (asked: Step, step: (asked: Step) => Promise<StepOutcome>) => Promise<StepOutcome>,
): DrivenClient {
  const { step, process } = client
  if (step === undefined) return client
  return {
    basic: () => client.basic(),
    output: () => client.output(),
    close: () => client.close(),
    step: (asked) => replace(asked, step),
    ...(process !== undefined && { process }),
  }
}
