import { afterAll, beforeAll, expect, test } from 'vitest'
import { callConsole } from './support/api.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { checkAll } from './support/device.ts'
import { createApp, publish } from './support/steps.ts'

const DEVICES = 40
let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openConsole()
  await createApp(opened)
  await publish(opened, '1.0.0')
  await checkAll(opened.address, '1.0.0', DEVICES)
  await publish(opened, '1.1.0', 10)
})
afterAll(() => opened?.close())

const button = (name: string) =>
  opened.page.getByRole('main').getByRole('button', { name, exact: true })
const offered = async (version = '1.0.0') =>
  (await checkAll(opened.address, version, DEVICES)).filter((offer) => offer !== null)

/** Confirms the dialog whose title and button say the same; answers what it said that it will do. */
async function confirm(title: string, action: string): Promise<string> {
  const dialog = opened.page.getByRole('dialog', { name: title })
  const preview = dialog.getByRole('region', { name: 'Impact' })
  await preview
    .getByText(/newly offered|nothing to count/)
    .first()
    .waitFor()
  const text = await preview.innerText()
  await dialog.getByRole('button', { name: action }).click()
  await dialog.waitFor({ state: 'hidden' })
  return text
}

test('a rollout is raised after a preview with the number of newly offered devices', async () => {
  const before = (await offered()).length
  expect(before).toBeLessThan(DEVICES)
  await button('50%').click()
  await button('Raise to 50%').click()
  const text = await confirm('Raise the rollout of 1.1.0 to 50%', 'Raise to 50%')
  const now = (await offered()).length
  expect(text).toContain(`${now - before} of ${DEVICES} devices will be newly offered`)
})

test('the rollout cannot be lowered below what devices were offered', async () => {
  await opened.page.getByText('its rollout cannot go below 50%').waitFor()
  for (const lower of ['1%', '5%', '10%', '25%']) {
    expect(await button(lower).isDisabled(), lower).toBe(true)
  }
  const slider = opened.page.getByRole('slider', { name: 'Rollout', exact: true })
  await slider.focus()
  await opened.page.keyboard.press('Home')
  expect(await slider.getAttribute('aria-valuenow')).toBe('50')
})

test('a decrease that reaches the server is refused with a message', async () => {
  const input = { app: 'editor', channel: 'stable', version: '1.1.0', rolloutPct: 20 }
  const answer = await callConsole(opened.page, 'mutation', 'releases.changeServing', input)
  expect(answer).toMatchObject({ ok: false, error: { code: 'invariant' } })
})

test('a paused release is not offered until it is resumed', async () => {
  await button('Pause 1.1.0').click()
  await confirm('Pause 1.1.0', 'Pause 1.1.0')
  await opened.page.getByRole('heading', { level: 1, name: 'Paused' }).waitFor()
  expect(await offered()).toHaveLength(0)
  await button('Resume 1.1.0').click()
  await confirm('Resume 1.1.0', 'Resume 1.1.0')
  await expect.poll(async () => (await offered()).length).toBeGreaterThan(0)
})

test('a rollback shows how many devices are downgraded, and downgrades them', async () => {
  await checkAll(opened.address, '1.1.0', 7)
  await button('Roll back 1.1.0').click()
  const text = await confirm('Roll back 1.1.0', 'Roll back 1.1.0')
  expect(text).toContain('7 of 7 devices on 1.1.0 will be downgraded to 1.0.0')
  await opened.page.getByRole('heading', { level: 1, name: 'Rolled back' }).waitFor()
  const offers = await checkAll(opened.address, '1.1.0', 7)
  for (const offer of offers) {
    expect(offer).toMatchObject({ version: '1.0.0', allowDowngrade: true })
  }
})
