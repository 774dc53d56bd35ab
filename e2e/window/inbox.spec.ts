import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { exchangeOf, frameOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { inboxOf, openInbox } from './inbox-steps.ts'
import { PausableHost } from './pausable-host.ts'
import { expectState, openEntry, serverPage, startServer } from './server-steps.ts'
import { ModelApi } from './servers/model-api.ts'

const command = {
  name: 'asking',
  command: process.execPath,
  args: [path.join(import.meta.dirname, 'servers/asking-server.ts')],
}

/** One question of the inbox, by what its head says. */
function questionOf(page: Page, words: string | RegExp): Locator {
  return inboxOf(page).getByRole('article').filter({ hasText: words })
}

/** Calls a tool that asks something, and does not wait for the result. */
async function call(page: Page, tool: string): Promise<void> {
  await openEntry(page, 'asking', tool)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
}

/** Answers to a question are read by the tool that asked it, which gives them back as they came. */
async function expectAnswer(page: Page, tool: string, answer: string | RegExp): Promise<void> {
  await openEntry(page, 'asking', tool)
  await expect(resultOf(page)).toContainText(answer)
}

test('what a server asks waits in the inbox, is answered there, and survives a reload of the page', async ({
  page,
}) => {
  await startServer(page, command)
  await expect(await openInbox(page)).toContainText('Inbox empty')

  // A form: every kind of choice, defaults filled in, checked while it is typed.
  await call(page, 'book_desk')
  await expect(page).toHaveTitle('(1) Patchbay')
  const broker = questionOf(page, 'book_desk')
  await expect(broker).toContainText('asking · book_desk')
  await expect(broker).toContainText('Two desks are free on Monday.')
  await expect(broker.getByRole('timer')).toHaveAttribute('aria-label', /^Waiting for 0:\d\d$/)
  await expect(broker).toContainText('Patchbay waits 10 min')
  const form = broker.getByRole('form', { name: 'Answer of asking' })
  await expect(form.getByRole('radio', { name: 'Second floor' })).toBeChecked()
  await expect(form.getByRole('checkbox', { name: 'Mon' })).toBeChecked()
  await expect(form.getByRole('textbox', { name: 'people' })).toHaveValue('1')
  await form.getByRole('radio', { name: 'door' }).click()
  await form.getByRole('radio', { name: 'Red' }).click()
  await form.getByRole('checkbox', { name: 'A plant' }).click()
  await form.getByRole('textbox', { name: 'email' }).fill('no address')
  await expect(broker.getByRole('region', { name: 'Answer as JSON' })).toContainText('"door"')
  await broker.getByRole('button', { name: 'Accept' }).click()
  await expect(broker.getByRole('alert', { name: 'Why nothing was sent' })).toContainText('email')

  await page.reload()
  await expect(form.getByRole('textbox', { name: 'email' })).toHaveValue('no address')
  await expect(form.getByRole('radio', { name: 'door' })).toBeChecked()
  await form.getByRole('textbox', { name: 'email' }).fill('me@example.com')
  await broker.getByRole('button', { name: 'Accept' }).click()
  await expect(questionOf(page, 'accept')).toBeVisible()
  await expect(page).toHaveTitle('Patchbay')
  const answered = questionOf(page, 'accept')
  await answered.getByRole('button', { name: /^Elicitation/ }).click()
  await answered.getByRole('button', { name: 'Show on the timeline' }).click()
  await expect(exchangeOf(page, 'elicitation/create')).toHaveAttribute('aria-selected', 'true')
  await expect(frameOf(page)).toBeVisible()
  const given = answered.getByRole('region', { name: 'Answer sent' })
  for (const words of ['door', 'f2', 'plant', 'me@example.com', 'quiet'])
    await expect(given).toContainText(words)
  await answered.getByRole('button', { name: /^Elicitation/ }).click()

  // Sampling: everything that a model would be asked, an answer by hand.
  await call(page, 'name_birds')
  const birds = questionOf(page, 'name_birds')
  await expect(birds).toContainText('You are a terse assistant.')
  await expect(birds).toContainText('at most 400 tokens · temperature 0.2 · context: thisServer')
  await expect(birds.getByRole('img', { name: /^Image from the server, image\/png/ })).toBeVisible()
  await expect(birds.getByText('1 tool offered to the model')).toBeVisible()
  await birds.getByRole('textbox', { name: 'answer' }).fill('Swift, tit, wren.')
  await birds.getByRole('button', { name: 'Answer', exact: true }).click()
  await expectAnswer(page, 'name_birds', 'Swift, tit, wren.')

  // An address: the whole of it, and nothing opened by itself.
  await call(page, 'sign_in')
  const signIn = questionOf(page, 'sign_in')
  await expect(signIn.getByRole('group', { name: 'Address' })).toContainText(
    'https://accounts.example.com/authorize?client=desks&state=4c1a9d0f-27be-4e0a-9f37-7f0b2a1d9e55',
  )
  await expect(signIn.getByRole('button', { name: 'Open and accept' })).toBeVisible()
  await signIn.getByRole('button', { name: 'Decline' }).click()
  await expectAnswer(page, 'sign_in', 'decline')

  // The server takes a question back: it closes by itself, whatever was typed, and says so.
  await call(page, 'change_mind')
  await expect(questionOf(page, 'change_mind')).toContainText('Never mind this one.')
  await openEntry(page, 'asking', 'take_back')
  await send(page, 'Run')
  await expect(questionOf(page, 'change_mind')).toContainText(
    'cancelled by the server: it found out by itself',
  )

  // An answer that no form would give, and one that waits when the connection ends.
  await call(page, 'name_birds')
  const again = questionOf(page, 'Name three birds').first()
  await again.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Reject with an error…' }).click()
  await expect(again.getByLabel('code')).toHaveValue('-1')
  await again.getByRole('button', { name: 'Reject' }).click()
  await expectAnswer(page, 'name_birds', '-1')
  await call(page, 'book_desk')
  await expect(page.getByRole('button', { name: 'Inbox: 1 question pending' })).toBeVisible()
  await page.keyboard.press('Alt+5')
  await expect(inboxOf(page).locator(':focus')).toHaveCount(1)
  await page.getByRole('button', { name: 'Server menu' }).click()
  await page.getByRole('menuitem', { name: 'Disconnect' }).click()
  await expect(questionOf(page, 'the connection ended')).toBeVisible()
  await expect(page).toHaveTitle('Patchbay')
})

test('rules answer where they are set, roots are sent as folders, and a model is asked on demand', async ({
  page,
}) => {
  await startServer(page, command)
  await (await openInbox(page)).getByRole('button', { name: 'Rules' }).click()
  const rules = page.getByRole('dialog', { name: 'Responders' })
  await rules.getByRole('combobox', { name: 'Responder to Roots' }).click()
  await page.getByRole('option', { name: 'Ask me', exact: true }).click()
  await rules.getByRole('combobox', { name: 'Responder to Sampling' }).click()
  await page.getByRole('option', { name: 'Template', exact: true }).click()
  const template = rules.getByRole('textbox', { name: 'Template for Sampling' })
  await template.fill('{ "role": ')
  await rules.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(rules.getByRole('alert')).toContainText('not finished')
  await rules.getByRole('radio', { name: 'All servers' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(template).toHaveValue('{ "role": ')
  await template.fill(
    '{"role":"assistant","content":{"type":"text","text":"The prompt says: {{params.systemPrompt}}"},"model":"t","stopReason":"endTurn"}',
  )
  await rules.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(rules).toBeHidden()

  await openEntry(page, 'asking', 'name_birds')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('The prompt says: You are a terse assistant.')
  await expect(questionOf(page, 'by rule')).toBeVisible()
  await expect(inboxOf(page)).toContainText('1 answered by rule')

  await call(page, 'find_folders')
  const folders = questionOf(page, 'the folders that it may use')
  await folders.getByRole('button', { name: 'Add folder' }).click()
  await folders.getByRole('textbox', { name: 'Folder 1', exact: true }).fill('/srv/my notes')
  await folders.getByRole('textbox', { name: 'Name of folder 1' }).fill('notes')
  await folders.getByRole('button', { name: 'Send roots' }).click()
  await expectAnswer(page, 'find_folders', 'file:///srv/my%20notes')
  await expectState(page, 'asking', 'connected')
  await expect(serverPage(page)).toBeVisible()
})

test('nothing typed is lost and nothing pressed twice, whatever comes meanwhile: rules, models, late replies', async ({
  blankPage: page,
  app,
}) => {
  const host = await PausableHost.between(page, await app.address())
  const model = await ModelApi.start()
  await startServer(page, command)
  await (await openInbox(page)).getByRole('button', { name: 'Rules' }).click()
  const rules = page.getByRole('dialog', { name: 'Responders' })
  await rules.getByRole('button', { name: 'Add endpoint' }).click()
  const endpoint = rules.getByRole('group', { name: 'New endpoint' })
  await endpoint.getByLabel('name').fill('slow')
  await endpoint.getByLabel('address').fill(model.url)
  await endpoint.getByLabel('models').fill('m')
  // Pressed twice before the host says that it was saved, it is saved once.
  host.hold('/responders/saveEndpoint')
  await endpoint.getByRole('button', { name: 'Save endpoint' }).click()
  await expect.poll(() => host.kept('/responders/saveEndpoint')).toBe(1)
  await endpoint.getByRole('button', { name: 'Save endpoint' }).click()
  host.release('/responders/saveEndpoint')
  await expect(rules.getByRole('button', { name: 'Edit slow' })).toHaveCount(1)
  expect(host.times('/responders/saveEndpoint')).toBe(1)
  await expect(endpoint).toBeHidden()
  await rules.getByRole('combobox', { name: 'Responder to Sampling' }).click()
  await page.getByRole('option', { name: 'Model', exact: true }).click()
  await rules.getByRole('combobox', { name: 'Endpoint' }).click()
  await page.getByRole('option', { name: 'slow' }).click()
  await rules.getByRole('checkbox', { name: 'Review the answer before it is sent' }).click()
  // Left before the reply, and opened again: the reply closes what was left, not what is open now.
  host.hold('/responders/save')
  await rules.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => host.kept('/responders/save')).toBe(1)
  await page.keyboard.press('Escape')
  await expect(rules).toBeHidden()
  await (await openInbox(page)).getByRole('button', { name: 'Rules' }).click()
  await rules.getByRole('button', { name: 'Edit slow' }).click()
  await rules.getByRole('group', { name: 'slow' }).getByLabel('name').fill('still slow')
  host.release('/responders/save')
  await rules.getByRole('button', { name: 'Save endpoint' }).click()
  await expect(rules).toContainText('still slow')
  await rules.getByRole('button', { name: 'Cancel', exact: true }).click()

  await call(page, 'name_birds')
  const birds = questionOf(page, 'name_birds')
  const field = birds.getByRole('textbox', { name: 'answer' })
  await field.click()
  await page.keyboard.type('By hand')
  await expect.poll(() => model.asked).toBe(1)
  model.answer('By rule.')
  const offer = birds.getByRole('status').filter({ hasText: 'Another answer is proposed.' })
  await expect(offer).toBeInViewport({ ratio: 1 })
  // The next key goes where the one before it went.
  await page.keyboard.type(', typed on')
  await expect(field).toHaveValue('By hand, typed on')

  await birds.getByRole('button', { name: 'Send to model' }).click()
  await expect.poll(() => model.asked).toBe(1)
  await field.fill('Meanwhile by hand')
  model.answer('By model.')
  await expect(birds.getByRole('button', { name: 'Send to model' })).toBeEnabled()
  await expect(field).toHaveValue('Meanwhile by hand')
  await offer.getByRole('button', { name: 'Use proposal' }).click()
  await expect(field).toHaveValue('By model.')
  await expect(field).toBeFocused()
  await expect(offer).toBeHidden()
  await birds.getByRole('button', { name: 'Answer', exact: true }).click()
  await expectAnswer(page, 'name_birds', 'By model.')
  await model.close()

  // One answer is given, however often it is pressed before the host says that the question is over.
  await call(page, 'book_desk')
  await call(page, 'sign_in')
  const broker = questionOf(page, 'book_desk')
  const signIn = questionOf(page, 'Sign in so that I can book')
  await expect(signIn.getByRole('button', { name: /^Elicitation/ })).toHaveAttribute('aria-expanded', 'false')
  const nextUnseen = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        new MutationObserver(() => {
          if (document.querySelector('article [aria-disabled="true"]') !== null) resolve(true)
        }).observe(document.body, { subtree: true, childList: true, attributes: true })
      }),
  )
  await broker.getByRole('button', { name: 'Decline' }).hover()
  await broker.getByRole('button', { name: 'Decline' }).evaluate((button) => {
    if (!(button instanceof HTMLElement)) return
    button.click()
    button.click()
  })
  // The next question unfolds under the pointer: a press that was meant for the first one does nothing to it.
  expect(await nextUnseen).toBe(true)
  await signIn.getByRole('button', { name: 'Decline' }).hover()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await signIn.getByRole('button', { name: 'Cancel' }).click()
  await expectAnswer(page, 'sign_in', 'cancel')
  expect(host.times('/inbox/decline')).toBe(1)
})
