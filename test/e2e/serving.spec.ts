import { beforeAll, expect, test } from 'vitest'
import { callConsole, publishByApi } from './support/api.ts'
import { createChannel, publishAndOpen } from './support/channel.ts'
import { checkAll } from './support/device.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const DEVICES = 40
const opened = openForAll()

beforeAll(async () => {
  await createApp(opened)
})

const button = (name: string) =>
  opened.page.getByRole('main').getByRole('button', { name, exact: true })
const offered = async (channel: string) =>
  (await checkAll(opened.address, '1.0.0', DEVICES, { channel })).filter((offer) => offer !== null)

/** Opens the page of 1.1.0 on a channel of its own, whose devices run 1.0.0. */
async function openRollout(channel: string, rolloutPct: number): Promise<void> {
  await createChannel(opened, channel)
  await publishByApi(opened, '1.0.0', { channel })
  await checkAll(opened.address, '1.0.0', DEVICES, { channel })
  await publishAndOpen(opened, channel, '1.1.0', { rolloutPct })
}

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
  await openRollout('raised', 10)
  const before = (await offered('raised')).length
  expect(before).toBeLessThan(DEVICES)
  // The preview counts what is stored: check-ins are, soon after their answer.
  const place = { app: 'editor', channel: 'raised', version: '1.1.0' }
  await expect
    .poll(() => callConsole(opened.page, 'query', 'releases.health', place))
    .toMatchObject({ ok: true, data: { health: { offered: before } } })
  await button('50%').click()
  await button('Raise to 50%').click()
  const text = await confirm('Raise the rollout of 1.1.0 to 50%', 'Raise to 50%')
  const now = (await offered('raised')).length
  expect(text).toContain(`${now - before} of ${DEVICES} devices will be newly offered`)
})

test('the rollout cannot be lowered below what devices were offered', async () => {
  await openRollout('lowest', 50)
  expect(await offered('lowest')).not.toEqual([])
  await opened.page.getByText('its rollout cannot go below 50%').waitFor()
  for (const lower of ['1%', '5%', '10%', '25%']) {
    expect(await button(lower).isDisabled(), lower).toBe(true)
  }
  const slider = opened.page.getByRole('slider', { name: 'Rollout', exact: true })
  await slider.focus()
  await opened.page.keyboard.press('Home')
  await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('50')
})

test('a decrease that reaches the server all the same is refused', async () => {
  await openRollout('lowered', 50)
  expect(await offered('lowered')).not.toEqual([])
  const change = { app: 'editor', channel: 'lowered', version: '1.1.0', rolloutPct: 20 }
  const answer = await callConsole(opened.page, 'mutation', 'releases.changeServing', change)
  expect(answer).toMatchObject({ ok: false, error: { code: 'invariant' } })
})

test('a paused release is not offered until it is resumed', async () => {
  await openRollout('paused', 50)
  await button('Stop 1.1.0').click()
  await opened.page.getByRole('dialog').getByText('1.1.0 is paused').waitFor()
  await opened.page.keyboard.press('Escape')
  await opened.page.getByRole('heading', { level: 1, name: 'Paused' }).waitFor()
  expect(await offered('paused')).toHaveLength(0)
  await button('Resume 1.1.0').click()
  await confirm('Resume 1.1.0', 'Resume 1.1.0')
  await expect.poll(async () => (await offered('paused')).length).toBeGreaterThan(0)
})

test('rolling back says how many devices are downgraded, and downgrades them', async () => {
  await openRollout('rolled-back', 50)
  await checkAll(opened.address, '1.1.0', 7, { channel: 'rolled-back' })
  await button('Roll back 1.1.0').click()
  const text = await confirm('Roll back 1.1.0', 'Roll back 1.1.0')
  expect(text).toContain('7 of 7 devices on 1.1.0 will be downgraded to 1.0.0')
  await opened.page.getByRole('heading', { level: 1, name: 'Rolled back' }).waitFor()
  const offers = await checkAll(opened.address, '1.1.0', 7, { channel: 'rolled-back' })
  for (const offer of offers) {
    expect(offer).toMatchObject({ version: '1.0.0', allowDowngrade: true })
  }
})
