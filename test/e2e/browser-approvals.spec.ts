import type { BrowserContext, Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningServer } from '../../src/server/compose/running-server.ts'
import { PublishBody } from '../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../support/builders/actor.ts'
import { join } from '../support/builders/people.ts'
import { releaseBody } from './support/api.ts'
import { findingsInBothThemes, NO_FINDINGS } from './support/axe.ts'
import { check } from './support/device.ts'
import { signedInAs, startOwnServer } from './support/own-server.ts'
import { goToAddress } from './support/release-console.ts'

// Three people in browsers of their own, on a channel that requires approval.
const PLACE = { app: 'editor', channel: 'stable' }
let server: Awaited<ReturnType<typeof startOwnServer>>
let running: RunningServer
let ada: Page
let ben: Page
let vera: Page
const contexts: BrowserContext[] = []

beforeAll(async () => {
  server = await startOwnServer()
  running = server.running
  await join(running.people, 'Ben', 'release_manager')
  await join(running.people, 'Vera', 'viewer')
  const { updates } = running
  await updates.createApp(PRINCIPAL, { ref: 'editor', name: 'Editor' })
  await updates.setChannelPolicy(PRINCIPAL, { ...PLACE, change: { requireApproval: true } })
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0']) {
    const body = PublishBody.parse(releaseBody(version, { rolloutPct: 0 }))
    await updates.publishRelease(PRINCIPAL, body)
  }
  await check(running.address, '0.9.0', 'one')
  ada = await openAs('Ada')
  ben = await openAs('Ben')
  vera = await openAs('Vera')
})

afterAll(async () => {
  for (const context of contexts) await context.close()
  await server?.stop()
})

/** The console in a browser of its own, with a session of that person. */
async function openAs(name: string): Promise<Page> {
  const context = await signedInAs(running, name)
  contexts.push(context)
  const page = await context.newPage()
  await page.goto(running.consoleAddress ?? '')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const place = (page: Page) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: /^Approvals/ })

async function show(page: Page, place: string): Promise<void> {
  await goToAddress(page, place)
}

async function openRelease(page: Page, version: string): Promise<Locator> {
  await show(page, `#/releases/editor/stable/${version}`)
  await page.getByRole('heading', { level: 1, name: version }).waitFor()
  return page.getByRole('main')
}

/** Requests that the rollout of a release is raised to 50%. */
async function requestRaise(page: Page, version: string, comment: string): Promise<void> {
  const main = await openRelease(page, version)
  await main.getByRole('button', { name: '50%', exact: true }).click()
  await main.getByRole('button', { name: 'Raise to 50%' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This channel requires approval').waitFor()
  expect(await dialog.getByRole('button', { name: /^Raise to/ }).count()).toBe(0)
  await dialog.getByRole('textbox', { name: 'Comment' }).fill(comment)
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

async function openRequest(page: Page, title: string): Promise<Locator> {
  await place(page).click()
  await page.getByRole('link', { name: title }).first().click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  return page.getByRole('main')
}

const rolloutOf = async (version: string) =>
  (await running.updates.getRelease(PRINCIPAL, { ...PLACE, version })).rolloutPct

test('a raised rollout is requested, seen at once by others, and applied by a second person', async () => {
  await requestRaise(ada, '1.0.0', 'No crashes in the beta')
  expect(await rolloutOf('1.0.0')).toBe(0)
  await place(ben).getByText('1 request to decide').waitFor()
  expect(await place(ada).innerText()).toBe('Approvals')
  expect(await place(vera).innerText()).toBe('Approvals')

  const title = 'Set the rollout of 1.0.0 to 50%'
  // On the page of the release for everyone, and on the overview for the one who requested it.
  const waiting = (page: Page) =>
    page.getByRole('alert').filter({ hasText: 'Waiting for approval' }).getByText('by Ada')
  await waiting(ada).waitFor()
  await openRelease(vera, '1.0.0')
  await waiting(vera).waitFor()
  await show(ada, '#/')
  await ada.getByRole('alert').getByRole('link', { name: title }).waitFor()
  await show(ben, '#/')
  await ben.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(await waiting(ben).count()).toBe(0)
  const own = await openRequest(ada, title)
  await own.getByRole('button', { name: 'Withdraw' }).waitFor()
  expect(await own.getByRole('button', { name: 'Apply change' }).count()).toBe(0)

  const main = await openRequest(ben, title)
  await main.getByText('No crashes in the beta').waitFor()
  const change = main.getByRole('table', { name: 'Change' })
  await expect
    .poll(() => change.getByRole('row').nth(1).getByRole('cell').allInnerTexts())
    .toEqual(['Rollout', '0%', '50%'])
  const impact = main.getByRole('table', { name: 'Impact' })
  await expect
    .poll(() => impact.getByRole('row').nth(1).getByRole('cell').allInnerTexts())
    .toEqual(['Counted', '1', '1'])
  await main.getByRole('button', { name: 'Apply change' }).click()
  const dialog = ben.getByRole('dialog', { name: 'Apply this change?' })
  await dialog.getByRole('textbox', { name: 'Comment' }).fill('Go')
  await dialog.getByRole('button', { name: 'Apply change' }).click()
  await main.getByText('Applied by Ben').waitFor()
  await expect
    .poll(() => change.getByRole('row').nth(1).getByRole('cell').allInnerTexts())
    .toEqual(['Rollout', '50%'])
  // Without anything that Ada does.
  await own.getByText('Applied by Ben').waitFor()
  expect(await rolloutOf('1.0.0')).toBe(50)
  await place(ben).getByText('1 request to decide').waitFor({ state: 'detached' })
  const history = await openRelease(ada, '1.0.0')
  await history.getByText('Requested by Ada').first().waitFor()
})

test('whoever only reads sees the request and no buttons', async () => {
  await requestRaise(ada, '1.1.0', 'Please')
  const main = await openRequest(vera, 'Set the rollout of 1.1.0 to 50%')
  await main.getByText('Please').waitFor()
  await main.getByRole('link', { name: 'Open release' }).waitFor()
  await expect.poll(() => main.getByRole('table', { name: 'Impact' }).count()).toBe(1)
  for (const name of ['Apply change', 'Decline', 'Withdraw']) {
    expect(await main.getByRole('button', { name }).count(), name).toBe(0)
  }
})

test('two people who decide on the same request: the second one reads who was first', async () => {
  const carl = await joinAs('Carl')
  const title = 'Set the rollout of 1.1.0 to 50%'
  const here = await openRequest(ben, title)
  const there = await openRequest(carl, title)
  await there.getByRole('button', { name: 'Apply change' }).click()
  const dialog = carl.getByRole('dialog', { name: 'Apply this change?' })
  await here.getByRole('button', { name: 'Decline' }).click()
  const declining = ben.getByRole('dialog', { name: 'Decline this change?' })
  await declining.getByRole('textbox', { name: 'Comment' }).fill('Not on a Friday')
  await declining.getByRole('button', { name: 'Decline change' }).click()
  await there.getByText('Declined by Ben').waitFor()
  await there.getByText('Not on a Friday').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  expect(await rolloutOf('1.1.0')).toBe(0)
})

test('stopping is immediate, resuming is requested', async () => {
  const main = await openRelease(ada, '1.2.0')
  await main.getByRole('button', { name: 'Stop 1.2.0' }).click()
  await ada.getByRole('dialog').getByText('1.2.0 is paused').waitFor()
  expect(await ada.getByRole('button', { name: 'Undo stop' }).count()).toBe(0)
  await ada.keyboard.press('Escape')
  await main.getByRole('button', { name: 'Resume 1.2.0' }).click()
  const dialog = ada.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const own = await openRequest(ada, 'Resume 1.2.0')
  await own.getByRole('button', { name: 'Withdraw' }).click()
  await ada.getByRole('dialog').getByRole('button', { name: 'Withdraw request' }).click()
  await own.getByText('Withdrawn by Ada').waitFor()
})

test('an administrator requires approval on a channel, and cannot exempt a key alone', async () => {
  await running.updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
  await show(ada, '#/apps/editor')
  await ada.getByRole('button', { name: 'Manage channel beta' }).click()
  await ada.getByRole('menuitem', { name: 'Edit policy' }).click()
  const dialog = ada.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Require approval' }).check()
  expect(await dialog.getByText('Nobody else can approve').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Save policy' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const channels = running.consoleContext.catalog.snapshot.appByName.get('editor')?.channels
  expect(channels?.get('beta')?.record.policy.requireApproval).toBe(true)

  for (const page of [ada, ben]) await show(page, '#/keys')
  await ada.getByRole('button', { name: 'Create key' }).first().click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('release train')
  await dialog.getByRole('checkbox', { name: 'Serve' }).check()
  await dialog.getByRole('checkbox', { name: 'Bypass approval' }).check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('one person could then release without approval').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const exempt = { name: 'release train', scopes: ['serve'], bypassApproval: true } as const
  await running.updates.mintKey(PRINCIPAL, exempt)
  await ada.getByRole('cell', { name: 'Bypasses approval' }).waitFor()
  await ben.getByRole('button', { name: 'Create key' }).first().click()
  await ben.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  expect(await ben.getByRole('checkbox', { name: 'Bypass approval' }).count()).toBe(0)
  await ben.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await ben.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('a release is requested with the form that publishes', async () => {
  await show(ada, '#/releases/publish?app=editor&channel=stable&from=stable&version=1.3.0')
  await ada.getByRole('textbox', { name: 'Version' }).fill('2.0.0')
  const form = ada.getByRole('form', { name: 'Release' })
  await form.getByRole('button', { name: 'Request approval' }).click()
  const dialog = ada.getByRole('dialog', { name: 'Publish 2.0.0' })
  await dialog.getByRole('textbox', { name: 'Comment' }).fill('The autumn release')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await ada.getByRole('heading', { level: 1, name: 'Publish 2.0.0 with a plan' }).waitFor()

  const main = await openRequest(ben, 'Publish 2.0.0 with a plan')
  await main.getByRole('cell', { name: '5% → 25% → 50% → Everyone' }).waitFor()
  await main.getByText(/^Everyone by .* at the earliest$/).waitFor()
  await main.getByRole('button', { name: 'Apply change' }).click()
  await ben.getByRole('dialog').getByRole('button', { name: 'Apply change' }).click()
  await main.getByText('Applied by Ben').waitFor()
  expect(await rolloutOf('2.0.0')).toBe(5)
})

test('a plan is requested, shown as steps, and runs once a second person has applied it', async () => {
  await openRelease(ada, '1.4.0')
  const panel = (page: Page) => page.getByRole('region', { name: 'Rollout plan', exact: true })
  await panel(ada).getByRole('button', { name: 'Set plan' }).click()
  const dialog = ada.getByRole('dialog', { name: 'Set a rollout plan for 1.4.0' })
  await dialog.getByRole('radio', { name: 'Cautious week' }).check()
  await dialog.getByRole('textbox', { name: 'Comment' }).fill('Slowly')
  await dialog.getByRole('button', { name: 'Request approval' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await panel(ada).getByText('Running', { exact: true }).count()).toBe(0)

  const main = await openRequest(ben, 'Roll out 1.4.0 by a plan')
  await main.getByRole('cell', { name: '5% → 25% → 50% → Everyone' }).waitFor()
  await main.getByText('Steps are applied Mon–Fri, 09:00–16:00').waitFor()
  await main.getByRole('button', { name: 'Apply change' }).click()
  await ben.getByRole('dialog').getByRole('button', { name: 'Apply change' }).click()
  await main.getByText('Applied by Ben').waitFor()
  await panel(ada).getByText('Running', { exact: true }).waitFor()

  await openRelease(vera, '1.4.0')
  await panel(vera).getByText('Running', { exact: true }).waitFor()
  expect(await panel(vera).getByRole('button').count()).toBe(0)
  await show(vera, '#/calendar')
  await vera.getByRole('rowheader', { name: '1.4.0' }).waitFor()
  expect(await vera.getByRole('button', { name: 'Add freeze' }).count()).toBe(0)
})

test('axe finds nothing', async () => {
  const version = '1.2.0'
  await running.updates.proposeChange(
    { ...PRINCIPAL, person: 'somebody' },
    {
      ...{ ...PLACE, version, comment: 'Please' },
      change: { kind: 'serving', rolloutPct: 10 },
    },
  )
  await place(ben).click()
  const title = `Set the rollout of ${version} to 10%`
  await ben.getByRole('link', { name: title }).waitFor()
  expect(await findingsInBothThemes({ page: ben })).toEqual(NO_FINDINGS)
  const main = await openRequest(ben, title)
  await expect.poll(() => main.getByRole('button', { name: 'Apply change' }).isEnabled()).toBe(true)
  expect(await findingsInBothThemes({ page: ben })).toEqual(NO_FINDINGS)
  await main.getByRole('button', { name: 'Apply change' }).click()
  await ben.getByRole('dialog').getByRole('textbox', { name: 'Comment' }).waitFor()
  // The dialog is there before its background is drawn.
  await expect.poll(() => findingsInBothThemes({ page: ben })).toEqual(NO_FINDINGS)
  await ben.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await ben.getByRole('dialog').waitFor({ state: 'hidden' })
})

async function joinAs(name: string): Promise<Page> {
  await join(running.people, name, 'release_manager')
  return await openAs(name)
}
